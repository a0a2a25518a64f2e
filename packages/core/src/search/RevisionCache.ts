import { LruCache } from "../shared/LruCache.ts"

/**
 * What was read of accounts lately, each with the account's revision before it was read: still true as long as that is
 * the account's revision.
 */
export class RevisionCache<K, V> {
  readonly #recent: LruCache<K, { readonly revision: number; readonly value: V }>

  constructor(maxBytes: number) {
    this.#recent = new LruCache(maxBytes)
  }

  get(key: K, revision: number): V | undefined {
    const entry = this.#recent.get(key)
    return entry?.revision === revision ? entry.value : undefined
  }

  set(key: K, revision: number, value: V, bytes: number): void {
    this.#recent.set(key, { revision, value }, bytes)
  }
}
