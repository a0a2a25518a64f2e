/** An account's feed: what happened on its drive, in order. Spec: "Events", Drive event feed. Contract: "Events". */
import { Context, DateTime, Duration, Effect, Layer, type Scope, type Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { ActiveAccounts } from "../accounts/ActiveAccounts.ts"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import * as Pipeline from "../database/Pipeline.ts"
import { PollInterval } from "../jobs/JobSignals.ts"
import * as Limits from "../limits/Limits.ts"
import { InvalidField, type Refused } from "../shared/DriveError.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { type AccountId, EventId, type ReviewId, type TaskId } from "../shared/Ids.ts"
import type { DriveEvent, NewEvent } from "./DriveEvent.ts"
import { DriveEventsRepo } from "./DriveEventsRepo.ts"
import * as DriveFeed from "./DriveFeed.ts"
import * as EventCursor from "./EventCursor.ts"
import type { EventFilter, EventPage, EventQuery, EventRange, FollowFrom } from "./EventQuery.ts"
import { EventSignals } from "./EventSignals.ts"
import { EventsRepo } from "./EventsRepo.ts"
import type { Followed, FollowedPage } from "./FollowedPages.ts"
import * as FollowedPages from "./FollowedPages.ts"
import * as SharedReads from "./SharedReads.ts"
import type { StoredEvent } from "./StoredEvent.ts"

/** Runs in the transaction that appends the events. */
type Listener = (accountId: AccountId, events: ReadonlyArray<NewEvent>) => Effect.Effect<void>

export class Events extends Context.Service<Events, {
  /**
   * Appends events to an account's feed, in the order given, as of now.
   *
   * Only inside `AccountTransaction.run` of that account: what is appended is seen if and
   * only if the change it tells of is.
   */
  readonly append: (accountId: AccountId, events: ReadonlyArray<NewEvent>) => Effect.Effect<void>

  /**
   * From now on {@link append} runs this as well, in the same transaction: so what it records is committed with the events. For
   * features above this one, each once.
   */
  readonly onAppended: (run: Listener) => Effect.Effect<void>

  /**
   * A page of the caller's feed. Who passes `nextCursor` back as `since` sees
   * every event exactly once, whatever is committed at the same time. A call
   * reads 20,000 events at most, so a page without events may still have `more`.
   *
   * Fails with `InvalidField` naming `since` (neither a time nor a cursor of this
   * feed) or `folder`, `Refused` (`token_limit`).
   */
  readonly select: (query: EventQuery) => Effect.Effect<EventPage, InvalidField | Refused, CurrentAccount>

  /**
   * The caller's feed as a stream: first what is there, then what happens, for
   * as long as it is read or until {@link hangUp}, and no longer than 5 seconds after its user is suspended or gone. When nothing happens for
   * `heartbeat` a page without events comes, to show how far the reader is.
   *
   * Pages are read as the reader comes to them: a slow one holds nothing back
   * and takes no memory. Fails like {@link select}, before the stream begins, and with `InvalidField` naming `after`.
   */
  readonly follow: (
    query: FollowFrom,
    heartbeat?: Duration.Duration,
    /** When this ends, so does the stream. */
    until?: Effect.Effect<void>
  ) => Effect.Effect<Stream.Stream<EventPage>, InvalidField | Refused, CurrentAccount>

  /**
   * The events of all accounts as a stream of pages, each with its account: first those after the cursor `after` (default:
   * from the first one; `"now"`: none), then those that happen, until {@link hangUp}. For the host's own code: no
   * permission is required. An account's events come in their order, and events of one account and another as their
   * transactions began. Who passes an event's cursor back as `after` sees every later event exactly once.
   *
   * Pages are read as the reader comes to them. Fails before the stream begins.
   */
  readonly followDrive: (
    after?: string
  ) => Effect.Effect<Stream.Stream<ReadonlyArray<DriveFeed.DriveFeedEvent>>, InvalidField>

  /**
   * Another feed of an account, which a feature keeps itself, as a stream like {@link follow}: its followers are woken by
   * {@link announce}, here and in other processes. It is read every two seconds at least.
   */
  readonly followOther: <Page>(followed: Omit<Followed<Page>, "poll">) => Stream.Stream<Page>

  /** Tells followers of a feature's own feed that it has grown; to be called after the commit. */
  readonly announce: (topic: ReviewId | TaskId) => Effect.Effect<void>

  /**
   * While the scope is open, an effect that waits until a topic was announced or {@link hangUp} was called since it last returned, here or
   * in another process. The announcement of another process may be lost: so look every two seconds as well.
   */
  readonly nextChange: (topic: TaskId) => Effect.Effect<Effect.Effect<void>, never, Scope.Scope>

  /** Ends every stream of {@link follow}, {@link followOther} and {@link followDrive} that is open. */
  readonly hangUp: Effect.Effect<void>

  /** Returns an effect that waits for the next {@link hangUp} from now on: for a stream that was made and is not read yet. */
  readonly nextHangUp: Effect.Effect<Effect.Effect<void>>
}>()("@filedrive/core/events/Events") {
  static readonly layerNoDeps = Layer.effect(
    Events,
    Effect.gen(function*() {
      const { sql } = yield* Database
      const repo = yield* EventsRepo
      const random = yield* SecureRandom.SecureRandom
      const signals = yield* EventSignals
      const reads = yield* SharedReads.make<FollowedPage<EventPage>>()
      const others = yield* SharedReads.make<FollowedPage<unknown>>()
      const active = yield* ActiveAccounts
      const pollInterval = yield* PollInterval
      const drive = yield* DriveFeed.make(signals, pollInterval, toEvent)

      const listeners: Array<Listener> = []

      const append = Effect.fn("Events.append")(function*(accountId: AccountId, events: ReadonlyArray<NewEvent>) {
        if (events.length === 0) return
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const named = yield* Effect.forEach(
          events,
          (event) => Effect.map(random.uuidV7(), (id) => ({ ...event, id: EventId.make(id) }))
        )
        yield* Pipeline.unawaited(repo.append(accountId, named, now))
        for (const run of listeners) yield* run(accountId, events)
        yield* sql.afterCommit(signals.announce(accountId))
      })

      const nextChange: Events["Service"]["nextChange"] = (topic) =>
        Effect.map(
          signals.watch(topic),
          ({ grown, isEnded }) => Effect.andThen(grown.await, Effect.sync(() => isEnded() || grown.closeUnsafe()))
        )

      /** Whose feed is read, from where, and what of it. */
      const read = Effect.fnUntraced(function*({ after, folder, since, ...filters }: FollowFrom) {
        const { id, limits } = yield* allowed("read")
        const wrong = after === undefined ? wrongSince : wrongAfter
        const start = after === "now"
          ? EventCursor.beginning
          : after !== undefined
          ? EventCursor.parseCursor(after)
          : since === undefined
          ? { time: DateTime.toDateUtc(DateTime.subtractDuration(yield* DateTime.now, Limits.eventsPeriod)) }
          : EventCursor.parse(since)
        const foldedPath = FolderPath.folded(folder)
        const filter: EventFilter = { ...filters, foldedPath, withinFolder: limits.folderId }
        if (start === undefined) return yield* wrong
        const range = yield* repo.begin(id, start)
        if (after === "now") return { accountId: id, filter, range: { ...range, after: range.until } }
        // Only a cursor of another feed is past the last event of this one.
        return range.after > range.until ? yield* wrong : { accountId: id, filter, range }
      })

      const readPage = Effect.fnUntraced(
        function*(accountId: AccountId, filter: EventFilter, whole: EventRange, limit: number) {
          const range = yield* repo.reach(accountId, filter, whole)
          const found = range.until === range.after ? [] : yield* repo.page(accountId, filter, range, limit + 1)
          const shown = found.slice(0, limit)
          const last = found.length > limit ? shown.at(-1)!.seq : range.until
          const page: EventPage = {
            events: shown.map((event) => ({ cursor: EventCursor.format(event.seq), event: toEvent(event) })),
            nextCursor: EventCursor.format(last),
            more: last < whole.until
          }
          return { page, isEmpty: page.events.length === 0, last, more: page.more }
        }
      )

      /** The events after one, at most a page of them. */
      const readAfter = Effect.fnUntraced(function*(accountId: AccountId, filter: EventFilter, after: number) {
        const { until } = yield* repo.begin(accountId, { after })
        return yield* readPage(accountId, filter, { after, until }, Limits.eventsPage.max)
      })

      const select = Effect.fn("Events.select")(
        function*({ limit, ...query }: EventQuery) {
          const { accountId, filter, range } = yield* read(query)
          return (yield* readPage(accountId, filter, range, limit ?? Limits.eventsPage.byDefault)).page
        }
      )

      const follow: Events["Service"]["follow"] = Effect.fn("Events.follow")(
        function*(query, heartbeat = Limits.eventsHeartbeat, until = Effect.never) {
          const { accountId, filter, range } = yield* read(query)
          return FollowedPages.follow(signals, reads, {
            topic: accountId,
            accountId,
            after: range.after,
            key: (after) => JSON.stringify([after, filter]),
            read: (after) => readAfter(accountId, filter, after),
            heartbeat,
            poll: pollInterval,
            until: Effect.raceFirst(until, active.untilOut(accountId))
          })
        }
      )

      const followOther: Events["Service"]["followOther"] = (followed) =>
        FollowedPages.follow(signals, others, {
          ...followed,
          poll: Duration.min(pollInterval, otherPoll),
          until: Effect.raceFirst(followed.until, active.untilOut(followed.accountId))
        }) as Stream.Stream<never>

      return Events.of({
        append,
        onAppended: (run) => Effect.sync(() => void listeners.push(run)),
        nextChange,
        select,
        follow,
        followDrive: drive.follow,
        followOther,
        announce: signals.announce,
        hangUp: signals.hangUp,
        nextHangUp: signals.nextHangUp
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide(Layer.mergeAll(EventsRepo.layer, DriveEventsRepo.layer, EventSignals.layer, ActiveAccounts.layer))
  )
}

/** A feed of a feature's own ends by what its reads find, so they are not far apart. */
const otherPoll = Duration.seconds(2)

const wrongSince = new InvalidField({
  code: "invalid_field",
  field: "since",
  because: "must be a `nextCursor` of this feed as it was answered, or an ISO 8601 time like 2026-09-28T12:00:00.000Z"
})

const wrongAfter = new InvalidField({
  code: "invalid_field",
  field: "after",
  because: "must be the `cursor` of an event of this feed, or \"now\""
})

const toEvent = ({ id, kind, payload, time }: StoredEvent): DriveEvent =>
  ({ id, kind, time: time.toISOString(), ...payload }) as DriveEvent
