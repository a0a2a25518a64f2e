/** What media tools return for files, and what of it is stored. */
import { type AnyFact, facts, type FactValues, making } from "./MediaFact.ts"

/** What is written in a file. Null and empty: not found. */
export type ProbedFacts = { readonly [F in AnyFact as Exclude<F["probe"], undefined>]: F["notFound"] }

/** How a track sounds. Null: it cannot be told. */
export type SoundFacts = { readonly [F in AnyFact as Exclude<F["sound"], undefined>]: F["notFound"] }

/** The result for a file in which nothing is written. */
export const nothingProbed: ProbedFacts = making<void, ProbedFacts>(
  facts.flatMap(({ notFound, probe }) => probe === undefined ? [] : [{ name: probe, of: () => notFound }])
)()

export const nothingHeard: SoundFacts = making<void, SoundFacts>(
  facts.flatMap(({ notFound, sound }) => sound === undefined ? [] : [{ name: sound, of: () => notFound }])
)()

interface Answers {
  readonly probed: ProbedFacts
  readonly sound: SoundFacts
}

const kept = making<Answers, FactValues>(
  facts.map((fact) => ({ name: fact.name, of: ({ probed, sound }) => fact.ofTools(probed, sound) }))
)

/** The stored facts, from the tools' results, which are null where they could not read the file. A measured value wins over a written one. */
export const stored = (probed: ProbedFacts | null, sound: SoundFacts | null): FactValues =>
  kept({ probed: probed ?? nothingProbed, sound: sound ?? nothingHeard })
