/**
 * How those who follow a feed learn that it has grown: at once by a commit of
 * this process, and by a notification of others where the database has them.
 *
 * The notification is sent after the commit and outside of it, for everything
 * of a moment together: a NOTIFY within a transaction makes PostgreSQL's commits
 * wait for each other. A lost one only delays readers until their next poll.
 */
import { Context, Duration, Effect, Latch, Layer, type Scope, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { Database } from "../database/Database.ts"
import type { AccountId, ReviewId, TaskId } from "../shared/Ids.ts"
import { EventsRepo } from "./EventsRepo.ts"

/** What can be followed: an account's feed, the notes of a review, a task, or (`"*"`) the feeds of all accounts. */
export type Topic = AccountId | ReviewId | TaskId | "*"

/**
 * Payloads heard on the jobs' channel, of which those of feeds begin with
 * {@link feedMark}; null where nobody else uses the database. A stream is
 * listened to only while somebody follows a feed.
 */
export const EventWakeUps = Context.Reference<Stream.Stream<string> | null>(
  "@filedrive/core/events/EventWakeUps",
  { defaultValue: () => null }
)

const feedMark = "feed"

/** A process notifies others at most so often, however much it writes. */
const sendInterval = Duration.millis(50)

/** A payload has at most 8,000 bytes; above this many topics it wakes every reader. */
const topicsPerPayload = 150

/** One follower of a feed. */
export interface Watch {
  /** Open when the feed may have grown since it was closed. */
  readonly grown: Latch.Latch
  /** Open once the follower is to stop, as {@link isEnded} says. */
  readonly ended: Latch.Latch
  readonly isEnded: () => boolean
  readonly end: () => void
}

export class EventSignals extends Context.Service<EventSignals, {
  /** Announces that an account's feed, or the notes of a review, or a task, have changed; to be called after the commit. */
  readonly announce: (topic: AccountId | ReviewId | TaskId) => Effect.Effect<void>
  /** Watches a topic while the scope is open. */
  readonly watch: (topic: Topic) => Effect.Effect<Watch, never, Scope.Scope>
  /** Ends every stream that follows a feed now; those that begin later live. */
  readonly hangUp: Effect.Effect<void>
  /** What waits for the next {@link hangUp} from now on, for a stream that is not read yet. */
  readonly nextHangUp: Effect.Effect<Effect.Effect<void>>
}>()("@filedrive/core/events/EventSignals") {
  static readonly layer = Layer.effect(
    EventSignals,
    Effect.gen(function*() {
      const { schema } = yield* Database
      const { notify } = yield* EventsRepo
      const wakeUps = yield* EventWakeUps
      const sender = yield* (yield* SecureRandom.SecureRandom).uuidV4()
      const watches = new Map<Topic, Set<Watch>>()
      const unsent = new Set<AccountId | ReviewId | TaskId>()
      const outbox = yield* Latch.make()

      const wakeThoseOf = (topic: Topic) => {
        for (const { grown } of watches.get(topic) ?? []) grown.openUnsafe()
      }
      const wake = (topic: AccountId | ReviewId | TaskId) => {
        wakeThoseOf(topic)
        wakeThoseOf("*")
      }

      const announce = (topic: AccountId | ReviewId | TaskId) =>
        Effect.sync(() => {
          wake(topic)
          if (wakeUps === null) return
          unsent.add(topic)
          outbox.openUnsafe()
        })

      const send = Effect.gen(function*() {
        yield* outbox.await
        outbox.closeUnsafe()
        const topics = unsent.size > topicsPerPayload ? "*" : [...unsent].join(",")
        unsent.clear()
        yield* notify([feedMark, schema, sender, topics].join(" "))
        yield* Effect.sleep(sendInterval)
      }).pipe(
        Effect.catchCause((cause) =>
          Effect.andThen(Effect.logWarning("Other processes were not told of events.", cause), Effect.sleep("1 second"))
        )
      )
      if (wakeUps !== null) yield* Effect.forkScoped(Effect.forever(send))

      const heard = (payload: string) => {
        const [mark, where, from, topics = ""] = payload.split(" ")
        if (mark !== feedMark || where !== schema || from === sender) return
        wakeThoseOf("*")
        for (const topic of topics === "*" ? watches.keys() : topics.split(",")) wakeThoseOf(topic as Topic)
      }

      const listen = wakeUps === null
        ? Effect.void
        : Effect.forkScoped(Stream.runForEach(wakeUps, (payload) => Effect.sync(() => heard(payload))))

      const watch = Effect.fnUntraced(function*(topic: Topic) {
        let isEnded = false
        const ended = yield* Latch.make()
        const mine: Watch = {
          grown: yield* Latch.make(),
          ended,
          isEnded: () => isEnded,
          end: () => {
            isEnded = true
            ended.openUnsafe()
          }
        }
        yield* Effect.acquireRelease(
          Effect.sync(() => {
            const others = watches.get(topic)
            if (others === undefined) watches.set(topic, new Set([mine]))
            else others.add(mine)
          }),
          () =>
            Effect.sync(() => {
              const all = watches.get(topic)
              all?.delete(mine)
              if (all?.size === 0) watches.delete(topic)
            })
        )
        yield* listen
        return mine
      })

      let hungUp = Latch.makeUnsafe()
      const nextHangUp = Effect.sync(() => hungUp.await)

      const hangUp = Effect.sync(() => {
        hungUp.openUnsafe()
        hungUp = Latch.makeUnsafe()
        for (const all of watches.values()) {
          for (const watch of all) watch.end()
        }
      })

      return EventSignals.of({ announce, watch, hangUp, nextHangUp })
    })
  ).pipe(Layer.provide(EventsRepo.layer))
}
