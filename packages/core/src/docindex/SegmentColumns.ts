/** Shared by making a segment from docs and from other segments: columns, their orders and extents. */
import type { FileId } from "../shared/Ids.ts"
import type { Dictionary } from "./Dictionary.ts"
import type { Extent, Extents, Folders, Ids, Pair, Parts } from "./Segment.ts"

/** A segment in memory that is to be kept. */
export interface NewSegment {
  readonly docCount: number
  readonly extents: Extents
  readonly parts: Parts
}

/** The columns of the docs that a segment is made of, in their order. */
export interface Columns {
  readonly ids: Ids
  readonly types: Uint8Array
  readonly keys: Uint8Array
  readonly sizes: Float64Array
  readonly taken: Float64Array
  readonly duration: Float64Array
  readonly tempo: Float64Array
  readonly latitude: Float64Array
  readonly longitude: Float64Array
}

export const columns = (count: number): Columns => ({
  ids: { times: new Float64Array(count), bytes: new Uint8Array(count * 16) },
  types: new Uint8Array(count),
  keys: new Uint8Array(count),
  sizes: new Float64Array(count),
  taken: new Float64Array(count),
  duration: new Float64Array(count),
  tempo: new Float64Array(count),
  latitude: new Float64Array(count),
  longitude: new Float64Array(count)
})

/** The bit of a type's byte that says public. */
export const publicBit = 128

export const writeId = (bytes: Uint8Array, doc: number, id: FileId): void => {
  let at = doc * 16
  for (let digit = 0; digit < id.length; digit += 2) {
    if (id[digit] === "-") digit++
    bytes[at++] = Number.parseInt(id.slice(digit, digit + 2), 16)
  }
}

export const readId = (bytes: Uint8Array, doc: number): FileId => {
  let id = ""
  for (let at = 0; at < 16; at++) {
    if (at === 4 || at === 6 || at === 8 || at === 10) id += "-"
    id += hex[bytes[doc * 16 + at]!]!
  }
  return id as FileId
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

export const compareIdBytes = (one: Uint8Array, doc: number, other: Uint8Array, otherDoc: number): number => {
  for (let at = 0; at < 16; at++) {
    const difference = one[doc * 16 + at]! - other[otherDoc * 16 + at]!
    if (difference !== 0) return difference
  }
  return 0
}

/** Each doc's rank in an order. */
export const ranksOf = (order: Uint16Array): Uint16Array => {
  const ranks = new Uint16Array(order.length)
  for (let rank = 0; rank < order.length; rank++) ranks[order[rank]!] = rank
  return ranks
}

const extent = (values: Float64Array): Extent => {
  let lowest = Infinity
  let highest = -Infinity
  for (const value of values) {
    if (value < lowest) lowest = value
    if (value > highest) highest = value
  }
  return lowest > highest ? null : [lowest, highest]
}

const bits = (values: Uint8Array, bit: (value: number) => number): number =>
  values.reduce((sum, value) => sum | bit(value), 0) >>> 0

const pair = (first: Float64Array, second: Float64Array): Pair =>
  extent(first) === null && extent(second) === null
    ? { first: new Float64Array(0), second: new Float64Array(0) }
    : { first, second }

/** The segment of these columns; its lexemes, names, orders and folders were made apart. */
export const segment = (
  { duration, ids, keys, latitude, longitude, sizes, taken, tempo, types }: Columns,
  { folders, names, nameOrder, sizeOrder, terms }: {
    readonly terms: Parts["terms"]
    readonly names: Dictionary
    readonly nameOrder: Uint16Array
    readonly sizeOrder: Uint16Array
    readonly folders: Folders
  }
): NewSegment => ({
  docCount: types.length,
  extents: {
    time: extent(ids.times)!,
    size: extent(sizes)!,
    taken: extent(taken),
    duration: extent(duration),
    tempo: extent(tempo),
    latitude: extent(latitude),
    longitude: extent(longitude),
    types: bits(types, (type) => 1 << (type & ~publicBit)),
    keys: bits(keys, (key) => key === 0 ? 0 : 1 << (key - 1))
  },
  parts: {
    ids,
    facts: { types, keys },
    terms,
    sizes: { values: sizes, order: sizeOrder, ranks: ranksOf(sizeOrder) },
    names: { ...names, order: nameOrder, ranks: ranksOf(nameOrder) },
    taken: extent(taken) === null ? new Float64Array(0) : taken,
    sound: pair(duration, tempo),
    place: pair(latitude, longitude),
    dead: new Uint32Array(Math.ceil(types.length / 32)),
    folders
  }
})

/** Texts in their order as bytes. */
export class DictionaryWriter {
  #bytes: Uint8Array
  #length = 0
  readonly #offsets: Uint32Array
  #count = 0

  constructor(maxCount: number) {
    this.#bytes = new Uint8Array(maxCount * 16)
    this.#offsets = new Uint32Array(maxCount + 1)
  }

  add(text: Uint8Array): void {
    if (this.#length + text.length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + text.length))
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes.set(text, this.#length)
    this.#length += text.length
    this.#offsets[++this.#count] = this.#length
  }

  get whole(): Dictionary {
    return { bytes: this.#bytes.slice(0, this.#length), offsets: this.#offsets.slice(0, this.#count + 1) }
  }
}
