/** Makes one segment of several, without the docs that are dead in them. */
import { add, type Bitmap, has } from "./Bitmap.ts"
import { compareTexts, type Dictionary, lengthOf } from "./Dictionary.ts"
import { Heap } from "./Heap.ts"
import type { Folders, Parts, Terms } from "./Segment.ts"
import { columns, compareIdBytes, DictionaryWriter, type NewSegment, segment } from "./SegmentColumns.ts"
import { foldersBy } from "./SegmentOfDocs.ts"

/** Docs and lexemes that are gone through before others of this process continue: each statement of theirs may wait for so many. */
const turnSize = 100

export interface Source {
  readonly docCount: number
  readonly parts: Parts
}

export interface Merged {
  /** Null when all docs were dead. */
  readonly made: NewSegment | null
  /** For each source, the new number of each of its docs; {@link nowhere} for those that were dead. */
  readonly ordinals: ReadonlyArray<Uint32Array>
}

export const nowhere = 0xffff_ffff

/** A position in one of the sources' orders. */
interface Head {
  readonly source: number
  at: number
}

/** Goes through all sources' docs in one order, each source's own given by `docs`; dead ones are passed over. */
function* inOrder(
  sources: ReadonlyArray<Source>,
  docOf: (source: number, at: number) => number,
  compare: (source: number, doc: number, otherSource: number, otherDoc: number) => number
): Generator<readonly [source: number, doc: number]> {
  const skip = (head: Head): boolean => {
    const { docCount, parts } = sources[head.source]!
    while (head.at < docCount && has(parts.dead, docOf(head.source, head.at))) head.at++
    return head.at < docCount
  }
  const heads = new Heap<Head>((one, other) =>
    compare(one.source, docOf(one.source, one.at), other.source, docOf(other.source, other.at)) < 0
  )
  for (const head of sources.map((_, source): Head => ({ source, at: 0 }))) if (skip(head)) heads.add(head)
  for (let head = heads.first; head !== undefined; head = heads.first) {
    yield [head.source, docOf(head.source, head.at)]
    head.at++
    if (skip(head)) heads.sink()
    else heads.take()
  }
}

/** The sources together have at most as many live docs as a segment takes. Yields now and then, so that other work can run. */
export function* segmentOfSegments(sources: ReadonlyArray<Source>): Generator<void, Merged> {
  const partsOf = (source: number) => sources[source]!.parts
  const ordinals = sources.map(({ docCount }) => new Uint32Array(docCount).fill(nowhere))
  const byIds = (source: number, doc: number, other: number, otherDoc: number) =>
    compareIdBytes(partsOf(source).ids.bytes, doc, partsOf(other).ids.bytes, otherDoc)
  const byTime = (source: number, doc: number, other: number, otherDoc: number) =>
    partsOf(source).ids.times[doc]! - partsOf(other).ids.times[otherDoc]! || byIds(source, doc, other, otherDoc)

  const from: Array<readonly [source: number, doc: number]> = []
  for (const one of inOrder(sources, (_, at) => at, byTime)) {
    ordinals[one[0]]![one[1]] = from.length
    if (from.push(one) % turnSize === 0) yield
  }
  if (from.length === 0) return { made: null, ordinals }

  const all = columns(from.length)
  const names = new DictionaryWriter(from.length)
  const folderNos: Array<number> = []
  for (const [at, [source, doc]] of from.entries()) {
    const { facts, folders, ids, names: named, place, sizes, sound, taken } = partsOf(source)
    all.ids.times[at] = ids.times[doc]!
    all.ids.bytes.set(ids.bytes.subarray(doc * 16, doc * 16 + 16), at * 16)
    all.types[at] = facts.types[doc]!
    all.keys[at] = facts.keys[doc]!
    all.sizes[at] = sizes.values[doc]!
    // Of a part that is empty no doc has any.
    all.taken[at] = taken[doc] ?? Number.NaN
    all.duration[at] = sound.first[doc] ?? Number.NaN
    all.tempo[at] = sound.second[doc] ?? Number.NaN
    all.latitude[at] = place.first[doc] ?? Number.NaN
    all.longitude[at] = place.second[doc] ?? Number.NaN
    names.add(named.bytes.subarray(named.offsets[doc], named.offsets[doc + 1]))
    folderNos.push(folders.nos[folders.ordinals[doc]!]!)
    if (at % turnSize === 0) yield
  }

  const sizeOrder = yield* placesInOrder(
    sources,
    ordinals,
    from.length,
    (source, at) => partsOf(source).sizes.order[at]!,
    (source, doc, other, otherDoc) =>
      partsOf(source).sizes.values[doc]! - partsOf(other).sizes.values[otherDoc]!
      || byIds(source, doc, other, otherDoc)
  )
  const nameOrder = yield* placesInOrder(
    sources,
    ordinals,
    from.length,
    (source, at) => partsOf(source).names.order[at]!,
    (source, doc, other, otherDoc) =>
      compareTexts(partsOf(source).names, doc, partsOf(other).names, otherDoc) || byIds(source, doc, other, otherDoc)
  )
  const terms = yield* mergedTerms(sources.map(({ parts }) => parts.terms), ordinals)
  const folders = foldersBy(folderNos)
  return { made: segment(all, { terms, names: names.whole, nameOrder, sizeOrder, folders }), ordinals }
}

function* placesInOrder(
  sources: ReadonlyArray<Source>,
  ordinals: ReadonlyArray<Uint32Array>,
  count: number,
  ...order: [Parameters<typeof inOrder>[1], Parameters<typeof inOrder>[2]]
): Generator<void, Uint16Array> {
  const found = new Uint16Array(count)
  let at = 0
  for (const [source, doc] of inOrder(sources, ...order)) {
    found[at++] = ordinals[source]![doc]!
    if (at % turnSize === 0) yield
  }
  return found
}

const textBytes = ({ bytes, offsets }: Dictionary, at: number) => bytes.subarray(offsets[at], offsets[at + 1])

/** The sources' lexemes in one order, each with the docs of all of them. Those that only dead docs had are left out. */
function* mergedTerms(all: ReadonlyArray<Terms>, ordinals: ReadonlyArray<Uint32Array>): Generator<void, Terms> {
  const most = all.reduce((sum, terms) => sum + lengthOf(terms), 0)
  const dictionary = new DictionaryWriter(most)
  const starts = new Uint32Array(most + 1)
  const docs = new Uint16Array(all.reduce((sum, terms) => sum + terms.docs.length, 0))
  let count = 0
  const heads = new Heap<Head>((one, other) => compareTexts(all[one.source]!, one.at, all[other.source]!, other.at) < 0)
  for (const [source, terms] of all.entries()) if (lengthOf(terms) > 0) heads.add({ source, at: 0 })
  for (let turn = 1; heads.size > 0; turn++) {
    const least = heads.take()!
    const same = [least]
    for (let next = heads.first; next !== undefined; next = heads.first) {
      if (compareTexts(all[next.source]!, next.at, all[least.source]!, least.at) !== 0) break
      same.push(heads.take()!)
    }
    const start = starts[count]!
    let end = start
    for (const { at, source } of same) {
      const terms = all[source]!
      const to = ordinals[source]!
      for (let index = terms.starts[at]!; index < terms.starts[at + 1]!; index++) {
        const ordinal = to[terms.docs[index]!]!
        if (ordinal !== nowhere) docs[end++] = ordinal
      }
    }
    if (same.length > 1) docs.subarray(start, end).sort()
    if (end > start) {
      dictionary.add(textBytes(all[least.source]!, least.at))
      starts[++count] = end
    }
    for (const head of same) if (++head.at < lengthOf(all[head.source]!)) heads.add(head)
    if (turn % turnSize === 0) yield
  }
  return { ...dictionary.whole, starts: starts.slice(0, count + 1), docs: docs.slice(0, starts[count]) }
}

/** The docs that died or changed folders in the sources while these were merged. */
export const carriedOver = (
  sources: ReadonlyArray<Pick<Parts, "dead" | "folders">>,
  { made, ordinals }: { readonly made: NewSegment; readonly ordinals: ReadonlyArray<Uint32Array> }
): { readonly dead: Bitmap; readonly folders: Folders } => {
  const dead: Bitmap = new Uint32Array(made.parts.dead.length)
  const folderNos = Array.from({ length: made.docCount }, () => 0)
  for (const [source, { dead: died, folders }] of sources.entries()) {
    for (const [doc, ordinal] of ordinals[source]!.entries()) {
      if (ordinal === nowhere) continue
      if (has(died, doc)) add(dead, ordinal)
      folderNos[ordinal] = folders.nos[folders.ordinals[doc]!]!
    }
  }
  return { dead, folders: foldersBy(folderNos) }
}
