/**
 * Moves files too large for one copy to the other bucket: part by part, in a job
 * that continues where a crash left it. The row of `bucket_transfers` says that a move is
 * wanted; the upload at the target says how far it is.
 */
import { Context, DateTime, Effect, Layer, Option, Ref } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as Job from "../jobs/Job.ts"
import { done } from "../jobs/Jobs.ts"
import * as MultipartObject from "../objects/MultipartObject.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import * as PendingDeletion from "../objects/PendingDeletion.ts"
import { adoptionLifetime, PendingDeletions } from "../objects/PendingDeletions.ts"
import * as StorageReturn from "../objects/StorageReturn.ts"
import * as TransferPlan from "../objects/TransferPlan.ts"
import { ObjectStore, type StoredObject } from "../ports/ObjectStore.ts"
import { Unavailable } from "../shared/DriveError.ts"
import { AccountId, FileId } from "../shared/Ids.ts"
import { BucketSwitch, type PictureCopy } from "./BucketSwitch.ts"
import { type BucketTransfer, next, stateOf, target, TransferEvent, TransferState } from "./BucketTransfer.ts"
import { BucketTransfersRepo } from "./BucketTransfersRepo.ts"
import { FilesRepo } from "./FilesRepo.ts"
import * as FileState from "./FileState.ts"
import * as StoredFile from "./StoredFile.ts"

type File = StoredFile.StoredFile

export const bucketTransferJob = Job.define("files.move", {
  description: "Moves a large file to the other bucket.",
  when: "when requested",
  key: Job.key({ accountId: AccountId, fileId: FileId }),
  concurrency: 4,
  concurrencyOfAccount: 2
})

/** The result of a pass over a move. */
type Pass = "ended" | "once more"

export class BucketTransfers extends Context.Service<BucketTransfers, {
  /**
   * Begins to move a file to the bucket it is not in; `keepsLink` as in {@link BucketSwitch.adopt}.
   * Only inside `AccountTransaction.run`.
   */
  readonly begin: (file: File, keepsLink?: boolean) => Effect.Effect<void>

  /**
   * Cancels the moves of these files, if there are any, and returns the objects that are
   * then to be removed. Only inside `AccountTransaction.run`.
   */
  readonly callOff: (
    accountId: AccountId,
    fileIds: ReadonlyArray<FileId>
  ) => Effect.Effect<ReadonlyArray<PendingDeletion.PendingDeletion>>

  /**
   * These files were put in trash or taken out of it: cancels moves to a bucket where they should no longer be, and
   * returns the objects that are then to be removed. Only inside `AccountTransaction.run`.
   */
  readonly turnBack: (
    accountId: AccountId,
    fileIds: ReadonlyArray<FileId>,
    because: "trashed" | "restored"
  ) => Effect.Effect<ReadonlyArray<PendingDeletion.PendingDeletion>>

  /** A move of the file out of the public bucket ends its lasting link too. Only inside `AccountTransaction.run`. */
  readonly dropLink: (accountId: AccountId, fileId: FileId) => Effect.Effect<void>

  /** The move of the file, if there is one. */
  readonly find: (accountId: AccountId, fileId: FileId) => Effect.Effect<Option.Option<BucketTransfer>>

  /** Whether the file is being moved. */
  readonly isMoving: (accountId: AccountId, fileId: FileId) => Effect.Effect<boolean>

  /** Moves the file, as the job does; does nothing when no move of it was requested. Fails when storage does; run it again then. */
  readonly run: (accountId: AccountId, fileId: FileId) => Effect.Effect<void, Unavailable>
}>()("@filedrive/core/files/BucketTransfers") {
  static readonly layerNoDeps = Layer.effect(
    BucketTransfers,
    Effect.gen(function*() {
      const moves = yield* BucketTransfersRepo
      const files = yield* FilesRepo
      const deletions = yield* PendingDeletions
      const bucketSwitch = yield* BucketSwitch
      const multipart = yield* MultipartObject.make
      const transaction = yield* AccountTransaction
      const transfers = yield* bucketTransferJob.queue
      const store = yield* ObjectStore

      const begin = Effect.fn("BucketTransfers.begin")(function*(file: File, keepsLink = false) {
        const to = yield* bucketSwitch.target(file)
        yield* moves.insert({
          fileId: file.id,
          accountId: file.accountId,
          toPublic: to.bucket === "public",
          keepsLink,
          storeKey: to.key,
          storageId: "",
          partsDone: 0,
          partCount: TransferPlan.partCount(file.sizeBytes)
        }, yield* DateTime.now)
        yield* transfers.enqueue({ accountId: file.accountId, fileId: file.id })
      })

      const callOff = Effect.fn("BucketTransfers.callOff")(
        function*(accountId: AccountId, fileIds: ReadonlyArray<FileId>) {
          const now = yield* DateTime.now
          const ended = yield* moves.remove(accountId, fileIds)
          const uploads = ended.filter((move) => move.storageId !== "").map((move) => ({
            ...pendingTarget(move),
            storageId: move.storageId
          }))
          yield* deletions.schedule(accountId, uploads, now)
          // The job may be about to make the object; its run must have ended by then.
          yield* deletions.schedule(accountId, ended.map(pendingTarget), DateTime.addDuration(now, adoptionLifetime))
          return uploads
        }
      )

      const turnBack = Effect.fn("BucketTransfers.turnBack")(function*(
        accountId: AccountId,
        fileIds: ReadonlyArray<FileId>,
        because: "trashed" | "restored"
      ) {
        if (fileIds.length === 0) return []
        const event = because === "trashed" ? FileState.AccessEvent.Trashed() : FileState.AccessEvent.Restored()
        const turned = (yield* moves.among(accountId, fileIds)).flatMap((move) => {
          const access = FileState.accessOf({ isPublic: !move.toPublic, publicKey: null }, move)
          const next = FileState.next(access, event)
          return next === access ? [] : [{ ...move, next }]
        })
        if (turned.length === 0) return []
        for (const { fileId, next, storeKey } of turned) {
          const file = yield* files.find(accountId, unlimited, fileId)
          // It becomes public once it is restored.
          if (next === "withheld" && Option.isSome(file)) {
            yield* files.keepLink(file.value, file.value.publicKey ?? storeKey)
          }
        }
        return yield* callOff(accountId, turned.map(({ fileId }) => fileId))
      })

      /** The move with its upload open, or none when it was called off meanwhile. */
      const open = Effect.fnUntraced(function*(move: BucketTransfer, file: File) {
        if (stateOf(Option.some(move))._tag === "Copying") return Option.some(move)
        const to = target(move)
        const opened = yield* multipart.open({
          at: to,
          headers: ObjectHeaders.of(file, to.bucket),
          mayBeOpen: true,
          name: (storageId) => moves.setStorageId(move, storageId),
          isNamed: (storageId) =>
            Effect.map(moves.find(move.accountId, move.fileId), Option.exists((now) => now.storageId === storageId))
        })
        return Option.map(opened, (storageId) => ({ ...move, storageId }))
      })

      /** Copies what is missing; false when the move was called off meanwhile. */
      const copyParts = Effect.fnUntraced(function*(move: BucketTransfer, file: File, missing: ReadonlyArray<number>) {
        const partsDone = yield* Ref.make(move.partCount - missing.length)
        return yield* Effect.forEach(
          missing,
          (partNumber) =>
            Effect.gen(function*() {
              yield* store.copyPart({
                from: StoredFile.address(file),
                range: TransferPlan.range(file.sizeBytes, partNumber),
                to: target(move),
                uploadId: move.storageId,
                partNumber
              })
              // Progress only, on which nothing is decided: it needs no account lock.
              if (!(yield* moves.setPartsDone(move, yield* Ref.updateAndGet(partsDone, (count) => count + 1)))) {
                return yield* Effect.fail("called off" as const)
              }
            }),
          { concurrency: TransferPlan.movePartsAtOnce, discard: true }
        ).pipe(
          Effect.as(true),
          Effect.catchIf((error) => error === "called off", () => Effect.succeed(false))
        )
      })

      /** Adopts the object made, and the picture's copy. */
      const adopt = (move: BucketTransfer, file: File, object: StoredObject, copy: PictureCopy | null) =>
        transaction.run(move.accountId, () =>
          Effect.gen(function*() {
            const current = yield* moves.find(move.accountId, move.fileId)
            if (Option.isNone(current) || current.value.storeKey !== move.storeKey) {
              const made = copy === null ? [target(move)] : [target(move), copy.to]
              yield* bucketSwitch.discard(move.accountId, made)
              return "overtaken" as const
            }
            const outcome = yield* bucketSwitch.adopt(file, target(move), object, copy, current.value.keepsLink)
            if (outcome !== "picture changed") yield* moves.remove(move.accountId, [move.fileId])
            return outcome
          }))

      /** Begins again, under a fresh key unless a lasting link leads there; what was made is abandoned. */
      const restart = Effect.fnUntraced(
        function*(move: BucketTransfer, file: File): Effect.fn.Return<Pass, Unavailable> {
          const to = yield* bucketSwitch.target(file)
          yield* transaction.run(move.accountId, () =>
            Effect.andThen(
              bucketSwitch.discard(move.accountId, [target(move)]),
              moves.restart(move, to.key)
            ))
          if (to.key === move.storeKey && !(yield* deletions.removeNow(move.accountId, [pendingTarget(move)]))) {
            return yield* new Unavailable({
              code: "storage_unavailable",
              cause: new Error(`storage still holds what was at ${to.key}`)
            })
          }
          return "once more"
        }
      )

      const pass = Effect.fnUntraced(function*(
        wanted: BucketTransfer,
        file: File
      ): Effect.fn.Return<Pass, Unavailable> {
        const opened = yield* open(wanted, file)
        if (Option.isNone(opened)) return "ended"
        const move = opened.value
        const to = target(move)
        const stored = yield* store.listParts(to, move.storageId)
        if (Option.isSome(stored)) {
          const missing = TransferPlan.missing(file.sizeBytes, stored.value)
          if (!(yield* copyParts(move, file, missing))) {
            // A part that was under way may have arrived after the upload was aborted.
            yield* store.abortUpload(to, move.storageId)
            return "ended"
          }
          yield* bucketSwitch.announce(file, to)
        }
        const object = yield* multipart.complete(to, move.storageId, Effect.succeed)
        const made = next(stateOf(opened), TransferEvent.Completed({ ...move, object, sizeBytes: file.sizeBytes }))
        if (Option.isNone(made)) {
          return yield* new Unavailable({
            code: "storage_unavailable",
            cause: new Error(`the copy at ${to.key} does not have the ${file.sizeBytes} bytes of its file`)
          })
        }
        const state = made.value
        if (state._tag !== "Made") return yield* restart(move, file)
        const { outcome, picture } = yield* bucketSwitch.withPicture(
          file,
          (copy) => adopt(move, file, state.object, copy).pipe(Effect.orElseSucceed(() => "too late" as const))
        )
        const after = next(state, outcome === "too late" ? TransferEvent.TooLate(move) : TransferEvent.Adopted(move))
        if (!Option.exists(after, TransferState.$is("Absent"))) return yield* restart(move, file)
        const left = outcome === "adopted"
          ? [file, ...(picture === null ? [] : [picture])].map(StoredFile.address)
          : [to]
        yield* deletions.removeNow(move.accountId, left.map(PendingDeletion.ofFileObject))
        return "ended"
      })

      const run = Effect.fn("BucketTransfers.run")(function*(accountId: AccountId, fileId: FileId) {
        while (true) {
          const move = yield* moves.find(accountId, fileId)
          const file = yield* files.find(accountId, unlimited, fileId)
          if (Option.isNone(move) || Option.isNone(file)) return
          if ((yield* pass(move.value, file.value)) === "ended") return
        }
      })

      const onReturn = yield* StorageReturn.make
      // Begun while there was room, or because a link is taken away.
      yield* bucketTransferJob.handle(({ accountId, fileId }, job) =>
        Effect.as(onReturn(job)(WritePurpose.freeing(run(accountId, fileId))), done)
      )

      return BucketTransfers.of({
        begin,
        callOff,
        turnBack,
        dropLink: moves.dropLink,
        find: moves.find,
        isMoving: (accountId, fileId) => Effect.map(moves.find(accountId, fileId), Option.isSome),
        run
      })
    })
  )
}

const pendingTarget = (move: BucketTransfer) => PendingDeletion.ofFileObject(target(move))
