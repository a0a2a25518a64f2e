/**
 * Writes answers of `node:http`. Middleware before the drive may have replaced the methods of a response, as `compression()` does and
 * loggers do. Such code returns from `write` whether to go on and emits `drain`, but drops callbacks and may keep the bytes it was given.
 */
import { type OutgoingHttpHeaders, ServerResponse } from "node:http"

const nodeWrite = ServerResponse.prototype.write

interface Flushable {
  /** Sends what a compressor has kept so far. */
  readonly flush?: unknown
}

/**
 * Begins an answer; these headers replace those of the same names that the host has set. False when there is nobody to answer, or the
 * host has answered already, as middleware does that limits the time of calls.
 */
export const begin = (response: ServerResponse, status: number, headers: OutgoingHttpHeaders): boolean => {
  if (response.headersSent || response.destroyed) return false
  // In this form: middleware that replaces `writeHead` loses the headers when there is an undefined status message before them.
  response.writeHead(status, headers)
  return true
}

/** Writes the body of an answer that has begun. */
export class ResponseWriter {
  readonly #response: ServerResponse
  /** Whether bytes are only read until their callback is called: it is Node's own method that writes them. */
  readonly #isOriginal: boolean
  #goOn: (() => void) | undefined

  constructor(response: ServerResponse) {
    this.#response = response
    this.#isOriginal = response.write === nodeWrite
    // One for the whole answer: a compressor takes these listeners over, and they can't be removed from it.
    response.on("drain", this.#wake)
    response.once("close", this.#wake)
  }

  /** Whether nobody receives the answer any longer. */
  get isGone(): boolean {
    return this.#response.destroyed
  }

  /**
   * Writes bytes. Returns a promise when the client is behind: it resolves when more can be written, or the client is gone. `onSent` is
   * called when nothing reads the bytes any longer, and not at all when that can't be known.
   */
  write(bytes: Uint8Array | string, onSent?: () => void): Promise<void> | undefined {
    const response = this.#response
    if (response.destroyed) return undefined
    const sent = onSent !== undefined && this.#isOriginal
      ? (error?: Error | null) => error === undefined || error === null ? onSent() : undefined
      : undefined
    const more: unknown = sent === undefined ? response.write(bytes) : response.write(bytes, sent)
    // Some replacements return nothing.
    if (more === true || (more !== false && !response.writableNeedDrain)) return undefined
    return new Promise((resolve) => this.#goOn = resolve)
  }

  /** Sends at once what was written, where middleware gathers it. */
  flush(): void {
    const { flush } = this.#response as Flushable
    if (typeof flush === "function" && !this.#response.destroyed) flush.call(this.#response)
  }

  /** Ends the answer. */
  end(bytes?: Uint8Array | string): void {
    if (!this.#response.destroyed) this.#response.end(bytes)
  }

  readonly #wake = (): void => {
    const goOn = this.#goOn
    this.#goOn = undefined
    goOn?.()
  }
}
