/** What happens on a user's drive, and on the drives of all users, as it happens, for a host's own code. */
import {
  Callers,
  Choice,
  CurrentAccount,
  type DriveEvent,
  type DriveFeedEvent,
  type EventKind,
  type EventPage,
  Events,
  FollowQuery,
  Given,
  Limits
} from "@filedrive/core"
import { Effect, Schema, Stream } from "effect"
import { object } from "./arguments.ts"
import { refusal } from "./DriveError.ts"
import type { DriveServices } from "./DriveLayer.ts"
import { iterate, type Run } from "./Run.ts"
import { failing } from "./StreamIterable.ts"
import type { UserIds } from "./UserIds.ts"

/** An event with the cursor that a reader who has had it continues from. */
export type FollowedEvent = DriveEvent & { readonly cursor: string }

/** Filters of a feed; every field narrows it. */
export interface FollowOptions {
  /** A cursor as it was answered, or an ISO 8601 time. Default: 24 hours ago. */
  readonly since?: string
  /**
   * Instead of `since`, as of the whole drive's feed: the `cursor` of the last event that was handled, or `"now"` for none of
   * those that are there. Null is as if it were left out.
   */
  readonly after?: string | null | undefined
  readonly kinds?: ReadonlyArray<EventKind>
  readonly folder?: string
  readonly requestId?: string
  readonly reviewId?: string
  readonly fileId?: string
  readonly generationId?: string
  /** Ends the reading, also while it waits. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Events as they happen, after those since `since`. It ends when the reader stops, with `signal`, with the
 * drive, or within 5 seconds of the user being suspended or gone, or the folder of the limits; a slow reader holds nothing back.
 */
export type FollowEvents = (options?: FollowOptions) => AsyncIterable<FollowedEvent>

/** An event of any user. */
export type UserEvent = FollowedEvent & { readonly userId: string }

export interface FollowDriveOptions {
  /** The `cursor` of the last event that was handled; `"now"` to skip all past events. Default: from the first event. */
  readonly after?: string | null | undefined
  /** Ends the reading, also while it waits. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The events of all users, then those that happen. A reader that continues with `after` reads every later event exactly once; those
 * of one user come in their order. It ends when the reader stops, with `signal` or with the drive; a slow reader holds
 * nothing back.
 */
export type FollowDriveEvents = (options?: FollowDriveOptions) => AsyncIterable<UserEvent>

/** By what is used of it: a host may have one of another library's. */
const isSignal = (given: unknown): given is AbortSignal =>
  typeof (given as Partial<AbortSignal> | null)?.addEventListener === "function"

/** A feed, and how it is read. */
interface Feed<Options, P, A> {
  /** The options that a reader may give besides `signal` and `after`. */
  readonly names: ReadonlyArray<keyof Options & string>
  readonly open: (options: Readonly<Record<string, unknown>>) => Effect.Effect<Stream.Stream<P>, unknown, DriveServices>
  readonly valuesOf: (page: P) => Iterable<A>
}

/** Reads the pages of a feed as values, until `signal`. */
export const following = <Options extends FollowDriveOptions, P, A>(
  run: Run,
  { names, open, valuesOf }: Feed<Options, P, A>
) =>
(given: Options): AsyncIterable<A> => {
  try {
    const { after, signal, ...others } = object(given, "", [...names, "after", "signal"])
    if (signal !== undefined && !isSignal(signal)) throw refusal("signal", "must be an AbortSignal")
    // A database has null where no cursor has been stored.
    const options = after === undefined || after === null ? others : { ...others, after }
    const opened = Effect.gen(function*() {
      // Before the reading begins: the drive may end its streams before this one is read.
      const hungUp = yield* Events.use((events) => events.nextHangUp)
      return Stream.interruptWhen(yield* open(options), hungUp)
    })
    return iterate(run, { open: opened, valuesOf, signal, whenClosed: "ends" })
  } catch (error) {
    return failing(error)
  }
}

const after = Schema.optionalKey(Schema.String)
const readQuery = Given.checkingExactly(Schema.Struct({ ...FollowQuery.fields, after }))
const readAfter = Given.checkingExactly(Schema.Struct({ after }))

export const followEvents = (run: Run, caller: CurrentAccount.CurrentAccount["Service"]): FollowEvents => {
  const follow = following<FollowOptions, EventPage, FollowedEvent>(run, {
    names: ["since", "kinds", "folder", "requestId", "reviewId", "fileId", "generationId"],
    open: (options) =>
      Effect.gen(function*() {
        const callers = yield* Callers
        const events = yield* Events
        yield* callers.check(caller)
        const query = yield* readQuery(options)
        yield* Choice.atMostOne(query, "since", "after")
        return yield* events.follow(query, Limits.eventsHeartbeat, callers.untilFolderGone(caller))
      }).pipe(Effect.provideService(CurrentAccount.CurrentAccount, caller)),
    valuesOf: ({ events }) => events.map(({ cursor, event }) => ({ ...event, cursor }))
  })
  return (options = {}) => follow(options)
}

export const followDriveEvents = (run: Run, users: UserIds): FollowDriveEvents => {
  const withUsers = (events: ReadonlyArray<DriveFeedEvent>) =>
    Effect.map(
      users.userIdsOf(events.map(({ accountId }) => accountId)),
      (userIdOf) =>
        events.map(({ accountId, cursor, event }): UserEvent => ({ ...event, cursor, userId: userIdOf(accountId) }))
    )
  const follow = following<FollowDriveOptions, ReadonlyArray<UserEvent>, UserEvent>(run, {
    names: [],
    open: (options) =>
      Effect.gen(function*() {
        const { after } = yield* readAfter(options)
        const services = yield* Effect.context<DriveServices>()
        const events = yield* Events.use((events) => events.followDrive(after))
        return Stream.mapEffect(events, (some) => Effect.provideContext(withUsers(some), services))
      }),
    valuesOf: (events) => events
  })
  return (options = {}) => follow(options)
}
