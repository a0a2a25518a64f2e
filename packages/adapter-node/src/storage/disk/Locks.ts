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
}
