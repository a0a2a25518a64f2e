/**
 * One sending of a form at a time, so that a form has no more bytes on disk than it is for. The newest goes on: the one
 * before it may come from a connection that is long dead.
 */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { removeWhole } from "./Durable.ts"
import type { Layout } from "./Layout.ts"
import { Refusal } from "./Refusal.ts"

interface Sending {
  readonly abort: AbortController
  readonly ended: Promise<void>
}

export class FormSendings {
  readonly #layout: Layout
  /** The newest sending of each form, by name. */
  readonly #newest = new Map<string, Sending>()

  constructor(layout: Layout) {
    this.#layout = layout
  }

  /**
   * Ends the form's sending that is under way, waits for that, and runs `receive` with a directory for the file that is
   * not there yet. Its signal is aborted when the form is sent again, or ended.
   */
  async run<A>(form: string, receive: (directory: string, signal: AbortSignal) => Promise<A>): Promise<A> {
    const former = this.#newest.get(form)
    const abort = new AbortController()
    const run = async () => {
      await former?.ended
      abort.signal.throwIfAborted()
      // Of a process that was killed, or of another: that one finds its directory gone.
      await this.#remove(form)
      return receive(this.#layout.temporary(prefixOf(form)), abort.signal)
    }
    former?.abort.abort(new Refusal("AccessDenied", "This form was sent again."))
    const running = run()
    const sending = { abort, ended: running.then(() => {}, () => {}) }
    this.#newest.set(form, sending)
    try {
      return await running
    } finally {
      if (this.#newest.get(form) === sending) this.#newest.delete(form)
    }
  }

  /** Ends the form's sending, and removes what came of it. */
  async end(form: string): Promise<void> {
    this.#newest.get(form)?.abort.abort(new Refusal("AccessDenied", "This form was revoked."))
    await this.#remove(form)
  }

  async #remove(form: string): Promise<void> {
    const prefix = prefixOf(form)
    for (const name of await readdir(this.#layout.unfinished)) {
      if (name.startsWith(prefix)) await removeWhole(join(this.#layout.unfinished, name), this.#layout.temporary())
    }
  }
}

const prefixOf = (form: string) => `form.${form}.`
