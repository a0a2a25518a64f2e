/**
 * Which forms may still store their object. A form has a file, its permission, from its issue to its end: there are as many
 * as accounts have open forms, however many forms they issue and end.
 *
 * ```text
 *   issued ──▶ {name}.open ──its packed object is beside it───▶ (no file) ────────────────revoked──▶ (no file)
 *                   ├─────── its other object is in its place──▶ {name}.stored ──revoked──▶ (no file)
 *                   └────────────────────────────── revoked ──▶ (no file)
 * ```
 *
 * A form is used when its object is in its place; the permission is removed or renamed right after that, and before the sender
 * is answered. So a crash in between leaves a form whose file is stored, and never a used form without a file. A packed object gets
 * its place in the directory of the permissions: so one sync makes both durable, and all who wait for it share it.
 *
 * Permissions are empty files: only their names count, which the sync of the directory makes durable.
 *
 * Forms of an earlier release have no permission: they may store until a file says that they may not.
 */
import { LruCache, type ObjectStore as Port } from "@filedrive/core"
import { link, opendir, rename, rm, stat, unlink, utimes } from "node:fs/promises"
import { join } from "node:path"
import { exists, hasCode, makeEmpty, removeWhole, syncDirectory, unlessMissing } from "./Durable.ts"
import { isArrived, isBucket, type Layout } from "./Layout.ts"
import { notPackable } from "./Packed.ts"

type State = "open" | "stored"
/** The states that end a form of an earlier release. */
type Mark = "used" | "revoked"

/** Permissions stay for so long after their forms have expired; by then the drive has revoked them. */
const graceMillis = 24 * 60 * 60 * 1000

/** Forms of small files that this process remembers, the last ones. */
const rememberedMost = 10_000

/** A form as it was sent. */
export interface SentForm {
  readonly at: Port.ObjectAddress
  /** Whether it was issued with a permission. */
  readonly hasPermission: boolean
  readonly expiryMillis: number
}

export class OpenForms {
  readonly #layout: Layout
  /** Forms whose packed object is in its place, but not durable yet. */
  readonly #storing = new Set<string>()
  /** Forms that this process has issued and not ended. Another process may have: {@link store} tells in the end. */
  readonly #issued = new LruCache<string, true>(rememberedMost)
  /** Forms whose packed object this process has stored: their permission is gone. */
  readonly #spent = new LruCache<string, true>(rememberedMost)

  constructor(layout: Layout) {
    this.#layout = layout
  }

  #path(at: Port.ObjectAddress, state: State | Mark): string {
    return join(this.#layout.forms, `${this.#layout.form(at)}.${state}`)
  }

  /** Makes a durable file; false when it existed. Its modification time is when it is no longer needed. */
  async #make(path: string, expiryMillis: number): Promise<boolean> {
    let isNew = true
    try {
      await makeEmpty(path, expiryMillis)
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error
      isNew = false
      await utimes(path, expiryMillis / 1000, expiryMillis / 1000)
    }
    await syncDirectory(this.#layout.forms)
    return isNew
  }

  async issue(at: Port.ObjectAddress, expiryMillis: number): Promise<void> {
    await this.#make(this.#path(at, "open"), expiryMillis)
    this.#issued.set(this.#layout.form(at), true, 1)
  }

  async #mayStore({ at, hasPermission }: SentForm): Promise<boolean> {
    if (hasPermission) return exists(this.#path(at, "open"))
    return !await exists(this.#path(at, "revoked")) && !await exists(this.#path(at, "used"))
  }

  /** Whether the form can still store its object. For a packed object, {@link store} checks it again. */
  async isOpen(form: SentForm, isPacked: boolean): Promise<boolean> {
    // Receiving a small file takes no longer than looking for its permission, which `store` checks at the end.
    if (isPacked && this.#issued.has(this.#layout.form(form.at))) return true
    return await this.#mayStore(form) && (isPacked || !await exists(this.#layout.object(form.at)))
  }

  /**
   * Moves a synced file, the packed object of a form, to its place and closes the form. False when it was closed before; then, and
   * when this fails, nothing is stored. The file's former name is removed.
   */
  async store(form: SentForm, file: string): Promise<boolean> {
    const place = this.#layout.arrived(form.at)
    if (place === undefined) throw notPackable(form.at.key)
    const name = this.#layout.form(form.at)
    try {
      // When the form is sent several times at once, the first to arrive here is stored; another process may have begun a newer one.
      if (await unlessMissing(moveToFree(file, place)) !== true) return false
      this.#storing.add(name)
      if (!await this.#spend(form).catch((error: unknown) => this.#takeBack(place, error))) {
        await removed(place)
        return false
      }
      await syncDirectory(this.#layout.forms)
      this.#spent.set(name, true, 1)
      return true
    } finally {
      this.#issued.delete(name)
      this.#storing.delete(name)
      await removed(file)
    }
  }

  async #takeBack(place: string, error: unknown): Promise<never> {
    await removed(place)
    throw error
  }

  /** Removes the permission of a form whose packed object is in its place. False when the form was closed before. */
  async #spend({ at, expiryMillis, hasPermission }: SentForm): Promise<boolean> {
    if (hasPermission) return removed(this.#path(at, "open"))
    return await this.#make(this.#path(at, "used"), expiryMillis) && !await exists(this.#path(at, "revoked"))
  }

  /** Closes a form whose object is in its place. False when it was closed before: then the object must be removed. */
  async use(form: SentForm): Promise<boolean> {
    const { at, expiryMillis } = form
    if (form.hasPermission) {
      const renamed = rename(this.#path(at, "open"), this.#path(at, "stored")).then(() => true)
      if (await unlessMissing(renamed) === undefined) return false
      await syncDirectory(this.#layout.forms)
      // Revoking removes the permission first and then the object: so one of the two sees what the other did.
      return exists(this.#path(at, "stored"))
    }
    return await this.#make(this.#path(at, "used"), expiryMillis) && !await exists(this.#path(at, "revoked"))
  }

  /** Whether this process has stored the packed object of the form: then nothing else can be stored with it. */
  isSpent(at: Port.ObjectAddress): boolean {
    return this.#spent.has(this.#layout.form(at))
  }

  /** Closes a form for good. */
  async revoke(at: Port.ObjectAddress, expiryMillis: number): Promise<void> {
    this.#issued.delete(this.#layout.form(at))
    // In this order: a permission that is renamed in between is found under its new name.
    if (await removed(this.#path(at, "open"))) return syncDirectory(this.#layout.forms)
    const arrived = this.#layout.arrived(at)
    if (arrived !== undefined && await exists(arrived)) {
      // Its permission was removed when the object was stored, and the same sync made both durable.
      return this.#storing.has(this.#layout.form(at)) ? syncDirectory(this.#layout.forms) : undefined
    }
    if (await removed(this.#path(at, "stored"))) return syncDirectory(this.#layout.forms)
    // Closed before, or an earlier release's.
    await this.#make(this.#path(at, "revoked"), expiryMillis)
  }

  /** Deletes the files of expired forms, which are refused anyway; removes what forms of an earlier release stored after their end. */
  async prune(nowMillis: number): Promise<void> {
    for await (const { name } of await opendir(this.#layout.forms)) {
      if (isArrived(name)) continue
      const path = join(this.#layout.forms, name)
      const [bucket, object = "", mark] = name.split(".")
      if (isBucket(bucket) && mark === "revoked") {
        await removeWhole(this.#layout.objectOf(bucket, object), this.#layout.temporary())
      }
      const state = await unlessMissing(stat(path))
      // A body whose form expired while it was received may still complete.
      const expiryMillis = nowMillis - (mark === "open" || mark === "stored" ? graceMillis : 0)
      if (state !== undefined && state.mtimeMs < expiryMillis) await rm(path, { force: true })
    }
  }
}

const removed = async (path: string): Promise<boolean> => await unlessMissing(unlink(path).then(() => true)) === true

/** Gives a file a name that no other file has; false when one has it. */
const moveToFree = async (file: string, place: string): Promise<boolean> => {
  try {
    await link(file, place)
    return true
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false
    // Some file systems have no hard links. There, a file that another process stores at the same moment may be replaced.
    if (!hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP")) throw error
    if (await exists(place)) return false
    await rename(file, place)
    return true
  }
}
