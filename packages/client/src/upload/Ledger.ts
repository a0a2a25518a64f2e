/** What a store keeps of a queue: which files it has sent, in records of some dozens, since one of all would be written anew for each file. */
import type { Store } from "../Options.ts"
import { hash } from "./Source.ts"

const records = 256

export class Ledger {
  readonly #store: Store
  readonly #name: string
  /** Each record as it is, after all changes so far. */
  readonly #texts = new Map<number, Promise<string>>()

  constructor(store: Store, name: string) {
    this.#store = store
    this.#name = name
  }

  #at(record: number): string {
    return `filedrive:queue:${this.#name}:${record}`
  }

  #text(record: number): Promise<string> {
    return this.#texts.get(record) ?? Promise.resolve(this.#store.get(this.#at(record))).then((text) => text ?? "")
  }

  static #recordOf(key: string): number {
    return hash(new TextEncoder().encode(key)) % records
  }

  async get(key: string): Promise<string | undefined> {
    return new RegExp(`^${key} (.*)$`, "m").exec(await this.#text(Ledger.#recordOf(key)))?.[1]
  }

  async set(key: string, id: string): Promise<void> {
    const record = Ledger.#recordOf(key)
    const text = this.#text(record).then(async (text) => {
      const next = `${text}${key} ${id}\n`
      await this.#store.set(this.#at(record), next)
      return next
    })
    this.#texts.set(record, text)
    await text
  }

  async forget(): Promise<void> {
    this.#texts.clear()
    for (let record = 0; record < records; record++) await this.#store.delete(this.#at(record))
  }
}
