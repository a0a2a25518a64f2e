/**
 * Shares syncs between callers. A sync covers what was done before it began: a caller that asks while one is running waits for
 * the next one, and all who ask meanwhile share it.
 */
export class SharedSyncs {
  readonly #run: (path: string) => Promise<void>
  /** By path: the sync that is running, and the next one when a caller waits for it. */
  readonly #syncs = new Map<string, { readonly running: Promise<void>; next: Promise<void> | undefined }>()

  constructor(run: (path: string) => Promise<void>) {
    this.#run = run
  }

  sync(path: string): Promise<void> {
    const current = this.#syncs.get(path)
    if (current === undefined) return this.#begin(path)
    const begin = () => this.#begin(path)
    return current.next ??= current.running.then(begin, begin)
  }

  #begin(path: string): Promise<void> {
    const running = this.#run(path)
    const own = { running, next: undefined }
    this.#syncs.set(path, own)
    const end = () => {
      if (this.#syncs.get(path) === own && own.next === undefined) this.#syncs.delete(path)
    }
    running.then(end, end)
    return running
  }
}
