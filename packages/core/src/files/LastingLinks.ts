/**
 * A public file's lasting link answers nobody while the file is in trash, and as
 * before once it is restored. Strangers ask the public bucket, not the drive: so
 * the bytes leave it for the private one, and come back under the same key.
 *
 * What is where it should not be can be told from the rows alone. Whoever puts
 * files in trash or restores them takes them there after the commit; a job comes
 * after it, for what storage did not do in time.
 */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
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

/** The request does the work itself; the job comes after it, in case it did not. */
const jobDelay = Duration.seconds(30)

/** How long a request waits for storage. */
const patience = Duration.seconds(10)

const filesAtOnce = 8

const batchSize = 100

export class LastingLinks extends Context.Service<LastingLinks, {
  /**
   * These files were put in trash or taken out of it just now: calls off what takes them elsewhere, and has the job look
   * after them. Answers what is then to be removed. Only inside `AccountTransaction.run`.
   */
  readonly follow: (
    accountId: AccountId,
    files: ReadonlyArray<OwnedFile>,
    because: "trashed" | "restored"
  ) => Effect.Effect<ReadonlyArray<PendingDeletion>>

  /** Has the job look after the account's files. Joins the caller's transaction. */
  readonly enqueue: (accountId: AccountId) => Effect.Effect<void>

  /**
   * Takes those of the files where they should be that are not; after the commit of what moved them. It does what storage
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

      /** Takes one file where it should be. What is lost already is left: no link finds it. */
      const place = Effect.fnUntraced(function*(accountId: AccountId, id: FileId) {
        while (true) {
          const found = yield* files.find(accountId, unlimited, id)
          if (Option.isNone(found)) return
          // Before anything is made again under its key: what removes it must not meet that.
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

      /** Those of the files that stay where they should not be. */
      const placeAll = (accountId: AccountId, ids: ReadonlyArray<FileId>) =>
        Effect.filter(ids, (id) =>
          place(accountId, id).pipe(
            Effect.as(false),
            Effect.catch((error) =>
              Effect.as(Effect.logWarning("A file in trash or restored is not where it should be yet.", error), true)
            )
          ), { concurrency: filesAtOnce })

      const settle = Effect.fn("LastingLinks.settle")(function*(
        accountId: AccountId,
        changed: ReadonlyArray<OwnedFile>
      ) {
        const ids = changed.filter(({ isPublic }) => isPublic).map(({ id }) => id)
        if (ids.length > 0) yield* Effect.timeoutOption(placeAll(accountId, ids), patience)
      })

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
            cause: new Error(`${leftCount} files in trash or restored are not where they should be yet`)
          })
        }
      })

      const onReturn = yield* StorageReturn.make
      // A link that must not answer any more is taken away on a full disk too.
      yield* lastingLinksJob.handle((accountId, job) =>
        Effect.as(onReturn(job)(WritePurpose.freeing(settleAll(accountId))), done)
      )

      return LastingLinks.of({ follow, enqueue, settle })
    })
  )
}
