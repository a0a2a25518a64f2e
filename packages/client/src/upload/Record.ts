/** What a store keeps of an upload: under which key it was begun, so that it goes on after a reload or a crash. */
import type { Store } from "../Options.ts"
import { hash } from "./Source.ts"

/** As long as an upload in parts may be idle. */
const lifeMillis = 7 * 86_400_000

export const digest = (text: string): string => {
  const bytes = new TextEncoder().encode(text)
  return hash(bytes).toString(36) + hash(bytes, 1).toString(36)
}

/** 128 bits by chance. `crypto.randomUUID` is missing on pages without TLS. */
export const randomText = (): string => crypto.getRandomValues(new Uint32Array(4)).join("-")

export interface Claim {
  readonly key: string
  /** Whether an earlier run may have begun it. */
  readonly isResumed: boolean
  /** Takes it up again; false when another run has taken it over since: then it is that one's, and so is what has been begun. */
  readonly take: () => Promise<boolean>
  /** Called when nothing is to be gone on with any more. */
  readonly end: () => Promise<void>
  /** Called when this run leaves it, for another one to go on with. */
  readonly leave: () => void
}

/** Uploads of this page or process: while a run has one at hand, a second one of the same file is one of its own. */
export class Records {
  readonly #store: Store | undefined
  /** By whom each was claimed last. One that failed stays: it may be taken up again, or given back. */
  readonly #last = new Map<string, { isHeld: boolean }>()

  /** The store must not fail: the client's own wraps the host's. */
  constructor(store: Store | undefined) {
    this.#store = store
  }

  /** Whether `claim` needs to know what tells a file from others. */
  get isKept(): boolean {
    return this.#store !== undefined
  }

  /** The upload of `given`, a key; or else of what `name` tells: by the key `own`, or that of its record. Undefined tells nothing. */
  async claim(name: string | undefined, own?: string, given?: string): Promise<Claim> {
    const named = given ?? (name && (own || this.isKept) ? `filedrive:upload:${digest(name)}` : "")
    // A key that the host gives is the same upload, however often it is given.
    const isAlone = !named || given === undefined && this.#last.get(named)?.isHeld
    const store = isAlone || given || own ? undefined : this.#store
    const claim = { isHeld: true }
    if (!isAlone) this.#last.set(named, claim)
    const [known, time] = `${await store?.get(named) ?? ""}`.split(" ")
    const isResumed = !!known && Date.now() - Number(time) < lifeMillis
    const key = isResumed ? known : !isAlone && (given ?? own) || `uploads/${randomText()}`
    await store?.set(named, `${key} ${Date.now()}`)
    const kept = await store?.get(named)
    return {
      key,
      isResumed,
      // Another page with the same store would have changed the record.
      take: async () => claim.isHeld = isAlone || this.#last.get(named) === claim && await store?.get(named) === kept,
      end: async () => {
        if (!isAlone) this.#last.delete(named)
        await store?.delete(named)
      },
      leave: () => void (claim.isHeld = false)
    }
  }
}
