/** The two ends of an upload: the object is made, or everything of it is removed. */
import { DateTime, Effect, Option, Result } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Quota } from "../accounts/Quota.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import type { PendingDeletion } from "../objects/PendingDeletion.ts"
import { PendingDeletions } from "../objects/PendingDeletions.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { AccountId } from "../shared/Ids.ts"
import { addressOf, objectsOf, type Upload } from "./Upload.ts"
import { UploadsRepo } from "./UploadsRepo.ts"
import * as UploadState from "./UploadState.ts"

export interface UploadEnds {
  /** Records that storage has made the object: the upload then reserves only the object's bytes. False when the upload was discarded or reopened for another file meanwhile. */
  readonly complete: (upload: Upload) => Effect.Effect<boolean>
  /**
   * Releases the upload's bytes and removes what storage has of it, unless it has changed since it was read. For an upload that is
   * gone it removes what storage made since. Returns whether the upload is gone now.
   */
  readonly discard: (upload: Upload) => Effect.Effect<boolean>
  /**
   * Ends uploads of the account whose keys files have now, and releases their bytes. Returns what storage may have of them, to be
   * removed after the commit. Only inside the `AccountTransaction.run` that has read them.
   */
  readonly supersede: (
    accountId: AccountId,
    uploads: ReadonlyArray<Upload>
  ) => Effect.Effect<ReadonlyArray<PendingDeletion>>
}

export const makeEnds = Effect.gen(function*() {
  const deletions = yield* PendingDeletions
  const transaction = yield* AccountTransaction
  const quota = yield* Quota
  const repo = yield* UploadsRepo
  const store = yield* ObjectStore

  /** Ends an upload, which reserves `heldBytes` from then on. */
  const end = Effect.fnUntraced(function*(current: Upload, state: "complete" | "gone", heldBytes: number) {
    yield* repo.end(current, { state, heldBytes }, yield* DateTime.now)
    yield* quota.add(current.accountId, { heldBytes: heldBytes - current.heldBytes })
  })

  const complete = Effect.fn("UploadEnds.complete")(function*(upload: Upload) {
    return yield* transaction.share(upload.accountId, () =>
      Effect.gen(function*() {
        const current = Option.getOrUndefined(yield* repo.find(upload.accountId, upload.id))
        if (current === undefined || current.state === "gone" || current.sizeBytes !== upload.sizeBytes) return false
        if (current.state === "open") yield* end(current, "complete", current.sizeBytes)
        return true
      }))
  })

  /** A call that makes the object may have begun before the upload ended, and end after its objects were removed. */
  const removeLate = Effect.fnUntraced(function*(upload: Upload) {
    const left = yield* store.remove([addressOf(upload)])
    if (left.length === 0) return
    const now = yield* DateTime.now
    yield* transaction.share(upload.accountId, () => deletions.schedule(upload.accountId, objectsOf(upload), now))
  })

  const discard = Effect.fn("UploadEnds.discard")(function*(upload: Upload) {
    const objects = objectsOf(upload)
    const outcome = yield* transaction.share(upload.accountId, () =>
      Effect.gen(function*() {
        const current = Option.getOrUndefined(yield* repo.find(upload.accountId, upload.id))
        if (current === undefined || current.state === "gone") return "was gone"
        if (current.state !== upload.state || current.fileId !== null) return "changed"
        yield* end(current, "gone", 0)
        yield* deletions.schedule(upload.accountId, objects, yield* DateTime.now)
        return "discarded"
      }))
    if (outcome === "discarded") yield* deletions.removeNow(upload.accountId, objects)
    if (outcome === "was gone") yield* removeLate(upload)
    return outcome !== "changed"
  }, WritePurpose.freeing)

  const supersede = Effect.fn("UploadEnds.supersede")(
    function*(accountId: AccountId, uploads: ReadonlyArray<Upload>) {
      const ending = uploads.filter(({ state }) =>
        Result.getOrThrow(UploadState.next(state, { _tag: "Superseded" })) === "gone"
      )
      if (ending.length === 0) return []
      yield* repo.endAll(accountId, ending.map(({ id }) => id), yield* DateTime.now)
      yield* quota.add(accountId, { heldBytes: -ending.reduce((sum, { heldBytes }) => sum + heldBytes, 0) })
      const objects = ending.flatMap(objectsOf)
      yield* deletions.schedule(accountId, objects, yield* DateTime.now)
      return objects
    }
  )

  return { complete, discard, supersede } satisfies UploadEnds
})
