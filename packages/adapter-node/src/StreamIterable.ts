/** Async iterables whose readers may stop at any moment: `return` and a signal end a reading at once, also while it waits. */

/** A reading that has begun. */
export interface Opened<A> {
  readonly next: () => Promise<IteratorResult<A>>
  /** Lets go of what it holds, also while {@link next} waits. */
  readonly end: () => unknown
}

const done = { done: true, value: undefined } as const

/**
 * One reader. An async generator would not do: what it is told while it waits for a value it does after that value, and a
 * feed may wait for days.
 */
class Reading<A> implements AsyncIterableIterator<A> {
  readonly #open: () => Promise<Opened<A>>
  readonly #signal: AbortSignal | undefined
  readonly #waiting = new Set<() => void>()
  #opened: Promise<Opened<A>> | undefined
  #last: Promise<unknown> = Promise.resolve()
  #isEnded = false

  constructor(open: () => Promise<Opened<A>>, signal: AbortSignal | undefined) {
    this.#open = open
    this.#signal = signal
    if (signal?.aborted === true) this.#isEnded = true
    else signal?.addEventListener("abort", this.#end, { once: true })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Values come in the order they are asked for, however many are asked for at once. */
  next(): Promise<IteratorResult<A>> {
    if (this.#isEnded) return Promise.resolve(done)
    const { promise, reject, resolve } = Promise.withResolvers<IteratorResult<A>>()
    const stop = () => resolve(done)
    // Begun at once where nothing is before it: a drive that is closed directly after the call still ends a feed.
    const reading = this.#waiting.size === 0 ? this.#read() : this.#last.then(() => this.#read())
    this.#waiting.add(stop)
    this.#last = reading.then(
      (result) => {
        this.#waiting.delete(stop)
        resolve(result)
        if (result.done === true) this.#end()
      },
      (error: unknown) => {
        this.#waiting.delete(stop)
        reject(error)
        this.#end()
      }
    )
    return promise
  }

  return(value?: unknown): Promise<IteratorResult<A>> {
    this.#end()
    return Promise.resolve({ done: true, value })
  }

  async #read(): Promise<IteratorResult<A>> {
    if (this.#isEnded) return done
    const opened = await (this.#opened ??= this.#open())
    return opened.next()
  }

  readonly #end = (): void => {
    if (this.#isEnded) return
    this.#isEnded = true
    for (const stop of this.#waiting) stop()
    this.#signal?.removeEventListener("abort", this.#end)
    // What could not be opened has nothing to let go of.
    this.#opened?.then(({ end }) => end()).catch(() => undefined)
  }
}

/** One whose every reader is told this error at the first value. */
export const failing = (error: unknown): AsyncIterable<never> => iterable(() => Promise.reject(error))

/** Each of its iterators calls `open` when its first value is asked for. An aborted signal ends them. */
export const iterable = <A>(open: () => Promise<Opened<A>>, signal?: AbortSignal): AsyncIterable<A> => ({
  [Symbol.asyncIterator]: () => new Reading(open, signal)
})
