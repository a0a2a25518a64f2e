/** A cache of up to so many bytes (or entries), as counted by its user: the least recently used entry is removed first. */
export class LruCache<K, V> {
  readonly #entries = new Map<K, { readonly value: V; readonly bytes: number }>()
  readonly #maxBytes: number
  readonly #onRemoved: ((value: V, key: K) => void) | undefined
  #bytes = 0

  /** `onRemoved` is called with each value that leaves, also when it is replaced or deleted. */
  constructor(maxBytes: number, onRemoved?: (value: V, key: K) => void) {
    this.#maxBytes = maxBytes
    this.#onRemoved = onRemoved
  }

  get count(): number {
    return this.#entries.size
  }

  /** Without counting as use. */
  has(key: K): boolean {
    return this.#entries.has(key)
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  set(key: K, value: V, bytes: number): void {
    this.delete(key)
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.delete(oldest)
    }
  }

  delete(key: K): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#bytes -= entry.bytes
    this.#entries.delete(key)
    this.#onRemoved?.(entry.value, key)
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.delete(key)
  }
}
