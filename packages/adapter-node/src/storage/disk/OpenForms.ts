/**
 * Which forms may still store their object. A form has a file, its permission, from its issue to its end: there are as many
 * as accounts have open forms, however many forms they issue and end.
 *
 * ```text
 *   issued ──▶ {name}.open ──its object is in its place──▶ {name}.stored ──revoked──▶ (no file)
 *                   └───────────────────────── revoked ─────────────────────────────────┘
 * ```
 *
 * A form is used when its object is in its place; the permission is renamed right after that, and before the sender is
 * answered. So a crash in between leaves a form whose file is stored, and never a used form without a file.
 *
 * Forms of an earlier release have no permission: they may store until a file says that they may not.
 */
import type { ObjectStore as Port } from "@filedrive/core"
import { open, opendir, rename, rm, stat, utimes } from "node:fs/promises"
import { join } from "node:path"
import { hasCode, removeWhole, syncDirectory, unlessMissing } from "./Durable.ts"
import { isBucket, type Layout } from "./Layout.ts"

type State = "open" | "stored"
/** The states that end a form of an earlier release. */
type Mark = "used" | "revoked"

/** Permissions stay for so long after their forms have expired; by then the drive has revoked them. */
const graceMillis = 24 * 60 * 60 * 1000

/** A form as it was sent. */
export interface SentForm {
  readonly at: Port.ObjectAddress
  /** Whether it was issued with a permission. */
  readonly hasPermission: boolean
  readonly expiryMillis: number
}

export class OpenForms {
  readonly #layout: Layout

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
      const handle = await open(path, "wx", 0o600)
      try {
        await handle.utimes(expiryMillis / 1000, expiryMillis / 1000)
        await handle.sync()
      } finally {
        await handle.close()
      }
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
  }

  async #mayStore({ at, hasPermission }: SentForm): Promise<boolean> {
    if (hasPermission) return exists(this.#path(at, "open"))
    return !await exists(this.#path(at, "revoked")) && !await exists(this.#path(at, "used"))
  }

  /** Whether the form can still store its object. */
  async isOpen(form: SentForm): Promise<boolean> {
    return await this.#mayStore(form) && !await exists(this.#layout.object(form.at))
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

  /** Closes a form for good. */
  async revoke(at: Port.ObjectAddress, expiryMillis: number): Promise<void> {
    // In this order: a permission that is renamed in between is found under its new name.
    const hadPermission = await removed(this.#path(at, "open")) || await removed(this.#path(at, "stored"))
    if (hadPermission) await syncDirectory(this.#layout.forms)
    // Closed before, or an earlier release's.
    else await this.#make(this.#path(at, "revoked"), expiryMillis)
  }

  /** Deletes the files of expired forms, which are refused anyway; removes what forms of an earlier release stored after their end. */
  async prune(nowMillis: number): Promise<void> {
    for await (const { name } of await opendir(this.#layout.forms)) {
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

const removed = async (path: string): Promise<boolean> => await unlessMissing(rm(path).then(() => true)) === true

const exists = async (path: string): Promise<boolean> => await unlessMissing(stat(path)) !== undefined
