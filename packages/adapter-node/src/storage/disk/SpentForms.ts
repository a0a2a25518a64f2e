/**
 * Which objects' forms are over: used, because the form stored its file, or revoked. An object is stored by one form once.
 *
 * The object in its place is what uses a form up; the mark is made right after it, and before the sender hears of it. So a
 * crash in between leaves a form whose file is stored, and never one that is used up without.
 */
import type { ObjectStore as Port } from "@filedrive/core"
import { open, readdir, rm, stat, utimes } from "node:fs/promises"
import { join } from "node:path"
import { hasCode, removeWhole, syncDirectory, unlessMissing } from "./Durable.ts"
import { isBucket, type Layout } from "./Layout.ts"

type Mark = "used" | "revoked"

export class SpentForms {
  readonly #layout: Layout

  constructor(layout: Layout) {
    this.#layout = layout
  }

  #path(at: Port.ObjectAddress, mark: Mark): string {
    return join(this.#layout.spent, `${this.#layout.form(at)}.${mark}`)
  }

  /** Makes a mark that holds; false when it was there. Its modification time is when nobody needs it any more. */
  async #make(at: Port.ObjectAddress, mark: Mark, expiryMillis: number): Promise<boolean> {
    const path = this.#path(at, mark)
    let isNew = true
    try {
      const handle = await open(path, "wx", 0o600)
      await handle.close()
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error
      isNew = false
    }
    await utimes(path, expiryMillis / 1000, expiryMillis / 1000)
    await syncDirectory(this.#layout.spent)
    return isNew
  }

  isRevoked(at: Port.ObjectAddress): Promise<boolean> {
    return exists(this.#path(at, "revoked"))
  }

  /** Whether the form can store nothing (any more). */
  async isOver(at: Port.ObjectAddress): Promise<boolean> {
    return await this.isRevoked(at) || await exists(this.#path(at, "used")) || await exists(this.#layout.object(at))
  }

  /** Marks a form whose object is in its place. False when it had stored an object before. */
  use(at: Port.ObjectAddress, expiryMillis: number): Promise<boolean> {
    return this.#make(at, "used", expiryMillis)
  }

  async revoke(at: Port.ObjectAddress, expiryMillis: number): Promise<void> {
    await this.#make(at, "revoked", expiryMillis)
  }

  /** Forgets forms that have expired, and are refused for that; removes what a revoked one stored in a process that was killed. */
  async prune(nowMillis: number): Promise<void> {
    for (const name of await readdir(this.#layout.spent)) {
      const path = join(this.#layout.spent, name)
      const [bucket, object = "", mark] = name.split(".")
      if (isBucket(bucket) && mark === "revoked") {
        await removeWhole(this.#layout.objectOf(bucket, object), this.#layout.temporary())
      }
      const state = await unlessMissing(stat(path))
      if (state !== undefined && state.mtimeMs < nowMillis) await rm(path, { force: true })
    }
  }
}

const exists = async (path: string): Promise<boolean> => await unlessMissing(stat(path)) !== undefined
