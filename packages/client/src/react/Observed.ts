/** A state that hooks show: what `useSyncExternalStore` takes. */
export class Observed<State> {
  readonly initial: State
  #state: State
  readonly #listeners = new Set<() => void>()

  constructor(initial: State) {
    this.initial = initial
    this.#state = initial
  }

  readonly subscribe = (listener: () => void): () => void => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly read = (): State => this.#state

  /** What a server renders, and what a browser takes that over with. */
  readonly readInitial = (): State => this.initial

  set(state: State): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}
