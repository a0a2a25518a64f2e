/** Docs that match, in the order that is asked for, of one segment or of loose docs; and several such runs as one. */
import type { FileId } from "../shared/Ids.ts"
import * as Bitmap from "./Bitmap.ts"
import type { Condition } from "./Condition.ts"
import { compareAt, compareTexts, type Dictionary, encode, firstThat, textAt } from "./Dictionary.ts"
import { compareIds, type Doc } from "./Doc.ts"
import { type LoadedSegment, matching } from "./Matching.ts"
import { DictionaryWriter, readId } from "./SegmentColumns.ts"

export interface Order {
  readonly column: "time" | "size" | "name"
  readonly isDescending: boolean
}

/** A position in an order: right after the doc with this id and this value in the column. */
export interface Position {
  readonly key: string
  readonly id: FileId
}

/** Docs by number, with what they are ordered by. */
interface Table {
  readonly idAt: (doc: number) => FileId
  /** Times or sizes; by name, the names. */
  readonly numbers: ArrayLike<number>
  readonly names: Dictionary | null
}

/** The docs of a table that match, one after the other. */
export interface Run {
  readonly table: Table
  /** The next doc; -1 after the last. */
  readonly next: () => number
  /** All of them, instead of {@link next}. */
  readonly all: () => List
}

/** Docs in order, by ordinal. */
interface List {
  readonly length: number
  readonly at: (ordinal: number) => number
}

const compare = (a: Table, doc: number, b: Table, other: number): number =>
  (a.names === null || b.names === null
    ? a.numbers[doc]! - b.numbers[other]!
    : compareTexts(a.names, doc, b.names, other)) || compareIds(a.idAt(doc), b.idAt(other))

const compareTo = (table: Table, doc: number, { bytes, id, number }: ParsedPosition): number =>
  (table.names === null ? table.numbers[doc]! - number : compareAt(table.names, doc, bytes))
  || compareIds(table.idAt(doc), id)

interface ParsedPosition {
  readonly number: number
  readonly bytes: Uint8Array
  readonly id: FileId
}

const parsed = ({ id, key }: Position): ParsedPosition => ({ id, number: Number(key), bytes: encode(key) })

const keyOf = ({ names, numbers }: Table, doc: number): string =>
  names === null ? String(numbers[doc]) : textAt(names, doc)

/** The range of an order of `count` docs that comes after a position. */
const after = (
  count: number,
  position: Position | null,
  isDescending: boolean,
  compareWith: (ordinal: number, position: ParsedPosition) => number
): readonly [start: number, end: number] => {
  if (position === null) return [0, count]
  const at = parsed(position)
  return isDescending
    ? [0, firstThat(0, count, (ordinal) => compareWith(ordinal, at) >= 0)]
    : [firstThat(0, count, (ordinal) => compareWith(ordinal, at) > 0), count]
}

/** Lists of so many docs are put in order; of longer ones some are soon met where the order is gone through. */
const putMaxCount = 1_000

/** `superseded`: docs that were replaced or removed. The parts for the order must be loaded as well. */
export const runOfSegment = (
  segment: LoadedSegment,
  condition: Condition,
  { column, isDescending }: Order,
  position: Position | null,
  superseded: ReadonlySet<number>
): Run => {
  const { deadCount, docCount, parts } = segment
  const ids = parts.ids!
  const sorted = column === "time" ? null : column === "size" ? parts.sizes! : parts.names!
  const table: Table = {
    idAt: (doc) => readId(ids.bytes, doc),
    numbers: column === "time" ? ids.times : column === "size" ? parts.sizes!.values : [],
    names: column === "name" ? parts.names! : null
  }
  const { docs, tests } = matching(segment, condition)
  const dead = parts.dead!
  const passes = (doc: number): boolean => {
    for (const test of tests) if (!test(doc)) return false
    return !Bitmap.has(dead, doc) && !superseded.has(doc)
  }
  const docAt = (ordinal: number): number => sorted === null ? ordinal : sorted.order[ordinal]!
  const [start, end] = after(docCount, position, isDescending, (ordinal, at) => compareTo(table, docAt(ordinal), at))

  // The ordinals to go through: all of them, or those of the list, in ascending order.
  const isPut = docs !== null && (sorted === null || docs.length <= putMaxCount)
  const ordinals = !isPut ? null : sorted === null ? docs : Uint16Array.from(docs, (doc) => sorted.ranks[doc]!).sort()
  const among = docs === null || isPut ? null : Bitmap.of(docCount, docs)
  const first = ordinals === null ? start : firstThat(0, ordinals.length, (at) => ordinals[at]! >= start)
  const last = ordinals === null ? end : firstThat(first, ordinals.length, (at) => ordinals[at]! >= end)
  const step = isDescending ? -1 : 1
  let at = isDescending ? last : first - 1
  const next = () => {
    for (;;) {
      at += step
      if (at < first || at >= last) return -1
      const doc = docAt(ordinals === null ? at : ordinals[at]!)
      if ((among === null || Bitmap.has(among, doc)) && passes(doc)) return doc
    }
  }
  // Then nothing has to be scanned: the doc at each ordinal is known.
  const isEach = among === null && tests.length === 0 && superseded.size === 0 && deadCount === 0
  return {
    table,
    next,
    all: () => {
      if (isEach) {
        const ordinalAt = (ordinal: number) => isDescending ? last - 1 - ordinal : first + ordinal
        return {
          length: last - first,
          at: (ordinal) => docAt(ordinals === null ? ordinalAt(ordinal) : ordinals[ordinalAt(ordinal)]!)
        }
      }
      const found = new Uint16Array(last - first)
      let count = 0
      for (let doc = next(); doc >= 0; doc = next()) found[count++] = doc
      return { length: count, at: (ordinal) => found[ordinal]! }
    }
  }
}

/** The same of docs that match. */
export const runOfDocs = (
  given: ReadonlyArray<Doc>,
  { column, isDescending }: Order,
  position: Position | null
): Run => {
  const names = new DictionaryWriter(given.length)
  if (column === "name") { for (const { nameKey } of given) names.add(encode(nameKey)) }
  const table: Table = {
    idAt: (doc) => given[doc]!.id,
    numbers: column === "name" ? [] : given.map((doc) => doc[column]),
    names: column === "name" ? names.whole : null
  }
  const order = [...given.keys()].sort((a, b) => compare(table, a, table, b))
  const [start, end] = after(
    order.length,
    position,
    isDescending,
    (ordinal, at) => compareTo(table, order[ordinal]!, at)
  )
  const docs = isDescending ? order.slice(start, end).toReversed() : order.slice(start, end)
  return runOfList(table, { length: docs.length, at: (ordinal) => docs[ordinal]! })
}

const runOfList = (table: Table, list: List, start = 0): Run => {
  let at = start
  return { table, next: () => at < list.length ? list.at(at++) : -1, all: () => list }
}

/** Several runs as one. More of them may join on the way, as long as nothing of theirs comes before what was answered. */
export class Merge {
  readonly #isDescending: boolean
  readonly #heads: Array<{ readonly run: Run; doc: number }> = []

  constructor({ isDescending }: Order) {
    this.#isDescending = isDescending
  }

  add(run: Run): void {
    const doc = run.next()
    if (doc >= 0) this.#heads.push({ run, doc })
  }

  get isOver(): boolean {
    return this.#heads.length === 0
  }

  /** What the first of all is ordered by, where that is a number. */
  get firstNumber(): number | undefined {
    const head = this.#first()
    return head?.run.table.numbers[head.doc]
  }

  /** Takes the first of all. */
  next(): Position | undefined {
    const head = this.#first()
    if (head === undefined) return undefined
    const { doc, run: { table } } = head
    this.#advance(head)
    return { key: keyOf(table, doc), id: table.idAt(doc) }
  }

  /** Passes over the first of all. */
  skip(): boolean {
    const head = this.#first()
    if (head === undefined) return false
    this.#advance(head)
    return true
  }

  #first() {
    let [first] = this.#heads
    for (let at = 1; at < this.#heads.length; at++) {
      const head = this.#heads[at]!
      const order = compare(head.run.table, head.doc, first!.run.table, first!.doc)
      if (this.#isDescending ? order > 0 : order < 0) first = head
    }
    return first
  }

  #advance(head: { readonly run: Run; doc: number }): void {
    head.doc = head.run.next()
    if (head.doc < 0) this.#heads.splice(this.#heads.indexOf(head), 1)
  }
}

/** Docs still in question below which they are better gone through one by one. */
const fewEnough = 512

/**
 * The runs from their `count`-th doc on, all taken together, by binary search: as quick deep inside as at the start, but for
 * going through each run once.
 */
export const from = (count: number, runs: ReadonlyArray<Run>, order: Order): Merge => {
  const { isDescending } = order
  const lists = runs.map(({ all, table }) => {
    const docs = all()
    return { table, docs, low: 0, high: docs.length }
  })
  const sum = (of: (list: typeof lists[number]) => number) => lists.reduce((total, list) => total + of(list), 0)
  while (sum(({ high, low }) => high - low) > fewEnough) {
    const longest = lists.reduce((a, b) => b.high - b.low > a.high - a.low ? b : a)
    const middle = (longest.low + longest.high) >>> 1
    const pivot = longest.docs.at(middle)
    const cuts = lists.map((list) =>
      list === longest ? middle + 1 : firstThat(list.low, list.high, (at) => {
        const difference = compare(list.table, list.docs.at(at), longest.table, pivot)
        return isDescending ? difference < 0 : difference > 0
      })
    )
    const isBefore = cuts.reduce((total, cut) => total + cut, 0) <= count
    for (const [at, list] of lists.entries()) {
      if (isBefore) list.low = cuts[at]!
      else list.high = list === longest ? middle : cuts[at]!
    }
  }
  const merge = new Merge(order)
  for (const { docs, low, table } of lists) merge.add(runOfList(table, docs, low))
  for (let left = count - sum(({ low }) => low); left > 0 && merge.skip(); left--);
  return merge
}
