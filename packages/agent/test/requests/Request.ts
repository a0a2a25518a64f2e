/** Everyday requests with what must be true of the drive afterwards. */
import type { Seed } from "../Bench.ts"

export interface Everyday {
  /** What it is about, for the account of how many end right. */
  readonly family: string
  /** One message, or several of one conversation. */
  readonly say: string | ReadonlyArray<string>
  /** Exactly what changes; nothing when left out. See DriveState.ts. */
  readonly changes?: ReadonlyArray<string>
  /** In the last answer. */
  readonly reply?: RegExp
  /** Not in the last answer. */
  readonly not?: RegExp
  /** The last answer is a question. */
  readonly asks?: boolean
}

/** Somebody with files, and what they ask for. */
export interface Persona {
  readonly name: string
  readonly seeds: ReadonlyArray<Seed>
  /** Said before each request, on a fresh drive. */
  readonly before?: ReadonlyArray<string>
  readonly requests: ReadonlyArray<Everyday>
}
