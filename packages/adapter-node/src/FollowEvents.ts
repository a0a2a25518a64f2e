/** What happens on a user's drive, as it happens, for a host's own code. */
import {
  ActiveAccounts,
  CurrentAccount,
  DatabaseFault,
  type DriveEvent,
  type EventKind,
  EventQuery,
  Events,
  Given
} from "@filedrive/core"
import { Effect, Stream } from "effect"
import { object } from "./arguments.ts"
import { refuse, toDriveError } from "./DriveError.ts"
import type { Run } from "./UserDrive.ts"

/** An event with the cursor that a reader who has had it goes on from. */
export type FollowedEvent = DriveEvent & { readonly cursor: string }

/** What of a feed is asked for; every field narrows it. */
export interface FollowOptions {
  /** A cursor as it was answered, or an ISO 8601 time. Default: 24 hours ago. */
  readonly since?: string
  readonly kinds?: ReadonlyArray<EventKind>
  readonly folder?: string
  readonly requestId?: string
  readonly reviewId?: string
  readonly fileId?: string
  readonly generationId?: string
  /** Ends the reading, also while it waits. */
  readonly signal?: AbortSignal
}

/**
 * Events as they happen, after those since `since`. It ends when the reader stops, with `signal`, with the
 * drive, or within 5 seconds of the user being suspended or gone; a slow reader holds nothing back.
 */
export type FollowEvents = (options?: FollowOptions) => AsyncIterable<FollowedEvent>

const aborted = (signal: AbortSignal) =>
  Effect.callback<void>((resume) => {
    const stop = () => resume(Effect.void)
    if (signal.aborted) return stop()
    signal.addEventListener("abort", stop, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", stop))
  })

/** By what is used of it: a host may have one of another library's. */
const isSignal = (given: unknown): boolean =>
  typeof (given as Partial<AbortSignal> | null)?.addEventListener === "function"

const readQuery = Given.checking(EventQuery)

export const followEvents = (run: Run, caller: CurrentAccount.CurrentAccount["Service"]): FollowEvents =>
  async function*(options = {}): AsyncIterable<FollowedEvent> {
    const { signal, ...filters } = object(options)
    if (signal !== undefined && !isSignal(signal)) refuse("signal", "must be an AbortSignal")
    const { context, pages } = await run(
      Effect.gen(function*() {
        yield* (yield* ActiveAccounts).check(caller.id)
        const query = yield* readQuery(filters)
        const events = yield* Events
        return { pages: yield* events.follow(query), context: yield* Effect.context<never>() }
      }).pipe(Effect.provideService(CurrentAccount.CurrentAccount, caller))
    )
    const until = signal === undefined ? pages : Stream.interruptWhen(pages, aborted(signal))
    try {
      for await (const page of Stream.toAsyncIterableWith(DatabaseFault.toldByStream(until), context)) {
        for (const { cursor, event } of page.events) yield { ...event, cursor }
      }
    } catch (error) {
      throw toDriveError(error)
    }
  }
