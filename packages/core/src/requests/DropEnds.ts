/**
 * The ends of drops: finished by their senders or after a day without a sign of life, and what is under way in them when their request
 * no longer accepts files. Contract: "File requests and reviews: the public side".
 */
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { Events } from "../events/Events.ts"
import * as Job from "../jobs/Job.ts"
import { done, retry } from "../jobs/Jobs.ts"
import * as Limits from "../limits/Limits.ts"
import { AccountId, RequestId } from "../shared/Ids.ts"
import { Deliveries } from "../uploads/Deliveries.ts"
import type { Ended } from "../uploads/LeftUploads.ts"
import { Waits } from "../waits/Waits.ts"
import type { Drop } from "./Drop.ts"
import * as DropEvent from "./DropEvent.ts"
import { DropRemovals } from "./DropRemovals.ts"
import { DropsRepo } from "./DropsRepo.ts"
import * as DropState from "./DropState.ts"
import * as RequestState from "./RequestState.ts"

export const requestExpiryJob = Job.define("requests.expire", {
  description: "Ends what senders have under way at a request that has expired, and releases its bytes.",
  when: "when the request expires",
  key: Job.key({ accountId: AccountId, requestId: RequestId })
})

export const dropSweepJob = Job.every("drops.sweep", {
  description: "Finishes drops that were idle for a day, and removes what nobody needs of ended ones.",
  interval: Duration.hours(1)
})

const batch = 200

export class DropEnds extends Context.Service<DropEnds, {
  /**
   * Ends what is under way at a request that was closed, and releases its bytes. Returns what {@link clear} removes after the commit.
   * Only inside the `AccountTransaction.run` that closes it.
   */
  readonly onClosed: (accountId: AccountId, requestId: RequestId) => Effect.Effect<Ended>

  /** The same for a request that is deleted: its drops keep its title, and those under way can still be finished. */
  readonly onDeleted: (
    accountId: AccountId,
    request: { readonly id: RequestId; readonly title: string }
  ) => Effect.Effect<Ended>

  /** Makes storage refuse what has ended and removes what it has of it, after the commit. What it does not confirm is left to jobs. */
  readonly clear: (accountId: AccountId, ended: Ended) => Effect.Effect<void>

  /** Ends at this time what is then under way. Called whenever a request gets an `expireTime`; only inside `AccountTransaction.run`. */
  readonly expireAt: (accountId: AccountId, requestId: RequestId, time: DateTime.Utc) => Effect.Effect<void>

  /** Finishes a drop: one event if it has files, and what was not recorded ends. Nothing happens to one that is finished. */
  readonly finish: (drop: Drop) => Effect.Effect<void>

  /** One pass over the idle drops of all accounts; for the job. */
  readonly sweep: Effect.Effect<void>
}>()("@filedrive/core/requests/DropEnds") {
  static readonly layerNoDeps = Layer.effect(
    DropEnds,
    Effect.gen(function*() {
      const deliveries = yield* Deliveries
      const events = yield* Events
      const removals = yield* DropRemovals
      const repo = yield* DropsRepo
      const transaction = yield* AccountTransaction
      const waits = yield* Waits
      const expiries = yield* requestExpiryJob.queue

      /** Within the transaction in which the request closes, expires or is deleted. */
      const endOf = (accountId: AccountId, requestId: RequestId) =>
        Effect.andThen(waits.onChanged(accountId, ["request_files"], [requestId]), deliveries.end(accountId, requestId))

      const onClosed = endOf

      const onDeleted: DropEnds["Service"]["onDeleted"] = (accountId, { id, title }) =>
        Effect.andThen(repo.keepTitle(accountId, id, title), endOf(accountId, id))

      const { clear } = deliveries

      const expireAt = (accountId: AccountId, requestId: RequestId, time: DateTime.Utc) =>
        expiries.enqueue({ accountId, requestId }, time)

      const finish = Effect.fn("DropEnds.finish")(function*(drop: Drop) {
        const { accountId } = drop
        const now = yield* DateTime.now
        const ended = yield* transaction.run(accountId, () =>
          Effect.gen(function*() {
            const finished = yield* repo.finish(accountId, drop.id, now)
            if (finished === undefined) return undefined
            const ended = yield* deliveries.end(accountId, drop.requestId, drop.id)
            const files = yield* repo.presentFiles(drop)
            if (files.length > 0) yield* events.append(accountId, [DropEvent.of(drop, finished, files)])
            return ended
          }))
        if (ended !== undefined) yield* clear(accountId, ended)
      }, WritePurpose.freeing)

      /** When a part last arrived of what a drop has open: parts go straight to storage, and nobody else hears of them. */
      const lastPartTime = Effect.fnUntraced(
        function*({ accountId, activeTime, id, requestId }: Drop, now: DateTime.Utc) {
          const uploads = yield* deliveries.uploads(accountId, requestId, id)
          const newest = uploads.reduce((last, upload) => DateTime.max(last, upload.lastPartTime), activeTime)
          // The clock of storage is not ours.
          return DateTime.min(newest, now)
        }
      )

      /** Finishes a drop that is idle. False when storage could not be asked. */
      const sweepOne = Effect.fnUntraced(function*(drop: Drop) {
        const now = yield* DateTime.now
        const activeTime = yield* lastPartTime(drop, now)
        if (DropState.isIdle({ activeTime }, now)) yield* finish(drop)
        else yield* transaction.share(drop.accountId, () => repo.setActive(drop.accountId, drop.id, activeTime))
        return true
      }, Effect.catch((error) => Effect.as(Effect.logWarning("An idle drop could not be checked", error), false)))

      const sweepIdle = Effect.gen(function*() {
        const before = DateTime.subtractDuration(yield* DateTime.now, Limits.idleDropLifetime)
        const idle = yield* repo.idleSince(before, batch)
        const swept = yield* Effect.forEach(idle, sweepOne)
        return idle.length === batch && swept.includes(true)
      })

      const forget = Effect.map(
        Effect.flatMap(DateTime.now, (now) => repo.forgetExpired(now, batch)),
        (count) => count === batch
      )

      /** Repeats a step that works in batches while there is more to do. */
      const toTheEnd = (step: Effect.Effect<boolean>) => Effect.repeat(step, { while: (isMore) => isMore })

      const sweep = Effect.andThen(toTheEnd(sweepIdle), toTheEnd(forget)).pipe(
        Effect.andThen(removals.sweep),
        Effect.catch((error) => Effect.logWarning("Files that were taken back could not be deleted yet", error)),
        WritePurpose.freeing,
        Effect.withSpan("DropEnds.sweep")
      )
      yield* dropSweepJob.handle(sweep)

      yield* requestExpiryJob.handle(Effect.fnUntraced(function*({ accountId, requestId }) {
        const now = yield* DateTime.now
        const request = yield* repo.request(accountId, requestId)
        // It may have another time by now.
        if (request !== null && !RequestState.isExpired(request, now)) {
          return request.expireTime === null ? done : retry(request.expireTime)
        }
        yield* clear(accountId, yield* transaction.run(accountId, () => endOf(accountId, requestId)))
        return done
      }, WritePurpose.freeing))

      return DropEnds.of({ onClosed, onDeleted, clear, expireAt, finish, sweep })
    })
  )
}
