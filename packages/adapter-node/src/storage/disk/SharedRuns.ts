/**
 * Shares runs of an operation on a path between callers, such as syncs of a directory. A run covers what was done before it began: a
 * caller that asks while one is running waits for the next one, and all who ask meanwhile share it.
 */
export class SharedRuns<A> {
  readonly #run: (path: string) => Promise<A>
  /** By path: the run that has begun, and the next one when a caller waits for it. */
  readonly #runs = new Map<string, { readonly running: Promise<A>; next: Promise<A> | undefined }>()

  constructor(run: (path: string) => Promise<A>) {
    this.#run = run
  }

  run(path: string): Promise<A> {
    const current = this.#runs.get(path)
    if (current === undefined) return this.#begin(path)
    const begin = () => this.#begin(path)
    return current.next ??= current.running.then(begin, begin)
  }

  #begin(path: string): Promise<A> {
    const running = this.#run(path)
    const own = { running, next: undefined }
    this.#runs.set(path, own)
    const end = () => {
      if (this.#runs.get(path) === own && own.next === undefined) this.#runs.delete(path)
    }
    running.then(end, end)
    return running
  }
}
