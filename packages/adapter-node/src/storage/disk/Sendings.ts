/**
 * One sending of a form or part at a time, so that no more bytes than it allows are being received. The newest wins:
 * the former one may come from a connection that is long dead.
 */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { removeWhole } from "./Durable.ts"
import type { Layout } from "./Layout.ts"
import { SharedRuns } from "./SharedRuns.ts"
import { StorageError } from "./StorageError.ts"

interface Sending {
  readonly abort: AbortController
  readonly ended: Promise<void>
}

const readUnfinished = (path: string): Promise<ReadonlyArray<string>> => readdir(path)

export class Sendings {
  readonly #layout: Layout
  readonly #kind: "form" | "part"
  /** The newest sending of each form or part, by name. */
  readonly #newest = new Map<string, Sending>()
  readonly #unfinished = new SharedRuns(readUnfinished)

  constructor(layout: Layout, kind: "form" | "part") {
    this.#layout = layout
    this.#kind = kind
  }

  /** Why a sending is refused when a newer one has come. */
  sentAgain(): StorageError {
    return new StorageError("AccessDenied", `This ${this.#kind} was sent again.`)
  }

  /**
   * Ends the running sending of this name, waits for its end, and runs `receive` with a path for the new bytes, where
   * no file exists. Its signal is aborted when there is a newer sending, or it is ended.
   */
  async run<A>(name: string, receive: (path: string, signal: AbortSignal) => Promise<A>): Promise<A> {
    const former = this.#newest.get(name)
    const abort = new AbortController()
    const run = async () => {
      await former?.ended
      abort.signal.throwIfAborted()
      // A file of a process that was killed, or of another process, which then finds its file gone.
      await this.#remove(name)
      return receive(this.#layout.temporary(this.#prefix(name)), abort.signal)
    }
    former?.abort.abort(this.sentAgain())
    const running = run()
    const sending = { abort, ended: running.then(() => {}, () => {}) }
    this.#newest.set(name, sending)
    try {
      return await running
    } finally {
      if (this.#newest.get(name) === sending) this.#newest.delete(name)
    }
  }

  /** A path for what the drive itself writes under this name; a file that a killed process left there is removed. */
  async place(name: string): Promise<string> {
    await this.#remove(name)
    return this.#layout.temporary(this.#prefix(name))
  }

  /** Ends the sending of this name, and those whose names continue it after a dot, and removes what they received. */
  async end(name: string, refusal: StorageError): Promise<void> {
    for (const [one, { abort }] of this.#newest) {
      if (one === name || one.startsWith(`${name}.`)) abort.abort(refusal)
    }
    await this.#remove(name)
  }

  async #remove(name: string): Promise<void> {
    const prefix = this.#prefix(name)
    for (const file of await this.#unfinished.run(this.#layout.unfinished)) {
      if (file.startsWith(prefix)) await removeWhole(join(this.#layout.unfinished, file), this.#layout.temporary())
    }
  }

  #prefix(name: string): string {
    return `${this.#kind}.${name}.`
  }
}
