/** Makes a segment of docs. */
import { encode } from "./Dictionary.ts"
import { compareText, compareTime, type Doc, keyLexeme } from "./Doc.ts"
import type { Folders, Terms } from "./Segment.ts"
import {
  columns,
  compareIdBytes,
  DictionaryWriter,
  type NewSegment,
  publicBit,
  segment,
  writeId
} from "./SegmentColumns.ts"

/** Docs and lexemes that are prepared before other work of this process runs. */
const turnSize = 50

/** Of at least one doc, and at most as many as a segment takes; in any order. Yields now and then, so that other work can run. */
export function* segmentOfDocs(given: ReadonlyArray<Doc>): Generator<void, NewSegment> {
  const docs = [...given].sort(compareTime)
  const all = columns(docs.length)
  const names = new DictionaryWriter(docs.length)
  const lists = new Map<string, Array<number>>()
  for (const [at, doc] of docs.entries()) {
    all.ids.times[at] = doc.time
    writeId(all.ids.bytes, at, doc.id)
    all.types[at] = doc.type | (doc.isPublic ? publicBit : 0)
    all.keys[at] = doc.key === null ? 0 : doc.key + 1
    all.sizes[at] = doc.size
    all.taken[at] = doc.taken ?? Number.NaN
    all.duration[at] = doc.duration ?? Number.NaN
    all.tempo[at] = doc.tempo ?? Number.NaN
    all.latitude[at] = doc.latitude ?? Number.NaN
    all.longitude[at] = doc.longitude ?? Number.NaN
    names.add(encode(doc.nameKey))
    for (const lexeme of doc.key === null ? doc.lexemes : [...doc.lexemes, keyLexeme(doc.key)]) {
      const list = lists.get(lexeme)
      if (list === undefined) lists.set(lexeme, [at])
      else list.push(at)
    }
    if (at % turnSize === 0) yield
  }
  const byIds = (a: number, b: number) => compareIdBytes(all.ids.bytes, a, all.ids.bytes, b)
  const order = (compare: (a: number, b: number) => number) =>
    Uint16Array.from(docs.keys()).sort((a, b) => compare(a, b) || byIds(a, b))
  const sizeOrder = order((a, b) => docs[a]!.size - docs[b]!.size)
  yield
  const nameOrder = order((a, b) => compareText(docs[a]!.nameKey, docs[b]!.nameKey))
  yield
  const terms = yield* termsOf(lists)
  return segment(all, { terms, names: names.whole, nameOrder, sizeOrder, folders: foldersOf(docs) })
}

function* termsOf(lists: ReadonlyMap<string, ReadonlyArray<number>>): Generator<void, Terms> {
  const lexemes = [...lists.keys()].sort(compareText)
  const dictionary = new DictionaryWriter(lexemes.length)
  const starts = new Uint32Array(lexemes.length + 1)
  let total = 0
  for (const list of lists.values()) total += list.length
  const docs = new Uint16Array(total)
  for (const [at, lexeme] of lexemes.entries()) {
    const list = lists.get(lexeme)!
    dictionary.add(encode(lexeme))
    docs.set(list, starts[at])
    starts[at + 1] = starts[at]! + list.length
    if (at % turnSize === 0) yield
  }
  return { ...dictionary.whole, starts, docs }
}

/** The top of the drive among numbers of folders. */
const top = -1

const foldersOf = (docs: ReadonlyArray<Doc>): Folders => foldersBy(docs.map(({ folderNo }) => folderNo ?? top))

/** Folders' numbers, each once, and the ordinal of each. */
class NumberedFolders {
  readonly nos: Array<number>
  readonly #ordinalOf: Map<number, number>

  constructor(nos: Iterable<number>) {
    this.nos = [...nos]
    this.#ordinalOf = new Map(this.nos.map((no, ordinal) => [no, ordinal]))
  }

  ordinalOf(no: number): number {
    const known = this.#ordinalOf.get(no)
    if (known !== undefined) return known
    this.#ordinalOf.set(no, this.nos.length)
    return this.nos.push(no) - 1
  }
}

/** The part for docs whose folders' ordinals in `given` are `ordinals`; folders without docs are left out. */
const arranged = (given: ReadonlyArray<number>, ordinals: Uint32Array): Folders => {
  const counts = new Uint32Array(given.length)
  for (let doc = 0; doc < ordinals.length; doc++) counts[ordinals[doc]!]!++
  const order = [...given.keys()].filter((ordinal) => counts[ordinal]! > 0).sort((one, other) =>
    given[one]! - given[other]!
  )
  // Docs by folder: counted, then each put behind those of its folder before it.
  const starts = new Uint32Array(order.length + 1)
  const ranks = new Uint32Array(given.length)
  for (let rank = 0; rank < order.length; rank++) {
    ranks[order[rank]!] = rank
    starts[rank + 1] = starts[rank]! + counts[order[rank]!]!
  }
  const next = starts.slice()
  const [ranked, docs] = [new Uint16Array(ordinals.length), new Uint16Array(ordinals.length)]
  for (let doc = 0; doc < ordinals.length; doc++) {
    const rank = ranks[ordinals[doc]!]!
    ranked[doc] = rank
    docs[next[rank]!++] = doc
  }
  return { nos: Float64Array.from(order, (ordinal) => given[ordinal]!), starts, ordinals: ranked, docs }
}

/** The part of docs that are in these folders, -1 for none. */
export const foldersBy = (folderNos: ReadonlyArray<number>): Folders => {
  const folders = new NumberedFolders([])
  const ordinals = new Uint32Array(folderNos.length)
  for (let doc = 0; doc < folderNos.length; doc++) ordinals[doc] = folders.ordinalOf(folderNos[doc]!)
  return arranged(folders.nos, ordinals)
}

/** The part after some docs have changed folders. It runs while others wait for the account's lock. */
export const withFoldersMoved = ({ nos, ordinals }: Folders, folderNos: ReadonlyMap<number, number>): Folders => {
  const folders = new NumberedFolders(nos)
  const now = new Uint32Array(ordinals)
  for (const [doc, no] of folderNos) now[doc] = folders.ordinalOf(no)
  return arranged(folders.nos, now)
}
