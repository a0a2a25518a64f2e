/**
 * A feed as a stream of pages: first what is there, then what comes, for as long as it is read. Pages are read as the reader comes to
 * them, so a slow one holds nothing back and takes no memory.
 */
import { Clock, Duration, Effect, Option, Stream } from "effect"
import type { AccountId } from "../shared/Ids.ts"
import type { EventSignals, Topic } from "./EventSignals.ts"
import type { SharedReads } from "./SharedReads.ts"

/** What was read of a feed after a position. */
export interface FollowedPage<Page> {
  readonly page: Page
  /** Whether the page holds nothing: then it is only handed on to show that the stream lives. */
  readonly isEmpty: boolean
  /** The position after all that was read. */
  readonly last: number
  readonly more: boolean
  /** Whether the stream ends with this page. */
  readonly isOver?: boolean
  /** It is read again at this time at the latest (Unix time in milliseconds), although nothing was announced. */
  readonly readAgain?: number | null
}

export interface Followed<Page> {
  readonly topic: Topic
  /** Whose feed it is: reads of one account run one after the other. */
  readonly accountId: AccountId
  /** The position after which it begins. */
  readonly after: number
  /** Equal reads of one account have equal keys, and run once for all who wait. */
  readonly key: (after: number) => string
  readonly read: (after: number) => Effect.Effect<FollowedPage<Page>>
  /** When nothing happens for so long an empty page comes. */
  readonly heartbeat: Duration.Duration
  /** It is read so often at least: announcements may be lost. */
  readonly poll: Duration.Duration
  /** When this ends, so does the stream. */
  readonly until: Effect.Effect<void>
}

export const follow = <Page>(
  signals: EventSignals["Service"],
  reads: SharedReads<FollowedPage<Page>>,
  { accountId, after, heartbeat, key, poll, read, topic, until }: Followed<Page>
): Stream.Stream<Page> =>
  Stream.unwrap(Effect.gen(function*() {
    const quietMillis = Duration.toMillis(heartbeat)
    const pollMillis = Duration.toMillis(poll)
    const { end, ended, grown, isEnded } = yield* signals.watch(topic)
    yield* Effect.forkScoped(Effect.andThen(until, Effect.sync(end)))
    /** `after`: the position that the reader has come to; `said`: when it last got a page. */
    return Stream.paginate(
      { after, said: yield* Clock.currentTimeMillis },
      (state) =>
        Effect.gen(function*() {
          if (isEnded()) return [[], Option.none()] as const
          // Closed before the read: what comes after it opens the latch again.
          grown.closeUnsafe()
          const { isEmpty, isOver, last, more, page, readAgain } = yield* reads.share(
            accountId,
            key(state.after),
            read(state.after)
          )
          const now = yield* Clock.currentTimeMillis
          if (isOver === true) return [isEmpty ? [] : [page], Option.none()] as const
          if (!isEmpty || now - state.said >= quietMillis) {
            return [[page], Option.some({ after: last, said: now })] as const
          }
          if (!more) {
            const due = Math.min(now + pollMillis, state.said + quietMillis, readAgain ?? Infinity)
            const wait = Effect.sleep(Duration.millis(Math.max(0, due - now)))
            yield* Effect.raceFirst(wait, Effect.raceFirst(grown.await, ended.await))
          }
          return [[], Option.some({ after: last, said: state.said })] as const
        })
    )
  }))
