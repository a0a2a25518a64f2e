/**
 * Gives back what uploads left behind: idle uploads, uploads that never became
 * a file, lapsed forms with whatever arrived on them. Spec: Limits, "Idle
 * multipart upload"; contract: "Files".
 */
import { Context, DateTime, Duration, Effect, Layer, Option, Result } from "effect"
import { Ledger } from "../accounts/Ledger.ts"
import { DoomedObjects } from "../files/DoomedObjects.ts"
import { Jobs } from "../jobs/Jobs.ts"
import * as Limits from "../limits/Limits.ts"
import { ObjectStore, type StoredPart } from "../ports/ObjectStore.ts"
import type { AccountId } from "../shared/Ids.ts"
import { FormsRepo } from "./FormsRepo.ts"
import { addressOf, type Upload } from "./Upload.ts"
import { Uploads } from "./Uploads.ts"
import { UploadsRepo } from "./UploadsRepo.ts"
import * as UploadState from "./UploadState.ts"

/** How often a process of the drive sweeps. */
export const sweepInterval = Duration.hours(1)

/** A body that was on its way when its form lapsed may still be arriving. */
const formGrace = Duration.hours(1)

const batch = 500

export class UploadSweep extends Context.Service<UploadSweep, {
  /** One sweep over every account. Repeating is safe; a store that does not answer is asked again next time. */
  readonly sweep: Effect.Effect<void>
}>()("@filedrive/core/uploads/UploadSweep") {
  static readonly layerNoDeps = Layer.effect(
    UploadSweep,
    Effect.gen(function*() {
      const doomed = yield* DoomedObjects
      const forms = yield* FormsRepo
      const jobs = yield* Jobs
      const ledger = yield* Ledger
      const repo = yield* UploadsRepo
      const store = yield* ObjectStore
      const uploads = yield* Uploads

      /** When the newest part came, as far as this look and the last one tell. */
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

      /** Looks at an upload; true when that changed something. */
      const sweepOne = Effect.fnUntraced(function*(upload: Upload, now: DateTime.Utc) {
        const lastPartTime = yield* lastPart(upload, now)
        const next = Result.getOrThrow(UploadState.next("open", { _tag: "Swept", lastPartTime, now }))
        if (next === "gone") yield* uploads.discard(upload)
        return next === "gone" || lastPartTime !== upload.lastPartTime
      }, Effect.catch((error) => Effect.as(Effect.logWarning("An idle upload could not be looked at", error), false)))

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
        yield* Effect.forEach(unclaimed, uploads.discard, { discard: true })
        yield* repo.forgetEnded(before)
        return unclaimed.length
      })

      const sweepForms = Effect.gen(function*() {
        const now = yield* DateTime.now
        const lapsed = yield* forms.lapsedSince(DateTime.subtractDuration(now, formGrace), batch)
        for (const [accountId, theirs] of Map.groupBy(lapsed, (form): AccountId => form.accountId)) {
          const objects = theirs.map((form) => ({ bucket: "private" as const, storeKey: form.storeKey }))
          yield* ledger.locked(accountId, () =>
            Effect.gen(function*() {
              yield* doomed.doom(accountId, objects, now)
              yield* forms.remove(theirs.map((form) => form.id))
            }))
        }
        return lapsed.length
      })

      /** Repeats a step that works in batches while its batches are full of work done. */
      const toTheEnd = (step: Effect.Effect<number>) => Effect.repeat(step, { while: (done) => done === batch })

      const sweep = Effect.forEach([sweepIdle, sweepUnclaimed, sweepForms], toTheEnd, { discard: true }).pipe(
        Effect.withSpan("UploadSweep.sweep")
      )
      yield* jobs.every("uploads.sweep", sweepInterval, sweep)

      return UploadSweep.of({ sweep })
    })
  )
}
