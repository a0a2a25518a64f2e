/** The two ends of an upload: the object is made, or everything of it goes. */
import { DateTime, Effect, Option } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Quota } from "../accounts/Quota.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { PendingDeletions } from "../objects/PendingDeletions.ts"
import { objectsOf, type Upload } from "./Upload.ts"
import { UploadsRepo } from "./UploadsRepo.ts"

export interface UploadEnds {
  /** Notes that storage has made the object: the upload holds no more than that. False when the upload was discarded, or became another, meanwhile. */
  readonly complete: (upload: Upload) => Effect.Effect<boolean>
  /** Gives the upload's bytes back and removes what storage holds, unless it has changed since it was read. */
  readonly discard: (upload: Upload) => Effect.Effect<void>
}

export const makeEnds = Effect.gen(function*() {
  const deletions = yield* PendingDeletions
  const transaction = yield* AccountTransaction
  const quota = yield* Quota
  const repo = yield* UploadsRepo

  /** Ends an upload, which holds `heldBytes` from then on. */
  const end = Effect.fnUntraced(function*(current: Upload, state: "complete" | "gone", heldBytes: number) {
    yield* repo.end(current, { state, heldBytes }, yield* DateTime.now)
    yield* quota.add(current.accountId, { heldBytes: heldBytes - current.heldBytes })
  })

  const complete = Effect.fn("UploadEnds.complete")(function*(upload: Upload) {
    return yield* transaction.run(upload.accountId, () =>
      Effect.gen(function*() {
        const current = Option.getOrUndefined(yield* repo.find(upload.accountId, upload.id))
        if (current === undefined || current.state === "gone" || current.sizeBytes !== upload.sizeBytes) return false
        if (current.state === "open") yield* end(current, "complete", current.sizeBytes)
        return true
      }))
  })

  const discard = Effect.fn("UploadEnds.discard")(function*(upload: Upload) {
    const objects = objectsOf(upload)
    const discarded = yield* transaction.run(upload.accountId, () =>
      Effect.gen(function*() {
        const current = Option.getOrUndefined(yield* repo.find(upload.accountId, upload.id))
        if (current === undefined || current.state !== upload.state || current.fileId !== null) return false
        yield* end(current, "gone", 0)
        yield* deletions.schedule(upload.accountId, objects, yield* DateTime.now)
        return true
      }))
    if (discarded) yield* deletions.removeNow(upload.accountId, objects)
  }, WritePurpose.freeing)

  return { complete, discard } satisfies UploadEnds
})
