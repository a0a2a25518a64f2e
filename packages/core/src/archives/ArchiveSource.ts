/**
 * The bytes of an archive's files as they are now: wherever they have been taken to since, and not those of a file
 * that is in trash, deleted, out of sight or lost.
 */
import { Data, Effect, Option, Stream } from "effect"
import type { ObjectStore } from "../ports/ObjectStore.ts"
import { Unavailable } from "../shared/DriveError.ts"
import type { Archive } from "./Archive.ts"
import type { ArchiveBuildsRepo, FoundEntry, LostEntry } from "./ArchiveBuildsRepo.ts"
import type { ZipSource } from "./ZipStream.ts"

/** Files can't be in the archive any more; it goes on without them. */
export class FilesLost extends Data.TaggedError("FilesLost")<{ readonly lost: ReadonlyArray<LostEntry> }> {}

/** `positions` says which entry is meant by a number of the plan. */
export const make = (
  { archive, positions, repo, store }: {
    readonly archive: Archive
    readonly positions: ReadonlyArray<number>
    readonly repo: ArchiveBuildsRepo["Service"]
    readonly store: ObjectStore["Service"]
  }
): ZipSource<FoundEntry, FilesLost | Unavailable> => {
  type Bytes = Stream.Stream<Uint8Array, FilesLost | Unavailable>

  const bytes = (entry: FoundEntry, from: number, to: number): Bytes =>
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
        Stream.catch((error) => Stream.unwrap(Effect.map(whereabouts(entry, error), (now) => bytes(now, at, to))))
      )
    })

  /** Where a file is that could not be read at its last known place; fails when it is there still, or nowhere. */
  const whereabouts = Effect.fnUntraced(function*(entry: FoundEntry, error: Unavailable) {
    const [now] = yield* repo.look(archive, entry.position, entry.position)
    const lost = (reason: LostEntry["reason"]) => new FilesLost({ lost: [{ position: entry.position, reason }] })
    if (now === undefined) return yield* lost("not_found")
    if (now.reason !== null) return yield* lost(now.reason)
    if (now.at.key !== entry.at.key || now.at.bucket !== entry.at.bucket) return now
    const object = Option.getOrUndefined(yield* store.head(now.at))
    return yield* object?.sizeBytes === entry.sizeBytes ? error : lost("bytes_missing")
  })

  return {
    entries: (from, to) => repo.look(archive, positions[from]!, positions[to - 1]!),
    bytes
  }
}
