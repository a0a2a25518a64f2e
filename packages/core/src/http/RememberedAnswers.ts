/** Answers that may be asked for again, by the id of their call. Each caller's take a part of the memory alone, so that none forgets another's. */

/** About what an entry takes beside its body. */
const entryBytes = 1_024

interface Remembered<A> {
  /** Whose memory it takes. */
  readonly owner: string
  readonly answer: A
  /** Of the answer's body. */
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly until: number
}

interface Limits {
  readonly allBytes: number
  readonly ownerBytes: number
}

export class RememberedAnswers<A> {
  /** In the order in which they came, which is that of their end unless the clock was set back. */
  readonly #entries = new Map<string, Remembered<A>>()
  readonly #owners = new Map<string, { bytes: number; readonly ids: Set<string> }>()
  readonly #limits: Limits
  #bytes = 0

  constructor(limits: Limits = { allBytes: 16 * 1024 ** 2, ownerBytes: 1024 ** 2 }) {
    this.#limits = limits
  }

  find(id: string, now: number): A | undefined {
    this.#end(now)
    const entry = this.#entries.get(id)
    return entry !== undefined && entry.until > now ? entry.answer : undefined
  }

  /** Where there is no room the owner's oldest is forgotten, and then that of whoever takes most. */
  add(id: string, entry: Remembered<A>): void {
    this.#forget(id)
    this.#entries.set(id, entry)
    const owner = this.#owners.get(entry.owner) ?? { bytes: 0, ids: new Set() }
    this.#owners.set(entry.owner, owner)
    owner.ids.add(id)
    this.#count(owner, entry, 1)
    while (owner.bytes > this.#limits.ownerBytes) this.#forgetOldest(owner)
    while (this.#bytes > this.#limits.allBytes) this.#forgetOldest(this.#largest())
  }

  #end(now: number): void {
    for (const [id, { until }] of this.#entries) {
      if (until > now) return
      this.#forget(id)
    }
  }

  #largest(): { readonly ids: Set<string> } {
    return [...this.#owners.values()].reduce((most, owner) => owner.bytes > most.bytes ? owner : most)
  }

  #forgetOldest({ ids }: { readonly ids: Set<string> }): void {
    const [oldest] = ids
    this.#forget(oldest!)
  }

  #forget(id: string): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    this.#entries.delete(id)
    const owner = this.#owners.get(entry.owner)!
    owner.ids.delete(id)
    this.#count(owner, entry, -1)
    if (owner.ids.size === 0) this.#owners.delete(entry.owner)
  }

  #count(owner: { bytes: number }, { bytes }: Remembered<A>, sign: 1 | -1): void {
    owner.bytes += sign * (bytes + entryBytes)
    this.#bytes += sign * (bytes + entryBytes)
  }
}
