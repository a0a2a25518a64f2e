/**
 * The last safety net: compares storage with the database, and
 * removes objects that no row names, such as
 * bytes that arrived on a form long after it lapsed. Contract: "Files".
 *
 * An object is an orphan only if the database would know it, had a row ever needed it: not while storage and database are of different
 * times, and not if it was named in a gap ({@link StorageMark.Gap}). An object that is the only bytes of a file is copied to the file's
 * address first.
 */
import { Context, DateTime, Duration, Effect, Layer, Stream } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as Job from "../jobs/Job.ts"
import * as Limits from "../limits/Limits.ts"
import { type Bucket, ObjectStore } from "../ports/ObjectStore.ts"
import type { Unavailable } from "../shared/DriveError.ts"
import { LiveKeys } from "./LiveKeys.ts"
import { MovedObjects } from "./MovedObjects.ts"
import { PendingDeletions } from "./PendingDeletions.ts"
import * as StorageMark from "./StorageMark.ts"
import { StorageMarks } from "./StorageMarks.ts"
import * as StoreKey from "./StoreKey.ts"

/** With a new database every stored object is an orphan: an operator who started with the wrong database has a day to notice. */
export const orphanSweepJob = Job.every("uploads.orphans", {
  description: "Compares storage with the database, and removes what no row names.",
  interval: Duration.days(1),
  firstAfter: Duration.days(1)
})

/** Younger objects may still be on their way into a row, whatever the clocks of storage and drive say. */
const adoptionTime = Duration.days(1)

const batch = 500

export class OrphanSweep extends Context.Service<OrphanSweep, {
  /** Goes through the drive's areas once, in batches. Returns how many orphaned objects and uploads were found. */
  readonly sweep: Effect.Effect<number, Unavailable>
}>()("@filedrive/core/objects/OrphanSweep") {
  static readonly layerNoDeps = Layer.effect(
    OrphanSweep,
    Effect.gen(function*() {
      const deletions = yield* PendingDeletions
      const liveKeys = yield* LiveKeys
      const marks = yield* StorageMarks
      const moved = yield* MovedObjects
      const transaction = yield* AccountTransaction
      const store = yield* ObjectStore

      const deleteOrphans = Effect.fnUntraced(function*(bucket: Bucket, keys: ReadonlyArray<string>) {
        const now = yield* DateTime.now
        for (const [accountId, theirs] of Map.groupBy(keys, StoreKey.ownerOf)) {
          // Not one of the drive's keys: the bucket's owner put it there.
          if (accountId === undefined) continue
          yield* transaction.run(
            accountId,
            () => deletions.schedule(accountId, theirs.map((storeKey) => ({ bucket, storeKey })), now)
          )
        }
        return keys.length
      })

      /** The keys that no row needs and whose bytes belong to no file. */
      const orphansAmong = Effect.fnUntraced(function*(bucket: Bucket, keys: ReadonlyArray<string>) {
        const unknown = yield* liveKeys.unknown(bucket, keys)
        const onlyBytes = yield* moved.restore(bucket, unknown)
        return unknown.filter((key) => !onlyBytes.has(key))
      })

      const sweepObjects = Effect.fnUntraced(function*(area: StoreKey.Area, gaps: ReadonlyArray<StorageMark.Gap>) {
        // A form stores what was begun before it expired.
        const age = area.prefix === StoreKey.incomingPrefix
          ? Duration.sum(Limits.formLifetime, adoptionTime)
          : adoptionTime
        const now = yield* DateTime.now
        const before = DateTime.subtractDuration(now, age)
        return yield* store.list(area.bucket, area.prefix).pipe(
          Stream.filter((object) =>
            DateTime.isLessThanOrEqualTo(object.storedTime, before) && StoreKey.ownerOf(object.key) !== undefined &&
            StorageMark.isKnownTime(object, gaps, now)
          ),
          Stream.grouped(batch),
          Stream.mapEffect((objects) =>
            Effect.flatMap(
              orphansAmong(area.bucket, objects.map((object) => object.key)),
              (keys) => deleteOrphans(area.bucket, keys)
            )
          ),
          Stream.runFold(() => 0, (total, count) => total + count)
        )
      })

      const sweepUploads = Effect.fnUntraced(function*(bucket: Bucket, gaps: ReadonlyArray<StorageMark.Gap>) {
        const now = yield* DateTime.now
        const before = DateTime.subtractDuration(now, adoptionTime)
        return yield* store.listUploads(bucket).pipe(
          Stream.filter((upload) =>
            DateTime.isLessThanOrEqualTo(upload.startTime, before) && StoreKey.ownerOf(upload.key) !== undefined &&
            StorageMark.isKnownTime({ key: upload.key, storedTime: upload.startTime }, gaps, now)
          ),
          Stream.grouped(batch),
          Stream.mapEffect((found) =>
            Effect.gen(function*() {
              const orphaned = new Set(yield* liveKeys.unknown(bucket, found.map((upload) => upload.key)))
              const orphans = found.filter(({ key }) => orphaned.has(key))
              yield* Effect.forEach(orphans, ({ key, uploadId }) => store.abortUpload({ bucket, key }, uploadId), {
                discard: true
              })
              return orphans.length
            })
          ),
          Stream.runFold(() => 0, (total, count) => total + count)
        )
      })

      const sweepArea = Effect.fnUntraced(function*(area: StoreKey.Area, gaps: ReadonlyArray<StorageMark.Gap>) {
        const missing = liveKeys.missing(area)
        if (missing.length > 0) {
          yield* Effect.logWarning(
            `Not looking for orphans below ${area.prefix} (${area.bucket}): ${
              missing.join(", ")
            } registered no live keys.`
          )
          return 0
        }
        return yield* sweepObjects(area, gaps)
      })

      const sweep = Effect.gen(function*() {
        if ((yield* marks.compare) !== null) return 0
        const gaps = yield* marks.gaps
        const counts = yield* Effect.all([
          ...StoreKey.areas.map((area) => sweepArea(area, gaps)),
          sweepUploads("private", gaps),
          sweepUploads("public", gaps)
        ])
        return counts.reduce((total, count) => total + count, 0)
      }).pipe(
        Effect.tap((count) => count === 0 ? Effect.void : Effect.logInfo(`Removing ${count} orphans from storage`)),
        WritePurpose.freeing,
        Effect.withSpan("OrphanSweep.sweep")
      )
      yield* orphanSweepJob.handle(Effect.asVoid(sweep))

      return OrphanSweep.of({ sweep })
    })
  )
}
