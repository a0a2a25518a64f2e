/** Parts of segments and states of indexes that this process keeps in memory, up to so many bytes; what was used longest ago goes first. */
import { Context, Effect, Layer, Semaphore } from "effect"
import { Database } from "../database/Database.ts"
import type { AccountId } from "../shared/Ids.ts"
import { LruCache } from "../shared/LruCache.ts"
import { DocIndexRepo } from "./DocIndexRepo.ts"
import type { IndexState } from "./IndexState.ts"
import type { LoadedSegment } from "./Matching.ts"
import { fixedParts, type Part, type Parts, type SegmentHeader } from "./Segment.ts"

/** Bytes of search indexes that a process keeps in memory. Set by the host. A million files are 60 to 150 MB. */
export const SearchMemory = Context.Reference<number>("@filedrive/core/docindex/SearchMemory", {
  defaultValue: () => 256 * 1024 * 1024
})

/** Bytes that a changed file takes while no segment has it, about. */
const changeBytes = 1_000

/** Statements that read parts at once: a crowd of searches after a start reads each part once, not each for itself. */
const readsAtOnce = 2

const isArray = (value: unknown): value is ArrayBufferView => ArrayBuffer.isView(value)

/** Views of one part share a buffer. */
const bytesOf = (part: Parts[Part]): number =>
  (isArray(part) ? part : Object.values(part).find(isArray))!.buffer.byteLength

export class SegmentCache extends Context.Service<SegmentCache, {
  /**
   * A segment with these parts, from memory or the database; undefined when it was deleted or has changed since the
   * header was read. Parts never change, except those whose version the header has.
   */
  readonly load: (header: SegmentHeader, parts: ReadonlyArray<Part>) => Effect.Effect<LoadedSegment | undefined>

  readonly state: (accountId: AccountId) => IndexState | undefined
  readonly remember: (accountId: AccountId, state: IndexState) => void
}>()("@filedrive/core/docindex/SegmentCache") {
  static readonly layerNoDeps = Layer.effect(
    SegmentCache,
    Effect.gen(function*() {
      const { isInTransaction } = yield* Database
      const repo = yield* DocIndexRepo
      const memory = yield* SearchMemory
      const parts = new LruCache<string, Parts[Part]>(memory)
      const states = new LruCache<AccountId, IndexState>(memory / 8)
      const reads = yield* Semaphore.make(readsAtOnce)

      const keyOf = ({ deadVersion, foldersVersion, no }: SegmentHeader, part: Part): string =>
        part === "dead"
          ? `${no} dead ${deadVersion}`
          : part === "folders"
          ? `${no} folders ${foldersVersion}`
          : `${no} ${part}`

      const missing = (header: SegmentHeader, names: ReadonlyArray<Part>, found: { [P in Part]?: Parts[P] }) =>
        names.filter((name) => {
          const part = parts.get(keyOf(header, name))
          Object.assign(found, part === undefined ? {} : { [name]: part })
          return part === undefined
        })

      const read = Effect.fnUntraced(
        function*(
          header: SegmentHeader,
          names: ReadonlyArray<Part>,
          found: { [P in Part]?: Parts[P] },
          shared: ReadonlyArray<Part>
        ) {
          // Another fiber may have read them meanwhile.
          const wanted = missing(header, names, found)
          if (wanted.length === 0) return true
          const read = yield* repo.parts(header, wanted)
          if (read === undefined) return false
          Object.assign(found, read)
          for (const name of wanted) {
            if (!shared.includes(name)) continue
            const part = read[name]!
            parts.set(keyOf(header, name), part, bytesOf(part))
          }
          return true
        }
      )

      const load = Effect.fnUntraced(function*(header: SegmentHeader, names: ReadonlyArray<Part>) {
        const { deadCount, docCount, extents } = header
        const found: { [P in Part]?: Parts[P] } = {}
        const segment: LoadedSegment = { deadCount, docCount, extents, parts: found }
        if (missing(header, names, found).length === 0) return segment
        // What a transaction wrote may be given up; what was there before and never changes may be kept. Nor does a
        // transaction wait here for others: they may wait for its connection.
        const isThere = (yield* isInTransaction)
          ? yield* read(header, names, found, repo.mayGo(header) ? [] : fixedParts)
          : yield* reads.withPermits(1)(read(header, names, found, names))
        return isThere ? segment : undefined
      })

      return SegmentCache.of({
        load,
        state: (accountId) => states.get(accountId),
        remember: (accountId, state) =>
          states.set(accountId, state, (1 + state.changes.size + state.headers.length) * changeBytes)
      })
    })
  )
}
