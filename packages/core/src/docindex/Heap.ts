/** A heap: gives the first of many items; the order of equal ones is not defined. */
export class Heap<A> {
  readonly #items: Array<A> = []
  readonly #isBefore: (one: A, other: A) => boolean

  constructor(isBefore: (one: A, other: A) => boolean) {
    this.#isBefore = isBefore
  }

  get size(): number {
    return this.#items.length
  }

  /** Undefined when it is empty. */
  get first(): A | undefined {
    return this.#items[0]
  }

  add(item: A): void {
    const items = this.#items
    let at = items.push(item) - 1
    while (at > 0) {
      const above = (at - 1) >>> 1
      if (!this.#isBefore(item, items[above]!)) break
      items[at] = items[above]!
      at = above
    }
    items[at] = item
  }

  /** Takes the first out. */
  take(): A | undefined {
    const [first] = this.#items
    const last = this.#items.pop()
    if (this.#items.length > 0) {
      this.#items[0] = last!
      this.sink()
    }
    return first
  }

  /** Restores the order after the first item has changed. */
  sink(): void {
    const items = this.#items
    const item = items[0]!
    let at = 0
    for (let below = 1; below < items.length; below = 2 * at + 1) {
      if (below + 1 < items.length && this.#isBefore(items[below + 1]!, items[below]!)) below++
      if (!this.#isBefore(items[below]!, item)) break
      items[at] = items[below]!
      at = below
    }
    items[at] = item
  }
}
