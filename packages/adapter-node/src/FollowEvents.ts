/** What happens on a user's drive, and on the drives of all users, as it happens, for a host's own code. */
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
import { Effect, Schema, Stream } from "effect"
import { object } from "./arguments.ts"
import { refuse, toDriveError } from "./DriveError.ts"
import type { DriveServices } from "./DriveLayer.ts"
import type { Run } from "./Run.ts"

/** An event with the cursor that a reader who has had it continues from. */
export type FollowedEvent = DriveEvent & { readonly cursor: string }

/** Filters of a feed; every field narrows it. */
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

/** An event of any user. */
export type UserEvent = FollowedEvent & { readonly userId: string }

export interface FollowDriveOptions {
  /** The `cursor` of the last event that was handled; `"now"` to skip all past events. Default: from the first event. */
  readonly after?: string | null | undefined
  /** Ends the reading, also while it waits. */
  readonly signal?: AbortSignal
}

/**
 * The events of all users, then those that happen. A reader that continues with `after` reads every later event exactly once; those
 * of one user come in their order. It ends when the reader stops, with `signal` or with the drive; a slow reader holds
 * nothing back.
 */
export type FollowDriveEvents = (options?: FollowDriveOptions) => AsyncIterable<UserEvent>

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

/** Reads the pages of a feed as values, until `signal`. */
async function* reading<P, A>(
  run: Run,
  signal: AbortSignal | undefined,
  opened: Effect.Effect<Stream.Stream<P>, unknown, DriveServices>,
  valuesOf: (page: P) => Iterable<A>
): AsyncIterable<A> {
  if (signal !== undefined && !isSignal(signal)) refuse("signal", "must be an AbortSignal")
  const { context, hungUp, pages } = await run(
    Effect.all({ hungUp: Events.use((events) => events.nextHangUp), pages: opened, context: Effect.context<never>() })
  )
  // Also when the drive ends its streams before this one is read.
  const live = Stream.interruptWhen(pages, hungUp)
  const until = signal === undefined ? live : Stream.interruptWhen(live, aborted(signal))
  try {
    for await (const page of Stream.toAsyncIterableWith(DatabaseFault.toldByStream(until), context)) {
      yield* valuesOf(page)
    }
  } catch (error) {
    throw toDriveError(error)
  }
}

const readQuery = Given.checking(EventQuery)

export const followEvents = (run: Run, caller: CurrentAccount.CurrentAccount["Service"]): FollowEvents =>
  async function*(options = {}) {
    const { signal, ...filters } = object(options)
    const opened = Effect.gen(function*() {
      yield* (yield* ActiveAccounts).check(caller.id)
      const query = yield* readQuery(filters)
      return yield* (yield* Events).follow(query)
    }).pipe(Effect.provideService(CurrentAccount.CurrentAccount, caller))
    yield* reading(run, signal, opened, ({ events }) => events.map(({ cursor, event }) => ({ ...event, cursor })))
  }

const readAfter = Given.checkingExactly(Schema.Struct({ after: Schema.optionalKey(Schema.String) }))

export const followDriveEvents = (run: Run): FollowDriveEvents =>
  async function*(options = {}) {
    const { after: given, signal, ...others } = object(options)
    // A database has null where no cursor has been stored.
    const rest = given === undefined || given === null ? others : { ...others, after: given }
    const opened = Effect.flatMap(readAfter(rest), ({ after }) => Events.use((events) => events.followDrive(after)))
    yield* reading(
      run,
      signal,
      opened,
      (events) => events.map(({ accountId, cursor, event }) => ({ ...event, cursor, userId: accountId }))
    )
  }
