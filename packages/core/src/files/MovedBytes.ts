/**
 * Finds misplaced bytes of files, in the other bucket or under a former key, and copies them to the file's address. So a file that was
 * made public, made private or trashed between the times of the database and of the storage is whole again after one of them was
 * restored. Nothing is removed here.
 */
import { Context, Effect, Layer, Option, Stream } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { done } from "../jobs/Jobs.ts"
import { MovedObjects } from "../objects/MovedObjects.ts"
import * as ObjectCopy from "../objects/ObjectCopy.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import { movedBytesJob } from "../objects/ObjectJobs.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { type Bucket, type ObjectAddress, ObjectStore } from "../ports/ObjectStore.ts"
import type { Unavailable } from "../shared/DriveError.ts"
import { FilesRepo } from "./FilesRepo.ts"
import * as MovedFile from "./MovedFile.ts"
import * as StoredFile from "./StoredFile.ts"

const batch = 500
const filesAtOnce = 4

export class MovedBytes extends Context.Service<MovedBytes, {
  /**
   * Copies these objects of a bucket to the addresses of files whose bytes are missing there. Returns the keys of objects that could not be
   * copied and so are still the only bytes of a file.
   */
  readonly restore: (bucket: Bucket, keys: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, Unavailable>
  /** The same for all objects. Returns how many are still the only bytes of a file. */
  readonly restoreAll: Effect.Effect<number, Unavailable>
}>()("@filedrive/core/files/MovedBytes") {
  static readonly layerNoDeps = Layer.effect(
    MovedBytes,
    Effect.gen(function*() {
      const files = yield* FilesRepo
      const store = yield* ObjectStore
      const copy = yield* ObjectCopy.make
      const transaction = yield* AccountTransaction

      /** Whether the object is still the only bytes of the file. */
      const restoreOne = Effect.fnUntraced(function*(from: ObjectAddress, file: MovedFile.MovedFile) {
        const to = StoredFile.address(file)
        if (Option.isSome(yield* store.head(to))) return false
        const there = yield* store.head(from)
        if (Option.isNone(there) || there.value.sizeBytes !== file.sizeBytes) return false
        const copied = yield* copy(from, to, file.sizeBytes, ObjectHeaders.of(file, to.bucket))
        if (Option.isNone(copied)) return true
        const { etag } = copied.value
        yield* transaction.run(file.accountId, () => files.relocate(file, { ...file, etag }, "always"))
        yield* Effect.logInfo(
          `The bytes of the file ${file.id} were found at ${from.key} (${from.bucket}), and restored.`
        )
        return false
      })

      const restore = Effect.fn("MovedBytes.restore")(function*(bucket: Bucket, keys: ReadonlyArray<string>) {
        const objects = MovedFile.named(keys)
        if (objects.length === 0) return new Set<string>()
        const found = yield* files.elsewhere(bucket, objects)
        const left = yield* Effect.filter(found, (file) => restoreOne({ bucket, key: file.key }, file), {
          concurrency: filesAtOnce
        })
        return new Set(left.map(({ key }) => key))
      }, WritePurpose.freeing)

      const restoreArea = ({ bucket, prefix }: StoreKey.Area) =>
        store.list(bucket, prefix).pipe(
          Stream.grouped(batch),
          Stream.mapEffect((objects) => restore(bucket, objects.map(({ key }) => key))),
          Stream.runFold(() => 0, (count, { size }) => count + size)
        )

      const restoreAll = Effect.map(
        Effect.forEach(StoreKey.areas, restoreArea),
        (counts) => counts.reduce((sum, count) => sum + count, 0)
      ).pipe(Effect.withSpan("MovedBytes.restoreAll"))

      return MovedBytes.of({ restore, restoreAll })
    })
  )

  /** On a database and storage alone, for an operator's command. */
  static readonly layer = this.layerNoDeps.pipe(Layer.provide([FilesRepo.layer, AccountTransaction.layer]))

  /** For the sweeps and removals of a drive, and for its job. */
  static readonly registration = Layer.effectDiscard(Effect.gen(function*() {
    const { restore, restoreAll } = yield* MovedBytes
    yield* MovedObjects.use((moved) => moved.register(restore))
    yield* movedBytesJob.handle(() => Effect.as(restoreAll, done))
  }))
}
