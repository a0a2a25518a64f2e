/** Forgets deleted notes, of which a row stays for a day so that followers of their review are told. */
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as Job from "../jobs/Job.ts"
import * as Limits from "../limits/Limits.ts"
import { ReviewNetworksRepo } from "./ReviewNetworksRepo.ts"
import { ReviewNotesRepo } from "./ReviewNotesRepo.ts"
import { ReviewsRepo } from "./ReviewsRepo.ts"

export const noteSweepJob = Job.every("reviews.sweep", {
  description: "Forgets notes of reviews that were deleted a day ago.",
  interval: Duration.hours(1)
})

/** Rows that are looked at for reviews with deleted notes. */
const batch = 1_000

export class NoteSweep extends Context.Service<NoteSweep, {
  readonly run: Effect.Effect<void>
}>()("@filedrive/core/reviews/NoteSweep") {
  static readonly layerNoDeps = Layer.effect(
    NoteSweep,
    Effect.gen(function*() {
      const notes = yield* ReviewNotesRepo
      const networks = yield* ReviewNetworksRepo
      const reviews = yield* ReviewsRepo
      const transaction = yield* AccountTransaction

      const run = Effect.gen(function*() {
        const time = DateTime.toDateUtc(DateTime.subtractDuration(yield* DateTime.now, Limits.deletedNoteLifetime))
        for (;;) {
          const found = yield* notes.withDeleted(time, batch)
          if (found.length === 0) return
          for (const { accountId, reviewId } of found) {
            yield* transaction.share(accountId, () =>
              Effect.flatMap(
                notes.forgetDeleted(accountId, reviewId, time),
                (gone) =>
                  Effect.andThen(
                    reviews.release(accountId, reviewId, gone.length),
                    networks.giveBack(accountId, reviewId, gone)
                  )
              ))
          }
        }
      }).pipe(WritePurpose.freeing, Effect.withSpan("NoteSweep.run"))
      yield* noteSweepJob.handle(run)

      return NoteSweep.of({ run })
    })
  )
}
