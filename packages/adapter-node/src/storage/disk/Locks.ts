/** One at a time for each name, within this process. */
export class Locks {
  readonly #tails = new Map<string, Promise<unknown>>()

  async run<A>(name: string, work: () => Promise<A>): Promise<A> {
    const before = this.#tails.get(name)
    const run = before === undefined ? work() : before.then(work, work)
    this.#tails.set(name, run)
    try {
      return await run
    } finally {
      if (this.#tails.get(name) === run) this.#tails.delete(name)
    }
  }

  /** The same for work that is cancelled when `signal` is aborted: then it leaves the queue, and fails with the reason. */
  runUnless<A>(name: string, signal: AbortSignal, work: () => Promise<A>): Promise<A> {
    return new Promise((resolve, reject) => {
      const leave = () => reject(signal.reason)
      signal.addEventListener("abort", leave, { once: true })
      const begin = () => {
        signal.removeEventListener("abort", leave)
        signal.throwIfAborted()
        return work()
      }
      this.run(name, async () => begin()).then(resolve, reject)
    })
  }
}
