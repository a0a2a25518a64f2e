/** Marks of forms that stored their file, so that none is used twice. */
import { open, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { hasCode, syncDirectory, unlessMissing } from "./Durable.ts"
import type { Layout } from "./Layout.ts"

export interface Form {
  readonly signature: string
  readonly expiryMillis: number
}

export class SpentForms {
  readonly #layout: Layout

  constructor(layout: Layout) {
    this.#layout = layout
  }

  #mark({ expiryMillis, signature }: Form): string {
    return this.#layout.spentMark(signature, expiryMillis)
  }

  async isSpent(form: Form): Promise<boolean> {
    const handle = await unlessMissing(open(this.#mark(form), "r"))
    await handle?.close()
    return handle !== undefined
  }

  /** Marks a form, durably. False when it was marked before: of many at once, one gets true. */
  async spend(form: Form): Promise<boolean> {
    try {
      await (await open(this.#mark(form), "wx", 0o600)).close()
    } catch (error) {
      if (hasCode(error, "EEXIST")) return false
      throw error
    }
    await syncDirectory(this.#layout.spent)
    return true
  }

  /** Takes a mark back: what it stood for did not come about. */
  async unspend(form: Form): Promise<void> {
    await rm(this.#mark(form), { force: true })
  }

  /** Forgets forms that have expired, and are refused for that. */
  async prune(nowMillis: number): Promise<void> {
    for (const name of await readdir(this.#layout.spent)) {
      if (Number(name.split("-")[0]) < nowMillis) await rm(join(this.#layout.spent, name), { force: true })
    }
  }
}
