/** Docs in segments, merged and superseded, against the same docs looked at one by one. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { bareDoc } from "../../test/bareDoc.ts"
import { docsOfSegment } from "../../test/docsOfIndex.ts"
import { FileId } from "../shared/Ids.ts"
import * as Bitmap from "./Bitmap.ts"
import { type Condition, matches } from "./Condition.ts"
import { compareIds, compareText, type Doc, tag } from "./Doc.ts"
import { docNumbersIn } from "./IndexState.ts"
import { mightMatch } from "./Matching.ts"
import * as Ranking from "./Ranking.ts"
import { changingParts, fixedParts, type Part, type Parts, read, write } from "./Segment.ts"
import type { NewSegment } from "./SegmentColumns.ts"
import { foldersBy, segmentOfDocs, withFoldersMoved } from "./SegmentOfDocs.ts"
import { carriedOver, segmentOfSegments } from "./SegmentOfSegments.ts"

const run = <A>(work: Generator<void, A>): A => {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Written and read again, as a database hands it out: anywhere in a larger buffer. */
const kept = ({ docCount, extents, parts }: NewSegment) => {
  const again = <P extends Part>(name: P): Parts[P] => {
    const bytes = write[name](parts[name])
    const larger = new Uint8Array(bytes.length + 3)
    larger.set(bytes, 3)
    return read[name](larger.subarray(3), docCount)
  }
  const read_ = Object.fromEntries([...fixedParts, ...changingParts].map((name) => [name, again(name)]))
  return { deadCount: Bitmap.count(parts.dead), docCount, extents, parts: read_ as unknown as Parts }
}

const words = ["be", "bea", "beach", "beta", "sun", "sunset", "straße", "東", "東京", "😀", "\uffee", "20", "2024"]
const small = fc.nat(5)
const maybe = <A>(value: fc.Arbitrary<A>) => fc.option(value, { freq: 2 })
const doc: fc.Arbitrary<Omit<Doc, "id">> = fc.record({
  time: small,
  type: fc.nat(6),
  isPublic: fc.boolean(),
  size: small,
  nameKey: fc.string({ unit: fc.constantFrom("a", "b", "é", "\uffee", "😀", "1"), maxLength: 3 }),
  folderNo: maybe(fc.nat(3)),
  taken: maybe(small),
  duration: maybe(small),
  tempo: maybe(small),
  latitude: maybe(fc.integer({ min: -90, max: 90 })),
  longitude: fc.integer({ min: -180, max: 180 }),
  key: maybe(fc.nat(23)),
  lexemes: fc.uniqueArray(fc.constantFrom(...words, tag("1"), tag("2")), { maxLength: 5 })
}).map((one) => one.latitude === null ? { ...one, longitude: null } : one)

const range = fc.option(
  fc.record({
    from: fc.constantFrom(-Infinity, 0, 2, 4),
    to: fc.constantFrom(1, 3, Infinity),
    isToIncluded: fc.boolean()
  }),
  { freq: 1 }
)
const degrees = (most: number) => fc.integer({ min: -most, max: most })
const condition: fc.Arbitrary<Condition> = fc.record({
  terms: fc.array(
    fc.array(
      fc.array(fc.record({ kind: fc.constantFrom("start", "gram"), text: fc.constantFrom(...words, "b", "zz") }), {
        minLength: 1,
        maxLength: 2
      }),
      { minLength: 1, maxLength: 2 }
    ),
    { maxLength: 2 }
  ),
  tags: fc.subarray([tag("1"), tag("2")]),
  folders: fc.array(fc.uniqueArray(fc.nat(4), { minLength: 1 }).map((nos) => Float64Array.from(nos).sort()), {
    maxLength: 2
  }),
  types: maybe(fc.uniqueArray(fc.nat(6), { minLength: 1 }).map((types) => new Set(types))),
  isPublic: maybe(fc.boolean()),
  keys: maybe(fc.uniqueArray(fc.nat(23), { minLength: 1, maxLength: 20 }).map((keys) => new Set(keys))),
  time: range,
  taken: range,
  size: range,
  duration: range,
  tempo: range,
  within: maybe(fc.record({ south: degrees(90), west: degrees(180), north: degrees(90), east: degrees(180) }))
}).chain((all) =>
  // A few at a time: all of them together hardly ever pass.
  fc.subarray(Object.keys(all) as Array<keyof Condition>, { maxLength: 3 }).map((some): Condition => ({
    ...any,
    ...Object.fromEntries(some.map((name) => [name, all[name]]))
  }))
)
const any: Condition = {
  terms: [],
  tags: [],
  folders: [],
  types: null,
  isPublic: null,
  keys: null,
  time: null,
  taken: null,
  size: null,
  duration: null,
  tempo: null,
  within: null
}
const order: fc.Arbitrary<Ranking.Order> = fc.record({
  column: fc.constantFrom("time", "size", "name"),
  isDescending: fc.boolean()
})

const idOf = (at: number): FileId =>
  FileId.make(`${(at * 7_919 % 65_521).toString(16).padStart(8, "0")}-0000-7000-8000-00000000000a`)

/** Docs with the id of their place, in segments and loose: `parts` says where each is. */
const library = fc.array(fc.tuple(doc, fc.nat(3)), { maxLength: 60 }).map((all) => ({
  docs: all.map(([one], at): Doc => ({ ...one, id: idOf(at) })),
  parts: all.map(([, part]) => part)
}))

const ordered = (docs: ReadonlyArray<Doc>, { column, isDescending }: Ranking.Order) =>
  docs.toSorted((a, b) =>
    (isDescending ? -1 : 1) * (
      (column === "name" ? compareText(a.nameKey, b.nameKey) : a[column] - b[column]) || compareIds(a.id, b.id)
    )
  )

const plain = (docs: ReadonlyArray<Doc>) =>
  docs.map((one) => ({ ...one, lexemes: one.lexemes.toSorted() })).toSorted((a, b) => compareIds(a.id, b.id))

/** Segments of the docs of parts 1 to 3, those of part 0 loose. */
const segmentsOf = ({ docs, parts }: { readonly docs: ReadonlyArray<Doc>; readonly parts: ReadonlyArray<number> }) =>
  [1, 2, 3].map((part) => docs.filter((_, at) => parts[at] === part)).filter((some) => some.length > 0)
    .map((some) => kept(run(segmentOfDocs(some))))

describe("Segments", () => {
  it("SRCH-24 a segment is its docs", () => {
    fc.assert(fc.property(library, ({ docs }) => {
      fc.pre(docs.length > 0)
      const segment = kept(run(segmentOfDocs(docs)))
      assert.deepStrictEqual(plain(docsOfSegment(segment)), plain(docs))
      assert.deepStrictEqual(
        docNumbersIn(segment.parts.ids, [...docs, { id: idOf(999), time: 2 }]).size,
        docs.length
      )
    }))
  })

  it("SRCH-24 docs that change folders are in those as if they had always been there", () => {
    const folderNo = fc.integer({ min: -1, max: 12 })
    const docs = fc.array(folderNo, { minLength: 1, maxLength: 40 })
    fc.assert(fc.property(docs, fc.array(fc.tuple(fc.nat(39), folderNo)), (folderNos, changes) => {
      const moved = new Map(changes.filter(([doc]) => doc < folderNos.length))
      const now = folderNos.map((no, doc) => moved.get(doc) ?? no)
      assert.deepStrictEqual(withFoldersMoved(foldersBy(folderNos), moved), foldersBy(now))
      const { docs, nos, ordinals, starts } = foldersBy(now)
      assert.deepStrictEqual([...nos], [...new Set(now)].sort((one, other) => one - other))
      assert.deepStrictEqual(Array.from(ordinals, (ordinal) => nos[ordinal]), now)
      for (const [ordinal, no] of nos.entries()) {
        const those = [...now.keys()].filter((doc) => now[doc] === no)
        assert.deepStrictEqual([...docs.subarray(starts[ordinal], starts[ordinal + 1])], those)
      }
    }))
  })

  it("SRCH-24 made of several it is the live docs of them, what changed meanwhile included", () => {
    fc.assert(fc.property(library, fc.array(fc.nat(59)), fc.array(fc.nat(59)), (given, before, meanwhile) => {
      const segments = segmentsOf(given)
      fc.pre(segments.length > 0)
      const markDeleted = (which: ReadonlyArray<number>) =>
        segments.map(({ docCount, parts }) => ({
          docCount,
          parts: {
            ...parts,
            dead: Bitmap.of(docCount, [
              ...docNumbersIn(parts.ids, which.flatMap((at) => given.docs[at] ?? [])).values()
            ])
          }
        }))
      const merged = run(segmentOfSegments(markDeleted(before)))
      const now = markDeleted([...before, ...meanwhile]).map(({ docCount, parts }) => ({
        docCount,
        parts: { ...parts, folders: foldersBy(Array.from({ length: docCount }, (_, at) => at % 3)) }
      }))
      const expected = now.flatMap((segment) => docsOfSegment(segment))
      if (merged.made === null) {
        assert.deepStrictEqual(expected, [])
        return
      }
      const changed = carriedOver(now.map(({ parts }) => parts), { made: merged.made, ordinals: merged.ordinals })
      const segment = kept({ ...merged.made, parts: { ...merged.made.parts, ...changed } })
      assert.deepStrictEqual(plain(docsOfSegment(segment)), plain(expected))
      assert.deepStrictEqual(plain(docsOfSegment(kept(merged.made))).length, merged.made.docCount)
    }))
  })

  it("SRCH-25 what passes is found in order, from any position on, one by one and by skipping", () => {
    fc.assert(
      fc.property(
        library,
        condition,
        order,
        fc.array(fc.nat(59)),
        fc.nat(70),
        fc.boolean(),
        (given, condition, order, changed, at, isMerged) => {
          const gone = new Set(changed)
          const expected = ordered(
            given.docs.filter((doc, ordinal) =>
              matches(condition, doc) && !(given.parts[ordinal] !== 0 && gone.has(ordinal))
            ),
            order
          )
          const keyOf = (doc: Doc): Ranking.Position => ({
            id: doc.id,
            key: order.column === "name" ? doc.nameKey : String(doc[order.column])
          })
          const single = segmentsOf(given)
          const segments = isMerged && single.length > 0 ? [kept(run(segmentOfSegments(single)).made!)] : single
          const runs = (position: Ranking.Position | null) => [
            Ranking.runOfDocs(
              given.docs.filter((doc, ordinal) => given.parts[ordinal] === 0 && matches(condition, doc)),
              order,
              position
            ),
            ...segments.filter((segment) => mightMatch(condition, segment.extents)).map((segment) =>
              Ranking.runOfSegment(
                segment,
                condition,
                order,
                position,
                new Set(
                  docNumbersIn(segment.parts.ids, changed.flatMap((ordinal) => given.docs[ordinal] ?? [])).values()
                )
              )
            )
          ]
          const all = (merge: Ranking.Merge) => {
            const found: Array<Ranking.Position> = []
            for (let next = merge.next(); next !== undefined; next = merge.next()) found.push(next)
            return found
          }
          const merge = (position: Ranking.Position | null) => {
            const merge = new Ranking.Merge(order)
            for (const run of runs(position)) merge.add(run)
            return merge
          }
          assert.deepStrictEqual(all(merge(null)), expected.map(keyOf))
          assert.deepStrictEqual(all(Ranking.from(at, runs(null), order)), expected.slice(at).map(keyOf))
          // Behind any doc, one that passes or not.
          const behind = given.docs[at]
          if (behind === undefined) return
          const later = ordered([...expected.filter(({ id }) => id !== behind.id), behind], order)
          assert.deepStrictEqual(
            all(merge(keyOf(behind))),
            later.slice(later.indexOf(behind) + 1).map(keyOf)
          )
        }
      ),
      { numRuns: 1_000 }
    )
  })

  it("SRCH-25 skipping among many docs is the same as going through them", () => {
    fc.assert(
      fc.property(
        order,
        fc.nat(3_000),
        fc.array(fc.nat(2), { minLength: 3_000, maxLength: 3_000 }),
        (order, skip, parts) => {
          const docs = parts.map((part, at): Doc => ({
            ...bareDoc,
            id: idOf(at),
            time: at * 31 % 101,
            size: at * 17 % 97,
            nameKey: `n${at * 13 % 89}`,
            type: part
          }))
          const segments = [0, 1, 2].map((part) => kept(run(segmentOfDocs(docs.filter(({ type }) => type === part)))))
          const runs = segments.map((segment) => Ranking.runOfSegment(segment, any, order, null, new Set()))
          const merge = Ranking.from(skip, runs, order)
          for (const { id } of ordered(docs, order).slice(skip, skip + 20)) assert.strictEqual(merge.next()?.id, id)
        }
      ),
      { numRuns: 20 }
    )
  })

  it("SRCH-25 texts are ordered as their bytes are", () => {
    const bytes = (text: string) => [...new TextEncoder().encode(text)]
    fc.assert(fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
      const [one, other] = [bytes(a), bytes(b)]
      const at = one.findIndex((byte, at) => byte !== other[at])
      const difference = at < 0 ? one.length - other.length : other[at] === undefined ? 1 : one[at]! - other[at]!
      assert.strictEqual(Math.sign(compareText(a, b)), Math.sign(difference))
    }))
  })
})
