/**
 * A segment: up to 65,536 docs of one account in the order of their times, written once and then only read. It is kept in
 * parts, each a run of bytes that is used as stored, without parsing: a search loads the parts it needs.
 *
 * Numbers are in the byte order of the machine, which is the same on every platform that Node supports.
 */
import type { Bitmap } from "./Bitmap.ts"
import type { Dictionary } from "./Dictionary.ts"

/** So that the number of a doc fits two bytes. */
export const docsMaxCount = 65_536

/** Parts that stay as they were written. */
export const fixedParts = ["ids", "facts", "terms", "sizes", "names", "taken", "sound", "place"] as const
export type FixedPart = typeof fixedParts[number]

/** Parts that are written anew when files leave, or change folders many at a time. */
export const changingParts = ["dead", "folders"] as const
export type ChangingPart = typeof changingParts[number]

export type Part = FixedPart | ChangingPart

/** Lowest and highest; null when no doc has the fact. */
export type Extent = readonly [lowest: number, highest: number] | null

/** What is known of a segment without its parts: enough to skip it. */
export interface Extents {
  readonly time: readonly [number, number]
  readonly size: readonly [number, number]
  readonly taken: Extent
  readonly duration: Extent
  readonly tempo: Extent
  readonly latitude: Extent
  readonly longitude: Extent
  /** A bit for each type that a doc has, by its number. */
  readonly types: number
  /** The same for keys. */
  readonly keys: number
}

/** A segment as it is known before any part of it is read. */
export interface SegmentHeader {
  readonly accountNo: number
  readonly no: number
  readonly docCount: number
  readonly deadCount: number
  readonly deadVersion: number
  readonly foldersVersion: number
  readonly extents: Extents
}

export interface Ids {
  readonly times: Float64Array
  /** 16 bytes each. */
  readonly bytes: Uint8Array
}

export interface Facts {
  /** Type, and 128 for a public file. */
  readonly types: Uint8Array
  /** Key and one more; 0 when none is known. */
  readonly keys: Uint8Array
}

/** For each lexeme the docs that have it, ascending: `docs` from `starts[lexeme]` up to `starts[lexeme + 1]`. */
export interface Terms extends Dictionary {
  readonly starts: Uint32Array
  readonly docs: Uint16Array
}

/** Docs in the order of a column, and each doc's rank in it. */
export interface Sorted {
  readonly order: Uint16Array
  readonly ranks: Uint16Array
}

export interface Sizes extends Sorted {
  readonly values: Float64Array
}

/** The names' sort keys, by doc. */
export interface NameColumn extends Sorted, Dictionary {}

/** NaN where a doc has none. */
export interface Pair {
  readonly first: Float64Array
  readonly second: Float64Array
}

export interface Folders {
  /** Numbers of the folders that docs are in, ascending; -1 is the top of the drive. */
  readonly nos: Float64Array
  /** By doc, the ordinal of its folder in `nos`. */
  readonly ordinals: Uint16Array
  /** The docs of each, ascending: `docs` from `starts[ordinal]` up to `starts[ordinal + 1]`. */
  readonly starts: Uint32Array
  readonly docs: Uint16Array
}

export interface Parts {
  readonly ids: Ids
  readonly facts: Facts
  readonly terms: Terms
  readonly sizes: Sizes
  readonly names: NameColumn
  readonly taken: Float64Array
  /** Duration and tempo. */
  readonly sound: Pair
  /** Coordinates: latitude and longitude. */
  readonly place: Pair
  readonly dead: Bitmap
  readonly folders: Folders
}

/** Any typed array, as a section of a part. */
type Section = Float64Array | Uint32Array | Uint16Array | Uint8Array

/** Sections one behind the other, those of longer numbers first. */
const joined = (...sections: ReadonlyArray<Section>): Uint8Array => {
  const bytes = new Uint8Array(sections.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const { buffer, byteLength, byteOffset } of sections) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at)
    at += byteLength
  }
  return bytes
}

/** Hands out the sections of a part in the order they were joined. */
class Reader {
  readonly #buffer: ArrayBuffer
  #at = 0

  constructor(bytes: Uint8Array) {
    // A copy of its own, whose first byte is where numbers of eight bytes may begin.
    this.#buffer = new Uint8Array(bytes).buffer
  }

  doubles(count: number) {
    return new Float64Array(this.#buffer, this.#take(count * 8), count)
  }
  words(count: number) {
    return new Uint32Array(this.#buffer, this.#take(count * 4), count)
  }
  shorts(count: number) {
    return new Uint16Array(this.#buffer, this.#take(count * 2), count)
  }
  bytes(count: number) {
    return new Uint8Array(this.#buffer, this.#take(count), count)
  }

  #take(length: number): number {
    const at = this.#at
    this.#at += length
    return at
  }
}

/** How each part is written. */
export const write: { readonly [P in Part]: (part: Parts[P]) => Uint8Array } = {
  ids: ({ bytes, times }) => joined(times, bytes),
  facts: ({ keys, types }) => joined(types, keys),
  terms: ({ bytes, docs, offsets, starts }) =>
    joined(new Uint32Array([offsets.length, docs.length, bytes.length]), offsets, starts, docs, bytes),
  sizes: ({ order, ranks, values }) => joined(values, order, ranks),
  names: ({ bytes, offsets, order, ranks }) => joined(offsets, order, ranks, bytes),
  taken: (values) => joined(values),
  sound: ({ first, second }) => joined(first, second),
  place: ({ first, second }) => joined(first, second),
  dead: (bitmap) => joined(bitmap),
  folders: ({ docs, nos, ordinals, starts }) => joined(new Float64Array([nos.length]), nos, starts, ordinals, docs)
}

/** How each part is read. A part is empty when no doc has a value in it (`taken`, `sound` and `place`). */
export const read: { readonly [P in Part]: (bytes: Uint8Array, docCount: number) => Parts[P] } = {
  ids: (bytes, count) => {
    const reader = new Reader(bytes)
    return { times: reader.doubles(count), bytes: reader.bytes(count * 16) }
  },
  facts: (bytes, count) => {
    const reader = new Reader(bytes)
    return { types: reader.bytes(count), keys: reader.bytes(count) }
  },
  terms: (bytes) => {
    const reader = new Reader(bytes)
    const [lexemes = 1, docs = 0, length = 0] = reader.words(3)
    return {
      offsets: reader.words(lexemes),
      starts: reader.words(lexemes),
      docs: reader.shorts(docs),
      bytes: reader.bytes(length)
    }
  },
  sizes: (bytes, count) => {
    const reader = new Reader(bytes)
    return { values: reader.doubles(count), order: reader.shorts(count), ranks: reader.shorts(count) }
  },
  names: (bytes, count) => {
    const reader = new Reader(bytes)
    const offsets = reader.words(count + 1)
    return {
      offsets,
      order: reader.shorts(count),
      ranks: reader.shorts(count),
      bytes: reader.bytes(offsets[count] ?? 0)
    }
  },
  taken: (bytes, count) => new Reader(bytes).doubles(bytes.length === 0 ? 0 : count),
  sound: (bytes, count) => pair(bytes, count),
  place: (bytes, count) => pair(bytes, count),
  dead: (bytes) => new Reader(bytes).words(bytes.length / 4),
  folders: (bytes, count) => {
    const reader = new Reader(bytes)
    const [length = 0] = reader.doubles(1)
    return {
      nos: reader.doubles(length),
      starts: reader.words(length + 1),
      ordinals: reader.shorts(count),
      docs: reader.shorts(count)
    }
  }
}

const pair = (bytes: Uint8Array, docCount: number): Pair => {
  const reader = new Reader(bytes)
  const count = bytes.length === 0 ? 0 : docCount
  return { first: reader.doubles(count), second: reader.doubles(count) }
}
