/**
 * An account's index: docs of the files that changed lately, as they are, and segments of all others. It finds the files that match a
 * condition; what a doc means is decided by its callers.
 *
 * Every change is noted in the transaction that makes it, under the account's lock, and numbered; a search reads what is new
 * since the last search, so it sees exactly what is committed, whichever process wrote it.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { AccountId } from "../shared/Ids.ts"
import * as Compaction from "./Compaction.ts"
import { type Condition, matches } from "./Condition.ts"
import type { Doc, DocChange } from "./Doc.ts"
import { DocIndexRepo } from "./DocIndexRepo.ts"
import { docNumbersIn, type IndexState, type Known, renewed } from "./IndexState.ts"
import { mightMatch, partsFor } from "./Matching.ts"
import * as Ranking from "./Ranking.ts"
import { runCooperatively } from "./runCooperatively.ts"
import { docsMaxCount, type SegmentHeader } from "./Segment.ts"
import { SegmentCache } from "./SegmentCache.ts"
import type { NewSegment } from "./SegmentColumns.ts"
import { segmentOfDocs, withFoldersMoved } from "./SegmentOfDocs.ts"

export interface Question {
  readonly condition: Condition
  readonly order: Ranking.Order
  /** Behind which the answer begins; null: at the start. */
  readonly position: Ranking.Position | null
  /** Files to pass over, and how many to answer then. */
  readonly skip: number
  readonly count: number
}

/** Docs of new files that are ready to be put: as they are, or as segments. */
export interface Prepared {
  readonly few: ReadonlyArray<Doc>
  readonly segments: ReadonlyArray<NewSegment>
}

/** Changes at once of which more are a segment right away. */
const notedMaxCount = 256

/** The same of files that are new: no segment has to be looked through for them, so few are worth one of their own. */
const newNotedMaxCount = 48

/** Files to pass over that are gone through one by one. */
const walkedMaxCount = 2_000

export class DocIndex extends Context.Service<DocIndex, {
  /** These are the files' docs now. Only inside `AccountTransaction.run`, as all that follow up to {@link known}. */
  readonly put: (accountId: AccountId, docs: ReadonlyArray<Doc>) => Effect.Effect<void>

  /** Prepares docs of new files, inside the lock or outside: the part of {@link put} that takes time. */
  readonly prepare: (docs: ReadonlyArray<Doc>) => Effect.Effect<Prepared>

  /** Puts docs of files that had none. */
  readonly add: (accountId: AccountId, prepared: Prepared) => Effect.Effect<void>

  /** These files are no longer found. */
  readonly remove: (accountId: AccountId, files: ReadonlyArray<Known>) => Effect.Effect<void>

  /** Files are in other folders now, however many they are. */
  readonly moveFolders: (
    accountId: AccountId,
    files: ReadonlyArray<Known & { readonly folderNo: number | null }>
  ) => Effect.Effect<void>

  /** The index as this process remembers it, of whatever moment; undefined when it remembers none, and in a transaction. */
  readonly known: (accountId: AccountId) => Effect.Effect<IndexState | undefined>

  /** The index as it is now, which is remembered; undefined when the account has no index yet. */
  readonly refresh: (accountId: AccountId) => Effect.Effect<IndexState | undefined>

  /** The files that passed, in order, as of that moment; undefined when the index has changed and can no longer tell. */
  readonly answer: (
    state: IndexState,
    question: Question
  ) => Effect.Effect<ReadonlyArray<Ranking.Position> | undefined>
}>()("@filedrive/core/docindex/DocIndex") {
  static readonly layerNoDeps = Layer.effect(
    DocIndex,
    Effect.gen(function*() {
      const { isInTransaction } = yield* Database
      const cache = yield* SegmentCache
      const compactions = yield* Compaction.compactionJob.queue
      const repo = yield* DocIndexRepo
      const segments = yield* Compaction.make

      const later = (accountId: AccountId) => compactions.enqueue(accountId)

      const supersede = Effect.fnUntraced(function*(accountId: AccountId, files: ReadonlyArray<Known>) {
        yield* segments.supersede(accountId, files)
        yield* repo.forget(accountId, files.map(({ id }) => id))
      })

      const note = Effect.fnUntraced(function*(accountId: AccountId, changes: ReadonlyArray<DocChange>) {
        if (changes.length === 0) return
        const open = yield* repo.note(accountId, changes)
        if (open >= Compaction.overdueCount) yield* segments.flush(accountId)
        if (open >= Compaction.openMaxCount) yield* later(accountId)
      })

      const prepareSome = Effect.fnUntraced(function*(docs: ReadonlyArray<Doc>, fewMaxCount: number) {
        if (docs.length <= fewMaxCount) return { few: docs, segments: [] }
        const segments: Array<NewSegment> = []
        for (let at = 0; at < docs.length; at += docsMaxCount) {
          segments.push(yield* runCooperatively(segmentOfDocs(docs.slice(at, at + docsMaxCount))))
        }
        return { few: [], segments }
      })

      const prepare = Effect.fn("DocIndex.prepare")((docs: ReadonlyArray<Doc>) => prepareSome(docs, newNotedMaxCount))

      const add = Effect.fn("DocIndex.add")(function*(accountId: AccountId, { few, segments }: Prepared) {
        yield* note(accountId, few.map(({ id, time, ...doc }) => ({ id, time, doc })))
        if (segments.length === 0) return
        yield* Effect.forEach(segments, (made) => repo.insert(accountId, made, 0), { discard: true })
        yield* repo.bumpGeneration(accountId)
        yield* later(accountId)
      })

      const put = Effect.fn("DocIndex.put")(function*(accountId: AccountId, docs: ReadonlyArray<Doc>) {
        if (docs.length > notedMaxCount) yield* supersede(accountId, docs)
        yield* add(accountId, yield* prepareSome(docs, notedMaxCount))
      })

      const remove = Effect.fn("DocIndex.remove")(function*(accountId: AccountId, files: ReadonlyArray<Known>) {
        if (files.length <= notedMaxCount) {
          return yield* note(accountId, files.map(({ id, time }) => ({ id, time, doc: null })))
        }
        yield* supersede(accountId, files)
        yield* repo.bumpGeneration(accountId)
        yield* later(accountId)
      })

      const moveFolders = Effect.fn("DocIndex.moveFolders")(
        function*(accountId: AccountId, files: ReadonlyArray<Known & { readonly folderNo: number | null }>) {
          const folderNos = new Map(files.map(({ folderNo, id }) => [id, folderNo ?? -1]))
          for (const header of yield* repo.headers(accountId)) {
            const { parts } = yield* segments.held(header, ["ids", "folders"])
            const docs = docNumbersIn(parts.ids!, files)
            if (docs.size === 0) continue
            const moved = new Map([...docs].map(([id, doc]) => [doc, folderNos.get(id)!]))
            yield* repo.moveFolders(header, withFoldersMoved(parts.folders!, moved))
          }
          yield* repo.moveChanges(accountId, files)
          yield* repo.bumpGeneration(accountId)
        }
      )

      const known = (accountId: AccountId) =>
        Effect.map(isInTransaction, (isPrivate) => isPrivate ? undefined : cache.state(accountId))

      const refresh: DocIndex["Service"]["refresh"] = Effect.fnUntraced(function*(accountId: AccountId) {
        const before = yield* known(accountId)
        const update = yield* repo.updateSince(accountId, before?.generation ?? -1, before?.seq ?? -1)
        if (update === undefined) return undefined
        const state = renewed(before, update)
        if (state !== before && !(yield* isInTransaction)) cache.remember(accountId, state)
        return state
      })

      const answer: DocIndex["Service"]["answer"] = Effect.fnUntraced(function*(state: IndexState, question: Question) {
        const { condition, count, order, position, skip } = question
        const isDeep = skip > walkedMaxCount
        const parts = [
          ...new Set([...partsFor(condition), ...(order.column === "time" ? [] : [`${order.column}s` as const])])
        ]
        const first = Ranking.runOfDocs(state.docs.filter((doc) => matches(condition, doc)), order, position)
        const runs = [first]
        const merge = new Ranking.Merge(order)
        if (!isDeep) merge.add(first)
        const found: Array<Ranking.Position> = []
        let left = skip
        /** Takes the docs that certainly come before everything from `bound` on. */
        const take = (bound: number | null) => {
          while (found.length < count && !merge.isOver) {
            const first = merge.firstNumber!
            if (bound !== null && (order.isDescending ? first <= bound : first >= bound)) return
            if (left > 0) {
              merge.skip()
              left--
            } else found.push(merge.next()!)
          }
        }
        for (const header of inOrder(state.headers, order)) {
          // By time, segments follow one another: the first ones may have all the docs that are asked for.
          if (order.column === "time" && !isDeep) take(header.extents.time[order.isDescending ? 1 : 0])
          if (found.length === count) return found
          if (header.deadCount === header.docCount || !mightMatch(condition, header.extents)) continue
          const segment = yield* cache.load(header, parts)
          if (segment === undefined) return undefined
          const superseded = new Set(docNumbersIn(segment.parts.ids!, state.changes.values()).values())
          const run = Ranking.runOfSegment(segment, condition, order, position, superseded)
          if (isDeep) runs.push(run)
          else merge.add(run)
        }
        if (!isDeep) {
          take(null)
          return found
        }
        const deep = Ranking.from(skip, runs, order)
        for (let next = deep.next(); next !== undefined && found.length < count; next = deep.next()) found.push(next)
        return found
      })

      return DocIndex.of({ put, prepare, add, remove, moveFolders, known, refresh, answer })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide(SegmentCache.layerNoDeps),
    Layer.provide(DocIndexRepo.layer)
  )
}

/** Those first whose docs may come first. */
const inOrder = (
  headers: ReadonlyArray<SegmentHeader>,
  { column, isDescending }: Ranking.Order
): ReadonlyArray<SegmentHeader> =>
  column !== "time"
    ? headers
    : headers.toSorted(
      isDescending
        ? (a, b) => b.extents.time[1] - a.extents.time[1]
        : (a, b) => a.extents.time[0] - b.extents.time[0]
    )
