/** A search condition, parsed and resolved: every filter as numbers and words. */
import { numberNames, type SearchNumbers } from "../facts/SearchFacts.ts"
import type { Doc } from "./Doc.ts"
import type { Term, Word } from "./Words.ts"

/** Both ends; the upper one is included only when it says so. */
export interface Range {
  readonly from: number
  readonly to: number
  readonly isToIncluded: boolean
}

export interface Box {
  readonly south: number
  readonly west: number
  readonly north: number
  readonly east: number
}

/** What is found inside files and filtered by a {@link Range}: every number but these. */
type RangeName = Exclude<keyof SearchNumbers, "key" | "latitude" | "longitude">

const rangeNames = numberNames.filter((name) => name !== "key" && name !== "latitude" && name !== "longitude")

/** Null: any. A file passes that passes all. */
export interface Condition extends Readonly<Record<RangeName, Range | null>> {
  readonly terms: ReadonlyArray<Term>
  /** Lexemes that it must have, tags. */
  readonly tags: ReadonlyArray<string>
  /** Its folder is in each of these: folders with all that is inside them, numbers ascending. */
  readonly folders: ReadonlyArray<Float64Array>
  readonly types: ReadonlySet<number> | null
  readonly isPublic: boolean | null
  readonly keys: ReadonlySet<number> | null
  readonly time: Range | null
  readonly size: Range | null
  readonly within: Box | null
}

export const isIn = ({ from, isToIncluded, to }: Range, value: number): boolean =>
  value >= from && (value < to || (isToIncluded && value === to))

/** A box that is wider west than east goes over the antimeridian; 180 east and 180 west are one meridian. */
export const isInside = ({ east, north, south, west }: Box, latitude: number, longitude: number): boolean =>
  latitude >= south && latitude <= north
  && (west > east
    ? longitude >= west || longitude <= east
    : (longitude >= west && longitude <= east) || (east === 180 && longitude === -180)
      || (west === -180 && longitude === 180))

const has = (lexemes: ReadonlyArray<string>, { kind, text }: Word): boolean =>
  kind === "gram" ? lexemes.includes(text) : lexemes.some((lexeme) => lexeme.startsWith(text))

const within = (range: Range | null, value: number | null): boolean =>
  range === null || (value !== null && isIn(range, value))

/** Whether a single doc passes. */
export const matches = (condition: Condition, doc: Doc): boolean =>
  (condition.types === null || condition.types.has(doc.type))
  && (condition.isPublic === null || condition.isPublic === doc.isPublic)
  && within(condition.time, doc.time)
  && within(condition.size, doc.size)
  && rangeNames.every((name) => within(condition[name], doc[name]))
  && (condition.keys === null || (doc.key !== null && condition.keys.has(doc.key)))
  && (condition.within === null
    || (doc.latitude !== null && doc.longitude !== null && isInside(condition.within, doc.latitude, doc.longitude)))
  && condition.folders.every((folders) => doc.folderNo !== null && folders.includes(doc.folderNo))
  && condition.tags.every((tag) => doc.lexemes.includes(tag))
  && condition.terms.every((term) => term.some((way) => way.every((word) => has(doc.lexemes, word))))
