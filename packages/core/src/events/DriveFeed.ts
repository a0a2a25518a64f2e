/** The feed of the whole drive: the events of all accounts, for the host's own code. */
import { Duration, Effect, Option, Stream } from "effect"
import * as Limits from "../limits/Limits.ts"
import { InvalidField } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"
import * as DriveCursor from "./DriveCursor.ts"
import type { DriveEvent } from "./DriveEvent.ts"
import { DriveEventsRepo } from "./DriveEventsRepo.ts"
import type { EventSignals } from "./EventSignals.ts"
import * as SharedReads from "./SharedReads.ts"
import type { DriveStoredEvent } from "./StoredEvent.ts"

/** An event of any account, with the cursor that a reader who has had it continues from. */
export interface DriveFeedEvent {
  readonly cursor: string
  readonly accountId: AccountId
  readonly event: DriveEvent
}

/**
 * How long a reader waits for an event that is committed and may not be read yet, as an earlier transaction is running:
 * nothing tells when that ends. Doubled each time, up to a second.
 */
export const settlingPause = (tries: number): Duration.Duration => Duration.millis(Math.min(10 * 2 ** tries, 1_000))

const wrongAfter = new InvalidField({
  code: "invalid_field",
  field: "after",
  because: "must be the `cursor` of an event of this drive, or \"now\""
})

export const make = Effect.fnUntraced(function*(
  signals: EventSignals["Service"],
  pollInterval: Duration.Duration,
  toEvent: (stored: DriveStoredEvent) => DriveEvent
) {
  const repo = yield* DriveEventsRepo
  const reads = yield* SharedReads.make<Effect.Success<ReturnType<typeof readPage>>>()

  const readPage = Effect.fnUntraced(function*(after: DriveCursor.DrivePosition) {
    const events = yield* repo.page(after, Limits.eventsPage.max)
    return { events, isWaiting: events.length === 0 && (yield* repo.hasMore(after)) }
  })

  const startOf = Effect.fnUntraced(function*(after: string | undefined) {
    if (after === undefined) return DriveCursor.beginning
    const settled = yield* repo.settled
    if (after === "now") return DriveCursor.before(settled)
    const position = DriveCursor.parse(after)
    // What was answered once had settled: a number from here on is of another drive, or of a database that was set back.
    return position === undefined || position.orderNo >= settled ? yield* wrongAfter : position
  })

  const follow = Effect.fn("Events.followDrive")(function*(after?: string) {
    const start = yield* startOf(after)
    return Stream.unwrap(Effect.gen(function*() {
      const { ended, grown, isEnded } = yield* signals.watch("*")
      return Stream.paginate(
        { after: start, waits: 0 },
        (state) =>
          Effect.gen(function*() {
            if (isEnded()) return [[], Option.none()] as const
            // Closed before the read: an event that comes after it opens the latch again.
            grown.closeUnsafe()
            const { events, isWaiting } = yield* reads.share(
              "*",
              DriveCursor.format(state.after),
              readPage(state.after)
            )
            const last = events.at(-1)
            if (last !== undefined) {
              const page = events.map((stored): DriveFeedEvent => ({
                cursor: DriveCursor.format(stored),
                accountId: stored.accountId,
                event: toEvent(stored)
              }))
              const { accountId, seq, orderNo } = last
              return [[page], Option.some({ after: { accountId, seq, orderNo }, waits: 0 })] as const
            }
            // While it waits for an earlier transaction, further commits don't matter: they would only cause reads that find nothing.
            yield* isWaiting
              ? Effect.raceFirst(Effect.sleep(settlingPause(state.waits)), ended.await)
              : Effect.raceFirst(Effect.sleep(pollInterval), Effect.raceFirst(grown.await, ended.await))
            return [[], Option.some({ ...state, waits: isWaiting ? state.waits + 1 : 0 })] as const
          })
      )
    }))
  })

  return { follow }
})
