/** The media facts that the search uses: texts, found by their words, and numbers that filters compare. */
import { type AnyFact, facts, making, type StoredFacts } from "./MediaFact.ts"

/** By the search index's names. Times are milliseconds since 1970, keys as {@link "./MusicalKey.ts"} numbers them. */
export type SearchNumbers = { readonly [F in AnyFact as Exclude<F["number"], undefined>]: number | null }

export const numbers = making<StoredFacts, SearchNumbers>(
  facts.flatMap(({ number, numberOf }) => number === undefined ? [] : [{ name: number, of: numberOf }])
)

/** What matters most first. */
export const texts = (file: StoredFacts): ReadonlyArray<string> => facts.flatMap((fact) => fact.texts(file))

export const numberNames: ReadonlyArray<keyof SearchNumbers> = facts.flatMap(({ number }) =>
  number === undefined ? [] : [number]
)
