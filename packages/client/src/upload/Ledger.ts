/**
 * What a store keeps of a queue: which files it has sent, in records of some dozens, since one of all would be written anew for each file.
 * Loaded with the first queue that has a name, so it shares no code with what loads it.
 */
import type { Store } from "../Options.ts"
import type { Source } from "../Platform.ts"
import type { digest } from "./Record.ts"
import type { hash } from "./Source.ts"
import type { Target } from "./Target.ts"
import type { UploadedFile } from "./Upload.ts"

const records = 256

/** What it uses of the client. */
interface Shared {
  readonly target: Target
  readonly digest: typeof digest
  readonly hash: typeof hash
}

export class Ledger {
  readonly #store: Store
  readonly #name: string
  /** Each record as it is, after all changes so far. */
  readonly #texts = new Map<string, Promise<string>>()
  readonly #by: Shared

  constructor(store: Store, name: string, by: Shared) {
    this.#store = store
    this.#name = name
    this.#by = by
  }

  /** Where its records are: a store may be that of several accounts, drives and deliveries, and each has a queue of this name. */
  async #place(): Promise<string> {
    const { digest, target } = this.#by
    return `filedrive:queue:${this.#name}:${digest(await target.name(new AbortController().signal))}`
  }

  #text(at: string): Promise<string> {
    return this.#texts.get(at) ?? Promise.resolve(this.#store.get(at)).then((text) => `${text ?? ""}`)
  }

  /** The file that an earlier run of the same queue made of a source; `keep` notes that this one did. Fails while the drive does not say whose it is. */
  async find(source: Source, name: string, fileName = source.name) {
    const { digest, hash } = this.#by
    // What can't be read fails as an upload does. A stream has none.
    const print = await source.print().catch(() => undefined)
    if (print === undefined) return undefined
    const key = digest(`${name} ${print}`)
    const at = `${await this.#place()}:${hash(new TextEncoder().encode(key)) % records}`
    const [, id] = new RegExp(`^${key} (.*)$`, "m").exec(await this.#text(at)) ?? []
    return {
      file: id === undefined ? undefined : { id, fileName, fileSize: source.size },
      keep: ({ id }: UploadedFile) => this.#set(at, key, id)
    }
  }

  async #set(at: string, key: string, id: string): Promise<void> {
    const text = this.#text(at).then(async (text) => {
      const next = `${text}${key} ${id}\n`
      await this.#store.set(at, next)
      return next
    })
    this.#texts.set(at, text)
    await text
  }

  async forget(): Promise<void> {
    this.#texts.clear()
    const place = await this.#place()
    for (let record = 0; record < records; record++) await this.#store.delete(`${place}:${record}`)
  }
}
