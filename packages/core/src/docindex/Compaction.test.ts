import { assert, describe, it } from "@effect/vitest"
import { toMerge } from "./Compaction.ts"
import { docsMaxCount, type SegmentHeader } from "./Segment.ts"

const segment = (no: number, docCount: number, deadCount: number): SegmentHeader => ({
  accountNo: 1,
  no,
  docCount,
  deadCount,
  deadVersion: 0,
  foldersVersion: 0,
  extents: {
    time: [no, no],
    size: [0, 0],
    taken: null,
    duration: null,
    tempo: null,
    latitude: null,
    longitude: null,
    types: 1,
    keys: 0
  }
})

/** What becomes of segments, step by step, each of which makes one of several. */
const steps = (headers: ReadonlyArray<SegmentHeader>) => {
  const taken: Array<ReadonlyArray<SegmentHeader>> = []
  let left = [...headers]
  let no = headers.length
  for (let some = toMerge(left); some.length > 0; some = toMerge(left)) {
    taken.push(some)
    const live = some.reduce((sum, { deadCount, docCount }) => sum + docCount - deadCount, 0)
    left = left.filter((header) => !some.includes(header))
    if (live > 0) left.push(segment(no++, live, 0))
    if (taken.length > 1_000) break
  }
  return { taken, left }
}

const docs = (headers: ReadonlyArray<SegmentHeader>) => headers.reduce((sum, { docCount }) => sum + docCount, 0)

describe("Compaction", () => {
  it.each([
    { what: "all of a large account dead", dead: docsMaxCount, left: 0 },
    { what: "nearly all of it dead", dead: docsMaxCount - 10, left: 1 },
    { what: "half of it dead", dead: docsMaxCount / 2 + 1, left: 13 }
  ])("SRCH-30 dead docs count: with $what, each step takes as many as two segments have", ({ dead, left: count }) => {
    const { left, taken } = steps(Array.from({ length: 20 }, (_, no) => segment(no, docsMaxCount, dead)))
    for (const some of taken) assert.isAtMost(docs(some), 2 * docsMaxCount)
    assert.strictEqual(left.length, count)
    assert.isAtMost(taken.length, 30)
  })

  it("SRCH-30 small dead segments go many at a time", () => {
    const { left, taken } = steps(Array.from({ length: 64 }, (_, no) => segment(no, 50, 50)))
    assert.deepStrictEqual(left, [])
    assert.lengthOf(taken, 1)
  })

  it("SRCH-30 small segments become large ones, none is made again without need", () => {
    const { left, taken } = steps(Array.from({ length: 200 }, (_, no) => segment(no, 1_000, 400)))
    for (const some of taken) assert.isAbove(some.length, 1)
    assert.isAtMost(left.length, 15)
  })
})
