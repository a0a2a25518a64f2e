/** One thing that may be said of files, and how it is read. */
import type { Sentence } from "../grammar/Sentence.ts"
import type { FileQuery } from "./FileQuery.ts"

/** A query under construction; rules fill it in. */
export type Draft = { -readonly [Key in keyof FileQuery]: FileQuery[Key] }

/** Where a rule stands. It returns how many tokens it understood; 0 for none. */
export interface Reader {
  readonly sentence: Sentence
  readonly at: number
  readonly end: number
  readonly draft: Draft
}

export type Rule = (reader: Reader) => number
