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

/** Docs and lexemes that are made ready before others of this process go on. */
const turnSize = 50

/** Of at least one doc, and at most as many as a segment takes; in any order. Yields now and then, for others to go on. */
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

/** The part of docs that are in these folders, -1 for none. */
export const foldersBy = (folderNos: ReadonlyArray<number>): Folders => {
  const nos = Float64Array.from(new Set(folderNos)).sort()
  const placeOf = new Map([...nos].map((no, place) => [no, place]))
  const places = Uint16Array.from(folderNos, (no) => placeOf.get(no)!)
  // Docs by folder: counted, then each put behind those of its folder before it.
  const starts = new Uint32Array(nos.length + 1)
  for (const place of places) starts[place + 1]!++
  for (let place = 0; place < nos.length; place++) starts[place + 1]! += starts[place]!
  const next = starts.slice()
  const docs = new Uint16Array(places.length)
  for (const [doc, place] of places.entries()) docs[next[place]!++] = doc
  return { nos, starts, places, docs }
}
