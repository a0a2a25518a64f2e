/**
 * Makes segments of what changed, and large segments of small ones, in the background. A file is written anew about three
 * times on its way from a change to a segment of its final size, whatever the size of the account.
 */
import { Effect } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import * as Job from "../jobs/Job.ts"
import { done } from "../jobs/Jobs.ts"
import { AccountId } from "../shared/Ids.ts"
import * as Bitmap from "./Bitmap.ts"
import { DocIndexRepo } from "./DocIndexRepo.ts"
import { docNumbersIn, type Known } from "./IndexState.ts"
import { runCooperatively } from "./runCooperatively.ts"
import { changingParts, docsMaxCount, fixedParts, type Part, type Parts, type SegmentHeader } from "./Segment.ts"
import { SegmentCache } from "./SegmentCache.ts"
import { segmentOfDocs } from "./SegmentOfDocs.ts"
import { carriedOver, segmentOfSegments } from "./SegmentOfSegments.ts"

/** At this many changes a segment is made of them: searching through so many takes a fraction of a millisecond. */
export const openMaxCount = 512

/** Most changes that are made a segment at once: the account's lock is held, so there are not as many as a segment may have. */
const flushedMaxCount = 1_024

export const compactionJob = Job.define("search.settle", {
  description: "Makes search segments of an account's changes, and merges small ones.",
  when: `when ${openMaxCount} files have changed, or many at once`,
  key: AccountId,
  concurrency: 1
})

/** At this many changes that no job has processed, the next caller who changes something makes a segment of them first. */
export const overdueCount = 16 * openMaxCount

/** At this many segments of one size they are merged. */
const segmentsMaxCount = 8

/** Most segments that are merged at a time. */
const mergedMaxCount = 64

/** What counts as one size: below each of these, in live docs. */
const sizes = [4_096, 32_768]

const live = ({ deadCount, docCount }: SegmentHeader): number => docCount - deadCount

/**
 * Segments that should be merged: those whose docs are mostly dead, or many small ones. Empty when nothing is to be done. The docs of all are read, and
 * deleted in one transaction, dead ones too: so these are bounded, not the live ones alone.
 */
export const toMerge = (headers: ReadonlyArray<SegmentHeader>): ReadonlyArray<SegmentHeader> => {
  const isMostlyDead = ({ deadCount, docCount }: SegmentHeader) => deadCount * 2 > docCount
  const dead = headers.filter(isMostlyDead)
  if (dead.length > 0) return firstOf(dead, ({ docCount }) => docCount)
  for (const [at, most] of sizes.entries()) {
    const least = sizes[at - 1] ?? 0
    const alike = headers.filter((header) => live(header) < most && live(header) >= least)
    if (alike.length >= segmentsMaxCount) return firstOf(alike, live)
  }
  return []
}

/** The first, and those next to it in time, up to so many as a segment may have: then a search by time reads few. */
const firstOf = (
  headers: ReadonlyArray<SegmentHeader>,
  docs: (header: SegmentHeader) => number
): ReadonlyArray<SegmentHeader> => {
  let room = docsMaxCount
  return headers.toSorted((a, b) => a.extents.time[0] - b.extents.time[0]).slice(0, mergedMaxCount)
    .filter((header) => (room -= docs(header)) >= 0)
}

/** What changes segments under the account's lock; the job is answered while the scope is open. */
export const make = Effect.gen(function*() {
  const cache = yield* SegmentCache
  const transaction = yield* AccountTransaction
  const repo = yield* DocIndexRepo

  /** Loads parts of a segment that the account's lock keeps as it is. */
  const held = Effect.fnUntraced(function*(header: SegmentHeader, parts: ReadonlyArray<Part>) {
    const segment = yield* cache.load(header, parts)
    return segment ?? (yield* Effect.die(new Error(`search segment ${header.no} is gone under its account's lock`)))
  })

  /** Takes files out of the segments they are in. */
  const supersede = Effect.fnUntraced(function*(
    accountId: AccountId,
    files: ReadonlyArray<Known>
  ) {
    for (const header of yield* repo.headers(accountId)) {
      const [first, last] = header.extents.time
      const among = files.filter(({ time }) => time >= first && time <= last)
      if (among.length === 0) continue
      const { parts } = yield* held(header, ["ids", "dead"])
      const docs = docNumbersIn(parts.ids!, among)
      if (docs.size === 0) continue
      const dead = parts.dead!.slice()
      for (const doc of docs.values()) Bitmap.add(dead, doc)
      yield* repo.markDeleted(header, dead, Bitmap.count(dead))
    }
  })

  /** Makes a segment of changes. Under the account's lock from the first to the last, for they are few. */
  const flush = Effect.fnUntraced(function*(accountId: AccountId) {
    const changes = yield* repo.changes(accountId, flushedMaxCount)
    if (changes.length < openMaxCount) return false
    yield* supersede(accountId, changes)
    const docs = changes.flatMap(({ doc, id, time }) => doc === null ? [] : [{ ...doc, id, time }])
    if (docs.length > 0) yield* repo.insert(accountId, yield* runCooperatively(segmentOfDocs(docs)), 0)
    yield* repo.forget(accountId, changes.map(({ id }) => id))
    yield* repo.bumpGeneration(accountId)
    return true
  })

  /** Merges several segments, outside the account's lock but for the exchange. False when there is nothing to do. */
  const merge = Effect.fnUntraced(function*(accountId: AccountId) {
    const headers = toMerge(yield* repo.headers(accountId))
    if (headers.length === 0) return false
    // Of what is dead as a whole there is nothing to read: it stays so.
    const living = headers.filter((header) => live(header) > 0)
    const sources: Array<{ readonly docCount: number; readonly parts: Parts }> = []
    for (const header of living) {
      const segment = yield* cache.load(header, [...fixedParts, ...changingParts])
      // Another process was quicker.
      if (segment === undefined) return true
      sources.push({ docCount: segment.docCount, parts: segment.parts as Parts })
    }
    const merged = yield* runCooperatively(segmentOfSegments(sources))
    yield* transaction.run(accountId, () =>
      Effect.gen(function*() {
        const now = new Map((yield* repo.headers(accountId)).map((header) => [header.no, header]))
        const states: Array<Parts> = []
        for (const { no } of living) {
          const header = now.get(no)
          if (header === undefined) return
          states.push((yield* held(header, changingParts)).parts as Parts)
        }
        const { made, ordinals } = merged
        if (made !== null) {
          const changed = carriedOver(states, { made, ordinals })
          yield* repo.insert(accountId, { ...made, parts: { ...made.parts, ...changed } }, Bitmap.count(changed.dead))
        }
        yield* repo.remove(accountId, headers.map(({ no }) => no))
        yield* repo.bumpGeneration(accountId)
      }))
    return true
  })

  const settle = Effect.fnUntraced(function*(accountId: AccountId) {
    while (yield* transaction.run(accountId, () => flush(accountId)));
    while (yield* merge(accountId));
    return done
  })

  yield* compactionJob.handle((accountId) => settle(accountId))

  return { flush, held, supersede }
})
