/**
 * Ends what callers left behind: idle uploads, uploads that never became
 * a file, expired forms, and what was uploaded with forms that have ended. Spec: Limits, "Idle
 * multipart upload"; contract: "Files".
 */
import { Context, DateTime, Duration, Effect, Layer, Option, Result, Stream } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as Job from "../jobs/Job.ts"
import * as Limits from "../limits/Limits.ts"
import { StorageMarks } from "../objects/StorageMarks.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { ObjectStore, type StoredPart } from "../ports/ObjectStore.ts"
import { type AccountId, FormId } from "../shared/Ids.ts"
import { FormEnds } from "./FormEnds.ts"
import { FormsRepo } from "./FormsRepo.ts"
import { addressOf, type Upload } from "./Upload.ts"
import { Uploads } from "./Uploads.ts"
import { UploadsRepo } from "./UploadsRepo.ts"
import * as UploadState from "./UploadState.ts"

export const uploadSweepJob = Job.every("uploads.sweep", {
  description: "Ends idle uploads and expired forms, and removes what was uploaded with forms that have ended.",
  interval: Duration.hours(1)
})

/** A body whose form expired while it was sent may still be arriving. */
const formGrace = Duration.hours(1)

const batch = 500

/** Before the id of every form. */
const firstId = FormId.make("00000000-0000-0000-0000-000000000000")

export class UploadSweep extends Context.Service<UploadSweep, {
  /** One sweep over every account. Repeating is safe; a store that does not answer is asked again next time. */
  readonly sweep: Effect.Effect<void>
}>()("@filedrive/core/uploads/UploadSweep") {
  static readonly layerNoDeps = Layer.effect(
    UploadSweep,
    Effect.gen(function*() {
      const formEnds = yield* FormEnds
      const forms = yield* FormsRepo
      const marks = yield* StorageMarks
      const transaction = yield* AccountTransaction
      const repo = yield* UploadsRepo
      const store = yield* ObjectStore
      const uploads = yield* Uploads

      /** When the newest part arrived, as far as this check and the last one tell. */
      const lastPart = Effect.fnUntraced(function*(upload: Upload, now: DateTime.Utc) {
        const parts = Option.getOrElse(
          yield* store.listParts(addressOf(upload), upload.storageId),
          (): ReadonlyArray<StoredPart> => []
        )
        const newest = parts.reduce((newest, part) => Math.max(newest, part.storedTime.epochMilliseconds), 0)
        const mark = `${parts.length}:${newest}`
        if (parts.length === 0 || mark === upload.partsMark) return upload.lastPartTime
        // The store's clock is not ours: a part can't be newer than now, nor older than what was known.
        const time = DateTime.clamp(DateTime.makeUnsafe(newest), { minimum: upload.lastPartTime, maximum: now })
        yield* repo.setLastPart(upload, time, mark)
        return time
      })

      /** Checks an upload; true when that changed something. */
      const sweepOne = Effect.fnUntraced(function*(upload: Upload, now: DateTime.Utc) {
        const lastPartTime = yield* lastPart(upload, now)
        const next = Result.getOrThrow(UploadState.next("open", { _tag: "Swept", lastPartTime, now }))
        if (next === "gone") yield* uploads.discard(upload)
        return next === "gone" || lastPartTime !== upload.lastPartTime
      }, Effect.catch((error) => Effect.as(Effect.logWarning("An idle upload could not be checked", error), false)))

      const sweepIdle = Effect.gen(function*() {
        const now = yield* DateTime.now
        const before = DateTime.subtractDuration(now, Limits.idleUploadLifetime)
        const idle = yield* repo.idleSince(before, batch)
        const changed = yield* Effect.forEach(idle, (upload) => sweepOne(upload, now))
        return changed.filter(Boolean).length
      })

      const sweepUnclaimed = Effect.gen(function*() {
        const before = DateTime.subtractDuration(yield* DateTime.now, Limits.uploadTokenLifetime)
        const unclaimed = yield* repo.unclaimedSince(before, batch)
        const gone = unclaimed.filter(({ state }) =>
          Result.getOrThrow(UploadState.next(state, { _tag: "Unclaimed" })) === "gone"
        )
        yield* Effect.forEach(gone, uploads.discard, { discard: true })
        yield* repo.forgetEnded(before)
        return unclaimed.length
      })

      const sweepExpired = Effect.gen(function*() {
        const before = DateTime.subtractDuration(yield* DateTime.now, formGrace)
        const expired = yield* forms.expiredSince(before, batch)
        for (const [accountId, theirs] of Map.groupBy(expired, (form): AccountId => form.accountId)) {
          yield* formEnds.clear(yield* transaction.share(accountId, () => formEnds.close(accountId, theirs)))
        }
        return expired.length
      })

      /** Clears forms that were closed by a call that was interrupted, or while storage did not answer. */
      const sweepClosed = Effect.gen(function*() {
        let after = firstId
        while (true) {
          const closed = yield* forms.closedAfter(after, batch)
          yield* formEnds.clear(closed)
          if (closed.length < batch) return
          after = closed[closed.length - 1]!.id
        }
      })

      /** Where storage can't refuse forms that have ended: removes what was still uploaded with them. */
      const sweepArrivals = store.list("private", StoreKey.incomingPrefix).pipe(
        Stream.filter((object) => StoreKey.ownerOf(object.key) !== undefined),
        Stream.grouped(batch),
        Stream.runForEach((arrived) =>
          Effect.gen(function*() {
            const keys = arrived.map((object) => object.key)
            const open = yield* forms.open(keys)
            const nobodys = keys.filter((key) => !open.has(key))
            if (nobodys.length > 0) yield* store.remove(nobodys.map((key) => ({ bucket: "private" as const, key })))
          })
        ),
        Effect.catch((error) => Effect.logWarning("Uploads with ended forms could not be listed", error))
      )

      /** Repeats a step that works in batches while its batches are full of work done. */
      const toTheEnd = (step: Effect.Effect<number>) => Effect.repeat(step, { while: (done) => done === batch })

      const sweep = Effect.forEach([sweepIdle, sweepUnclaimed, sweepExpired], toTheEnd, { discard: true }).pipe(
        Effect.andThen(sweepClosed),
        Effect.andThen(store.revokesForms ? Effect.void : sweepArrivals),
        // While storage and database are of different times, an upload or form that looks left may have become a file.
        Effect.when(Effect.match(marks.hold, { onFailure: () => false, onSuccess: (hold) => hold === null })),
        Effect.asVoid,
        WritePurpose.freeing,
        Effect.withSpan("UploadSweep.sweep")
      )
      yield* uploadSweepJob.handle(sweep)

      return UploadSweep.of({ sweep })
    })
  )
}
