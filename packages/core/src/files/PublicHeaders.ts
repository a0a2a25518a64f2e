/**
 * Keeps the headers of a public object equal to its file's. A signed
 * link carries its headers; a public object has them stored with it, so one that
 * was renamed, or whose kind was detected, is copied onto itself. Its lasting link stays as it is.
 *
 * Such a copy could land after the object was removed. Therefore the copying is
 * a durable job under the object's key, and checks after each copy whether the
 * object still belongs to a public file.
 */
import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import * as Job from "../jobs/Job.ts"
import { done } from "../jobs/Jobs.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import { PendingDeletions } from "../objects/PendingDeletions.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { type ObjectAddress, ObjectStore } from "../ports/ObjectStore.ts"
import { Unavailable } from "../shared/DriveError.ts"
import { BucketSwitch } from "./BucketSwitch.ts"
import { FilesRepo } from "./FilesRepo.ts"

const ofTheDrive = Schema.makeFilter<string>((key) =>
  StoreKey.ownerOf(key) !== undefined || "must be a key of the drive's in storage"
)

/** Its key is the object's, which begins with no account id. */
export const publicHeadersJob = Job.define("files.headers", {
  description: "Renews the stored name and kind of a public object.",
  when: "after a rename, or when a file is detected to be of another kind",
  key: Schema.String.check(ofTheDrive)
})

/** The request that renames does the work itself; the job runs later, in case it did not. */
const jobDelay = Duration.seconds(30)

export class PublicHeaders extends Context.Service<PublicHeaders, {
  /** Enqueues the job for the object at `storeKey`, in the caller's transaction. */
  readonly enqueue: (storeKey: string) => Effect.Effect<void>

  /**
   * Stores the public object at `storeKey` again with its file's headers; one
   * that no longer belongs to a public file is removed. Repeating is safe. An object
   * too large for one copy keeps the headers it has.
   */
  readonly refresh: (storeKey: string) => Effect.Effect<void, Unavailable>
}>()("@filedrive/core/files/PublicHeaders") {
  static readonly layerNoDeps = Layer.effect(
    PublicHeaders,
    Effect.gen(function*() {
      const repo = yield* FilesRepo
      const bucketSwitch = yield* BucketSwitch
      const deletions = yield* PendingDeletions
      const transaction = yield* AccountTransaction
      const renewals = yield* publicHeadersJob.queue
      const store = yield* ObjectStore

      const enqueue = Effect.fnUntraced(function*(storeKey: string) {
        const time = DateTime.addDuration(yield* DateTime.now, jobDelay)
        yield* renewals.enqueue(storeKey, time)
      })

      const refresh = Effect.fn("PublicHeaders.refresh")(function*(storeKey: string) {
        const accountId = StoreKey.ownerOf(storeKey)
        if (accountId === undefined) return
        const at: ObjectAddress = { bucket: "public", key: storeKey }
        const findPublic = repo.findByStoreKey(accountId, storeKey).pipe(
          Effect.map(Option.filter((file) => file.isPublic))
        )
        // Again when the file was renamed, or its kind was detected, while its object was copied.
        while (true) {
          const found = yield* findPublic
          if (Option.isNone(found)) break
          const file = found.value
          if (file.sizeBytes > store.singleUploadMaxBytes) return
          const copied = yield* store.copy(at, at, ObjectHeaders.of(file, "public"))
          const isCurrent = yield* transaction.run(accountId, () =>
            Effect.gen(function*() {
              const now = yield* findPublic
              if (Option.isNone(now) || Option.isNone(copied)) return false
              if (now.value.fileName !== file.fileName || now.value.mimeType !== file.mimeType) return false
              yield* repo.relocate(now.value, { ...now.value, etag: copied.value.etag }, "always")
              return true
            }))
          if (isCurrent) return
          if (Option.isNone(copied) && Option.isSome(yield* findPublic)) {
            return yield* new Unavailable({
              code: "storage_unavailable",
              cause: new Error(`the public object ${storeKey} is not there`)
            })
          }
        }
        // A file that was in trash meanwhile may have it again.
        yield* transaction.run(accountId, () => bucketSwitch.discard(accountId, [at]))
        yield* deletions.removeNow(accountId, [{ bucket: at.bucket, storeKey }])
      })

      yield* publicHeadersJob.handle((storeKey) => Effect.as(refresh(storeKey), done))

      return PublicHeaders.of({ enqueue, refresh })
    })
  )
}
