/**
 * A public file's lasting link does not work while the file is in trash, and works as
 * before once it is restored. Strangers ask the public bucket, not the drive: so
 * the bytes leave it for the private one, and come back under the same key.
 *
 * The rows alone show which bytes are in the wrong bucket. The request that puts
 * files in trash or restores them moves their bytes after the commit; a job runs
 * later, for what storage did not do in time.
 */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
import * as HostTransaction from "../database/HostTransaction.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as Job from "../jobs/Job.ts"
import { done } from "../jobs/Jobs.ts"
import type { PendingDeletion } from "../objects/PendingDeletion.ts"
import { PendingDeletions, removalPollInterval } from "../objects/PendingDeletions.ts"
import * as StorageReturn from "../objects/StorageReturn.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { Unavailable } from "../shared/DriveError.ts"
import { AccountId, FileId } from "../shared/Ids.ts"
import { BucketTransfers } from "./BucketTransfers.ts"
import { FileCopies } from "./FileCopies.ts"
import { FilesRepo } from "./FilesRepo.ts"
import * as FileState from "./FileState.ts"
import * as StoredFile from "./StoredFile.ts"
import type { OwnedFile } from "./TrashedFile.ts"
import { TrashRepo } from "./TrashRepo.ts"

/** Enqueued by the migration too. */
export const lastingLinksJob = Job.define("files.links", {
  description: "Moves the bytes of an account's public files out of the public bucket, or back to it.",
  when: "30 s after a public file is trashed or restored, if the request left something",
  key: AccountId
})

/** The request does the work itself; the job runs later, in case it did not. */
const jobDelay = Duration.seconds(30)

/** How long a request waits for storage. */
const patience = Duration.seconds(10)

const filesAtOnce = 8

const batchSize = 100

export class LastingLinks extends Context.Service<LastingLinks, {
  /**
   * These files were put in trash or taken out of it just now: cancels moves to the wrong bucket, and enqueues the
   * job. Returns the objects that are then to be removed. Only inside `AccountTransaction.run`.
   */
  readonly follow: (
    accountId: AccountId,
    files: ReadonlyArray<OwnedFile>,
    because: "trashed" | "restored"
  ) => Effect.Effect<ReadonlyArray<PendingDeletion>>

  /** Enqueues the job for the account's files, in the caller's transaction. */
  readonly enqueue: (accountId: AccountId) => Effect.Effect<void>

  /**
   * Moves the bytes of those of the files that are in the wrong bucket; after the commit that trashed or restored them. It does what storage
   * does within ten seconds, and leaves the rest, and what is too large for one copy, to jobs.
   */
  readonly settle: (accountId: AccountId, files: ReadonlyArray<OwnedFile>) => Effect.Effect<void>
}>()("@filedrive/core/files/LastingLinks") {
  static readonly layerNoDeps = Layer.effect(
    LastingLinks,
    Effect.gen(function*() {
      const repo = yield* TrashRepo
      const files = yield* FilesRepo
      const copies = yield* FileCopies
      const moves = yield* BucketTransfers
      const deletions = yield* PendingDeletions
      const transaction = yield* AccountTransaction
      const moving = yield* lastingLinksJob.queue
      const store = yield* ObjectStore

      const enqueue = Effect.fnUntraced(function*(accountId: AccountId) {
        const time = DateTime.addDuration(yield* DateTime.now, jobDelay)
        yield* moving.enqueue(accountId, time)
      })

      const follow = Effect.fn("LastingLinks.follow")(function*(
        accountId: AccountId,
        changed: ReadonlyArray<OwnedFile>,
        because: "trashed" | "restored"
      ) {
        const left = yield* moves.turnBack(accountId, changed.map(({ id }) => id), because)
        if (left.length > 0 || changed.some(({ isPublic }) => isPublic)) yield* enqueue(accountId)
        return left
      })

      /** Removes the file's former public objects, or waits until another has removed them. Fails when storage does. */
      const removeFormer = Effect.fnUntraced(function*(accountId: AccountId, id: FileId) {
        while (true) {
          const due = yield* deletions.due(accountId, id, "public")
          const outcome = yield* deletions.remove(accountId, due)
          if (outcome === "gone") return
          if (outcome === "kept") {
            return yield* new Unavailable({
              code: "storage_unavailable",
              cause: new Error("storage did not confirm that the public object is gone")
            })
          }
          yield* Effect.sleep(removalPollInterval)
        }
      })

      const begin = (file: StoredFile.StoredFile) =>
        transaction.run(file.accountId, () =>
          Effect.gen(function*() {
            const now = yield* files.find(file.accountId, unlimited, file.id)
            if (Option.isNone(now) || !StoredFile.isSame(file, now.value)) return false
            yield* moves.begin(file, file.isPublic)
            return true
          }))

      /** Moves one file's bytes to the right bucket. Bytes that are lost already are skipped: no link finds them. */
      const place = Effect.fnUntraced(function*(accountId: AccountId, id: FileId) {
        while (true) {
          const found = yield* files.find(accountId, unlimited, id)
          if (Option.isNone(found)) return
          // Before anything is made again under its key, which that removal must not remove.
          yield* removeFormer(accountId, id)
          const file = found.value
          if (file.moveToPublic !== null) return
          const access = FileState.accessOf(file, null)
          const inOneCopy = file.sizeBytes <= store.singleUploadMaxBytes
          const next = FileState.next(
            access,
            FileState.AccessEvent.Placed({ inOneCopy, isTrashed: file.trashTime !== null })
          )
          if (next === access) return
          if (FileState.isMoving(next)) {
            if (yield* begin(file)) return
          } else if (yield* copies.across(file, file.isPublic)) {
            return yield* removeFormer(accountId, id)
          }
        }
      }, Effect.catchIf((error) => error.isLost === true, (error) => Effect.logWarning("A file is lost.", error)))

      /** Those of the files that stay in the wrong bucket. */
      const placeAll = (accountId: AccountId, ids: ReadonlyArray<FileId>) =>
        Effect.filter(ids, (id) =>
          place(accountId, id).pipe(
            Effect.as(false),
            Effect.catch((error) =>
              Effect.as(Effect.logWarning("A file in trash or restored is still in the wrong bucket.", error), true)
            )
          ), { concurrency: filesAtOnce })

      const settle = Effect.fn("LastingLinks.settle")(function*(
        accountId: AccountId,
        changed: ReadonlyArray<OwnedFile>
      ) {
        const ids = changed.filter(({ isPublic }) => isPublic).map(({ id }) => id)
        if (ids.length > 0) yield* Effect.timeoutOption(placeAll(accountId, ids), patience)
      }, HostTransaction.unlessInHosts(undefined))

      const settleAll = Effect.fn("LastingLinks.settleAll")(function*(accountId: AccountId) {
        let after = FileId.make("00000000-0000-0000-0000-000000000000")
        let leftCount = 0
        while (true) {
          const ids = yield* repo.misplaced(accountId, after, batchSize)
          if (ids.length === 0) break
          leftCount += (yield* placeAll(accountId, ids)).length
          after = ids[ids.length - 1]!
        }
        if (leftCount > 0) {
          return yield* new Unavailable({
            code: "storage_unavailable",
            cause: new Error(`${leftCount} files in trash or restored are still in the wrong bucket`)
          })
        }
      })

      const onReturn = yield* StorageReturn.make
      // A link that must no longer work is ended on a full disk too.
      yield* lastingLinksJob.handle((accountId, job) =>
        Effect.as(onReturn(job)(WritePurpose.freeing(settleAll(accountId))), done)
      )

      return LastingLinks.of({ follow, enqueue, settle })
    })
  )
}
