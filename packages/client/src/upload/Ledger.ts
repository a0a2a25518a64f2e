/**
 * What a store keeps of a queue: which files it has sent, in records of some dozens, since one of all would be written anew for each file.
 * Loaded with the first queue that has a name, so it shares no code with what loads it.
 */
import type { Store } from "../Options.ts"
import type { Source } from "../Platform.ts"
import type { digest } from "./Record.ts"
import type { hash } from "./Source.ts"
import type { Target } from "./Target.ts"
import type { timely } from "./timely.ts"
import type { UploadedFile } from "./Upload.ts"

const records = 256

/** What it uses of the client. */
interface Shared {
  readonly target: Target
  readonly digest: typeof digest
  readonly hash: typeof hash
  readonly timely: typeof timely
}

/** Stores of hosts, each of which fails where it does not answer in time: a record that can't be read is not an empty one. */
const stores = new WeakMap<Store, Store>()

/** The last change of each record that is being changed: queues of one name, also of other clients, change the same records. */
const changes = new Map<string, Promise<unknown>>()

/** Runs when the changes of a record that were asked for before have ended. */
const inOrder = async (at: string, change: () => Promise<unknown>): Promise<void> => {
  const last = Promise.resolve(changes.get(at)).then(change, change)
  changes.set(at, last)
  try {
    await last
  } finally {
    if (changes.get(at) === last) changes.delete(at)
  }
}

export class Ledger {
  readonly #store: Store
  readonly #name: string
  readonly #by: Shared

  constructor(store: Store, name: string, by: Shared) {
    this.#store = stores.get(store) ?? by.timely(store, (error) => {
      throw error
    })
    stores.set(store, this.#store)
    this.#name = name
    this.#by = by
  }

  /** Where its records are: a store may be that of several accounts, drives and deliveries, and each has a queue of this name. */
  async #place(): Promise<string> {
    const { digest, target } = this.#by
    return `filedrive:queue:${this.#name}:${digest(await target.name(new AbortController().signal))}`
  }

  async #text(at: string): Promise<string> {
    return `${await this.#store.get(at) ?? ""}`
  }

  /**
   * The file that an earlier run of the same queue made of a source; `keep` notes that this one did. While the store fails nothing is known,
   * and nothing is noted. Fails while the drive does not say whose it is.
   */
  async find(source: Source, name: string, fileName = source.name) {
    const { digest, hash } = this.#by
    // What can't be read fails as an upload does. A stream has none.
    const print = await source.print().catch(() => undefined)
    if (print === undefined) return undefined
    const key = digest(`${name} ${print}`)
    const at = `${await this.#place()}:${hash(new TextEncoder().encode(key)) % records}`
    const text = await this.#text(at).catch(() => "")
    const [, id, kept] = new RegExp(`^${key} (\\S+) ?(.*)$`, "m").exec(text) ?? []
    return {
      file: id === undefined
        ? undefined
        : { id, fileName: kept ? decodeURIComponent(kept) : fileName, fileSize: source.size },
      // The name only where the drive keeps another one than it was given.
      keep: (file: UploadedFile) =>
        this.#note(
          at,
          `${key} ${file.id}${file.fileName === fileName ? "" : ` ${encodeURIComponent(file.fileName)}`}\n`
        )
    }
  }

  /** Read anew each time: other queues, clients and pages change the same record. */
  #note(at: string, line: string): Promise<void> {
    return inOrder(at, async () => this.#store.set(at, `${await this.#text(at)}${line}`)).catch(() => {})
  }

  async forget(): Promise<void> {
    const place = await this.#place()
    await Promise.all(
      Array.from({ length: records }, (_, record) => {
        const at = `${place}:${record}`
        return inOrder(at, async () => this.#store.delete(at))
      })
    )
  }
}
