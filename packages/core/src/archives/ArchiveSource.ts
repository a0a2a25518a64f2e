/**
 * The bytes of an archive's files as they are now: wherever they were moved since, and not those of a file
 * that is in trash, deleted, out of sight or lost.
 */
import { Data, Effect, Option, Stream } from "effect"
import * as Limits from "../limits/Limits.ts"
import type { ObjectStore } from "../ports/ObjectStore.ts"
import { Unavailable } from "../shared/DriveError.ts"
import type { Archive } from "./Archive.ts"
import type { ArchiveBuildsRepo } from "./ArchiveBuildsRepo.ts"
import type { LostEntry, StoredEntry } from "./ArchiveEntry.ts"
import type { ZipSource } from "./ZipStream.ts"

/** These files can no longer be in the archive; it continues without them. */
export class FilesLost extends Data.TaggedError("FilesLost")<{ readonly lost: ReadonlyArray<LostEntry> }> {}

/** Where a file is now: where it was, elsewhere, or the archive has to continue without it. */
type Whereabouts = "there" | StoredEntry | LostEntry

export interface ArchiveSource extends ZipSource<StoredEntry, FilesLost | Unavailable> {
  /** Those of entries `from` up to `to` that can no longer be in the archive, also by what storage has. */
  readonly missing: (from: number, to: number) => Effect.Effect<ReadonlyArray<LostEntry>, Unavailable>
}

/** Objects that storage is asked for at once. */
const checksAtOnce = 16

/** `positions` says which entry is meant by a number of the plan. */
export const make = (
  { archive, positions, repo, store }: {
    readonly archive: Archive
    readonly positions: ReadonlyArray<number>
    readonly repo: ArchiveBuildsRepo["Service"]
    readonly store: ObjectStore["Service"]
  }
): ArchiveSource => {
  type Bytes = Stream.Stream<Uint8Array, FilesLost | Unavailable>

  const entries = (from: number, to: number) => repo.entriesAt(archive, positions[from]!, positions[to - 1]!)

  const bytes = (entry: StoredEntry, from: number, to: number): Bytes =>
    Stream.suspend(() => {
      if (entry.reason !== null) {
        return Stream.fail(new FilesLost({ lost: [{ position: entry.position, reason: entry.reason }] }))
      }
      let at = from
      const whole = Effect.suspend(() =>
        at === to ? Effect.void : Effect.fail(
          new Unavailable({
            code: "fetching_file_failed",
            cause: new Error(`storage gave ${at - from} bytes of ${entry.at.key} where ${to - from} were asked for`)
          })
        )
      )
      return store.get(entry.at, { start: from, end: to - 1 }).pipe(
        Stream.map((chunk) => {
          at += chunk.length
          return chunk
        }),
        Stream.concat(Stream.fromEffectDrain(whole)),
        Stream.catch((error) => Stream.unwrap(Effect.map(foundAgain(entry, error), (now) => bytes(now, at, to))))
      )
    })

  /** Asks storage first: a file that moves is at its new place before it is gone from the old one. */
  const whereabouts = Effect.fnUntraced(
    function*({ at, position, sizeBytes }: StoredEntry): Effect.fn.Return<Whereabouts, Unavailable> {
      const object = Option.getOrUndefined(yield* store.head(at))
      if (object?.sizeBytes === sizeBytes) return "there"
      const [now] = yield* repo.entriesAt(archive, position, position)
      if (now === undefined) return { position, reason: "not_found" }
      if (now.reason !== null) return { position, reason: now.reason }
      return now.at.key === at.key && now.at.bucket === at.bucket ? { position, reason: "bytes_missing" } : now
    }
  )

  /**
   * The entry where it is now, when it could not be read at its last known place; fails when it is there still, or nowhere.
   * A file that exists and could not be read in several runs is damaged: the archive continues without it.
   */
  const foundAgain = Effect.fnUntraced(function*(entry: StoredEntry, error: Unavailable) {
    const now = yield* whereabouts(entry)
    if (now === "there") {
      const { position } = entry
      if ((yield* repo.noteUnread(archive, position)) < Limits.archiveReadsMaxCount) return yield* error
      return yield* new FilesLost({ lost: [{ position, reason: "unreadable" }] })
    }
    return "at" in now ? now : yield* new FilesLost({ lost: [now] })
  })

  const missing = Effect.fnUntraced(function*(from: number, to: number) {
    const found = yield* Effect.forEach(
      from < to ? yield* entries(from, to) : [],
      (entry) =>
        entry.reason === null ? whereabouts(entry) : Effect.succeed({ position: entry.position, reason: entry.reason }),
      {
        concurrency: checksAtOnce
      }
    )
    return found.filter((now): now is LostEntry => now !== "there" && !("at" in now))
  })

  return { entries, bytes, missing }
}
