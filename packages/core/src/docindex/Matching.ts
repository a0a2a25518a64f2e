/** Which docs of a segment pass a condition: by its lexemes' lists as far as they go, the rest by looking at columns. */
import * as Bitmap from "./Bitmap.ts"
import { type Condition, isInside, type Range } from "./Condition.ts"
import { encode, find, findBeginning, firstThat } from "./Dictionary.ts"
import { keyLexeme } from "./Doc.ts"
import type { Extent, Extents, Part, Parts, Terms } from "./Segment.ts"
import { publicBit } from "./SegmentColumns.ts"
import type { Term, Word } from "./Words.ts"

/** A segment as far as it is loaded. */
export interface LoadedSegment {
  readonly docCount: number
  readonly deadCount: number
  readonly extents: Extents
  readonly parts: Partial<Parts>
}

/** The parts that must be loaded to ask this. */
export const partsFor = (condition: Condition): ReadonlyArray<Part> => [
  "ids",
  "dead",
  ...(condition.terms.length > 0 || condition.tags.length > 0 || condition.keys !== null ? ["terms" as const] : []),
  ...(condition.types !== null || condition.isPublic !== null ? ["facts" as const] : []),
  ...(condition.folders.length > 0 ? ["folders" as const] : []),
  ...(condition.size !== null ? ["sizes" as const] : []),
  ...(condition.taken !== null ? ["taken" as const] : []),
  ...(condition.duration !== null || condition.tempo !== null ? ["sound" as const] : []),
  ...(condition.within !== null ? ["place" as const] : [])
]

const overlaps = (extent: Extent, range: Range | null): boolean =>
  range === null || (extent !== null && extent[1] >= range.from && extent[0] <= range.to)

/** Whether any doc of a segment might pass, as far as its extents tell. */
export const mightMatch = (condition: Condition, extents: Extents): boolean => {
  const anyBit = (bits: number, wanted: ReadonlySet<number> | null) =>
    wanted === null || [...wanted].some((bit) => (bits & (1 << bit)) !== 0)
  const { within } = condition
  return overlaps(extents.time, condition.time) && overlaps(extents.size, condition.size)
    && overlaps(extents.taken, condition.taken) && overlaps(extents.duration, condition.duration)
    && overlaps(extents.tempo, condition.tempo) && anyBit(extents.types, condition.types)
    && anyBit(extents.keys, condition.keys)
    && (within === null || overlaps(extents.latitude, { from: within.south, to: within.north, isToIncluded: true }))
}

export interface Matching {
  /** The only docs that can pass, ascending; null: any. */
  readonly docs: Uint16Array | null
  /** What such a doc must pass besides. */
  readonly tests: ReadonlyArray<(doc: number) => boolean>
}

const none: Matching = { docs: new Uint16Array(0), tests: [] }

export const matching = ({ docCount, parts }: LoadedSegment, condition: Condition): Matching => {
  const lists: Array<Uint16Array> = []
  const tests = columnTests(parts, condition)
  if (tests === null) return none
  for (const among of condition.folders) {
    const { docs, nos, ordinals, starts } = parts.folders!
    const { count, isWanted } = placesAmong(nos, starts, among)
    if (count === 0) return none
    if (count < docCount / fewOfAll) {
      const those: Array<Uint16Array> = []
      for (let ordinal = 0; ordinal < isWanted.length; ordinal++) {
        if (isWanted[ordinal] === 1) those.push(docs.subarray(starts[ordinal], starts[ordinal + 1]))
      }
      lists.push(anyOf(those, docCount))
    } else tests.push((doc) => isWanted[ordinals[doc]!] === 1)
  }
  for (const tag of condition.tags) lists.push(listAt(parts.terms!, find(parts.terms!, encode(tag))))
  for (const term of condition.terms) lists.push(listOfTerm(parts.terms!, term, docCount))
  if (condition.keys !== null) {
    lists.push(anyOf(
      [...condition.keys].map((key) => listAt(parts.terms!, find(parts.terms!, encode(keyLexeme(key))))),
      docCount
    ))
  }
  lists.sort((a, b) => a.length - b.length)
  let docs = lists.length === 0 ? null : lists.reduce(shared)
  if (condition.time !== null) docs = withinTime(parts.ids!.times, condition.time, docs)
  return { docs, tests }
}

/** Which of a segment's folders are among these, and how many docs are in them. Both lists are sorted, so one pass is enough. */
const placesAmong = (nos: Float64Array, starts: Uint32Array, among: Float64Array) => {
  const isWanted = new Uint8Array(nos.length)
  let count = 0
  let at = 0
  for (let ordinal = 0; ordinal < nos.length; ordinal++) {
    while (at < among.length && among[at]! < nos[ordinal]!) at++
    if (among[at] !== nos[ordinal]) continue
    isWanted[ordinal] = 1
    count += starts[ordinal + 1]! - starts[ordinal]!
  }
  return { count, isWanted }
}

/** What is in so small a part of a segment is listed; of more, each doc is looked at. */
const fewOfAll = 4

const anyOf = (lists: ReadonlyArray<Uint16Array>, docCount: number): Uint16Array => {
  if (lists.length < 2) return lists[0] ?? new Uint16Array(0)
  const any = Bitmap.empty(docCount)
  for (const list of lists) Bitmap.addAll(any, list)
  return Bitmap.toList(any)
}

const listAt = ({ docs, starts }: Terms, at: number): Uint16Array =>
  at < 0 ? new Uint16Array(0) : docs.subarray(starts[at], starts[at + 1])

const listOfWord = (terms: Terms, { kind, text }: Word, docCount: number): Uint16Array => {
  const bytes = encode(text)
  if (kind === "gram") return listAt(terms, find(terms, bytes))
  const [start, end] = findBeginning(terms, bytes)
  if (end - start < 2) return listAt(terms, start < end ? start : -1)
  // Lists of words that follow each other lie behind each other.
  return Bitmap.toList(Bitmap.of(docCount, terms.docs.subarray(terms.starts[start], terms.starts[end])))
}

const listOfTerm = (terms: Terms, term: Term, docCount: number): Uint16Array => {
  const ways = term.map((way) =>
    way.map((word) => listOfWord(terms, word, docCount)).sort((a, b) => a.length - b.length).reduce(shared)
  )
  return anyOf(ways, docCount)
}

/** A list that is so many times longer is binary-searched for each of the other's docs instead of being scanned. */
const farLonger = 16

/** What two lists share; the first is the shorter one. */
const shared = (few: Uint16Array, many: Uint16Array): Uint16Array =>
  few.length * farLonger < many.length ? soughtIn(few, many) : passedThrough(few, many)

const soughtIn = (few: Uint16Array, many: Uint16Array): Uint16Array => {
  const found = new Uint16Array(few.length)
  let count = 0
  let at = 0
  for (let index = 0; index < few.length; index++) {
    const doc = few[index]!
    at = firstThat(at, many.length, (index) => many[index]! >= doc)
    if (many[at] === doc) found[count++] = doc
  }
  return found.subarray(0, count)
}

const passedThrough = (few: Uint16Array, many: Uint16Array): Uint16Array => {
  const found = new Uint16Array(few.length)
  let count = 0
  let at = 0
  let index = 0
  while (index < few.length && at < many.length) {
    const [one, other] = [few[index]!, many[at]!]
    if (one === other) found[count++] = one
    if (one <= other) index++
    if (other <= one) at++
  }
  return found.subarray(0, count)
}

/** Docs stand in the order of their times. */
const withinTime = (times: Float64Array, { from, isToIncluded, to }: Range, docs: Uint16Array | null): Uint16Array => {
  const start = firstThat(0, times.length, (doc) => times[doc]! >= from)
  const end = firstThat(start, times.length, (doc) => isToIncluded ? times[doc]! > to : times[doc]! >= to)
  if (docs === null) {
    const all = new Uint16Array(end - start)
    for (let at = 0; at < all.length; at++) all[at] = start + at
    return all
  }
  const list = docs
  const first = firstThat(0, list.length, (at) => list[at]! >= start)
  return list.subarray(first, firstThat(first, list.length, (at) => list[at]! >= end))
}

/** Null when no doc can pass. */
const columnTests = (
  parts: Partial<Parts>,
  condition: Condition
): Array<(doc: number) => boolean> | null => {
  const tests: Array<(doc: number) => boolean> = []
  const add = (isEmpty: boolean, test: (doc: number) => boolean): boolean => {
    tests.push(test)
    return !isEmpty
  }
  const inRange = (values: Float64Array, range: Range | null): boolean => {
    if (range === null) return true
    const { from, isToIncluded, to } = range
    // What is not known is NaN, and passes nothing.
    return add(
      values.length === 0,
      isToIncluded
        ? (doc) => values[doc]! >= from && values[doc]! <= to
        : (doc) => values[doc]! >= from && values[doc]! < to
    )
  }
  const { isPublic, types, within } = condition
  if (types !== null || isPublic !== null) {
    const column = parts.facts!.types
    // By the whole byte: 256 answers instead of a question for each doc.
    const passes = Uint8Array.from({ length: 256 }, (_, byte) =>
      (types === null || types.has(byte & ~publicBit))
        && (isPublic === null || isPublic === ((byte & publicBit) !== 0)) ?
        1 :
        0)
    tests.push((doc) => passes[column[doc]!] === 1)
  }
  if (!inRange(parts.taken ?? emptyColumn, condition.taken)) return null
  if (condition.size !== null && !inRange(parts.sizes!.values, condition.size)) return null
  if (!inRange(parts.sound?.first ?? emptyColumn, condition.duration)) return null
  if (!inRange(parts.sound?.second ?? emptyColumn, condition.tempo)) return null
  if (within !== null) {
    const { first, second } = parts.place!
    if (first.length === 0) return null
    tests.push((doc) => isInside(within, first[doc]!, second[doc]!))
  }
  return tests
}

const emptyColumn = new Float64Array(0)
