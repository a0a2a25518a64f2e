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
export const randomText = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

const randomKey = (): string => `uploads/${randomText()}`

export interface Claim {
  readonly key: string
  /** Whether an earlier run may have begun it. */
  readonly isResumed: boolean
  /** Called when nothing is to be gone on with any more. */
  readonly end: () => Promise<void>
  /** Called when this run leaves it, for another one to go on with. */
  readonly leave: () => void
}

/** Uploads that a run of this page or process has at hand: a second one of the same file meanwhile is one of its own. */
export class Records {
  readonly #store: Store | undefined
  readonly #claimed = new Set<string>()

  constructor(store: Store | undefined) {
    this.#store = store
  }

  /** Whether `claim` needs to know what tells a file from others. */
  get isKept(): boolean {
    return this.#store !== undefined
  }

  /** The key of the upload of what `name` tells: `own` if it is given, else that of its record. Undefined tells nothing. */
  async claim(name: string | undefined, own?: string): Promise<Claim> {
    const store = this.#store
    const at = name === undefined ? "" : `filedrive:upload:${digest(name)}`
    if (name === undefined || own === undefined && store === undefined || this.#claimed.has(at)) {
      return { key: randomKey(), isResumed: false, end: async () => {}, leave: () => {} }
    }
    this.#claimed.add(at)
    const leave = () => void this.#claimed.delete(at)
    if (own !== undefined || store === undefined) return { key: own!, isResumed: false, end: async () => {}, leave }
    try {
      const [known = "", time] = (await store.get(at) ?? "").split(" ")
      const isResumed = known !== "" && Date.now() - Number(time) < lifeMillis
      const key = isResumed ? known : randomKey()
      await store.set(at, `${key} ${Date.now()}`)
      return { key, isResumed, end: async () => void await store.delete(at), leave }
    } catch (error) {
      leave()
      throw error
    }
  }
}
