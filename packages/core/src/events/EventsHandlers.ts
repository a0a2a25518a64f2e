/** Binds {@link EventsApi} to {@link Events}. */
import { Effect, type Latch, Scope, Stream } from "effect"
import { Headers, HttpServerResponse } from "effect/http"
import { CurrentAccount } from "../accounts/CurrentAccount.ts"
import { SessionToken } from "../accounts/Session.ts"
import { guards, ofError } from "../http/Answers.ts"
import { fromDriveError, TooManyRequests } from "../http/ApiError.ts"
import * as Bearer from "../http/Bearer.ts"
import * as Handlers from "../http/Handlers.ts"
import * as Limits from "../limits/Limits.ts"
import { Events } from "./Events.ts"
import { EventsApi } from "./EventsApi.ts"
import * as EventStream from "./EventStream.ts"
import * as LiveFeeds from "./LiveFeeds.ts"

/** `X-Accel-Buffering`: nginx would collect the events until its buffer is full. */
/** A feed is neither kept nor gathered on its way. */
const headers = { "cache-control": "no-store, no-transform", "x-accel-buffering": "no", ...guards }

const retryAfterSeconds = 15

const tooManyFeeds = ofError(
  new TooManyRequests({
    error: `An account has at most ${Limits.liveFeeds.perAccount} live feeds at a time; close one and try again.`,
    code: "rate_limited",
    retryable: true
  }),
  Headers.fromInput({ "cache-control": "no-store", "retry-after": String(retryAfterSeconds) })
)!

export const EventsHandlers = Handlers.group(
  EventsApi,
  Effect.gen(function*() {
    const events = yield* Events
    const feeds = yield* LiveFeeds.make
    return {
      selectDriveEvents: ({ payload }) =>
        events.select(payload ?? {}).pipe(
          Effect.mapBoth({
            onSuccess: ({ events, ...page }) => Handlers.plain({ events: events.map(({ event }) => event), ...page }),
            onFailure: fromDriveError
          })
        ),
      followDriveEvents: Effect.fnUntraced(function*({ query, request }) {
        const { id } = yield* CurrentAccount
        const resumed = request.headers["last-event-id"]
        const token = SessionToken.make(Bearer.tokenOf(request.headers.authorization))
        const until: { feed: { readonly ended: Latch.Latch } | null } = { feed: null }
        const hungUp = yield* events.nextHangUp
        const pages = yield* Effect.mapError(
          events.follow(
            resumed === undefined || resumed === "" ? query : { ...query, since: resumed },
            Limits.eventsHeartbeat,
            // From within, so that nothing comes between the stream and what else ends it.
            Effect.suspend(() => Effect.raceFirst(until.feed?.ended.await ?? Effect.never, hungUp))
          ),
          fromDriveError
        )
        // The request's own scope, which every host closes once the answer has ended or its caller has disconnected.
        const scope = yield* Effect.orDie(Effect.fromOption(yield* Effect.serviceOption(Scope.Scope)))
        const feed = yield* Scope.provide(feeds.open(id, token), scope)
        if (feed === null) return tooManyFeeds
        until.feed = feed
        return HttpServerResponse.stream(
          EventStream.encode(
            pages.pipe(
              // The last step before an event leaves.
              Stream.mapEffect((page) => Effect.map(feed.mayHandOut, (may) => may ? page : null)),
              Stream.takeWhile((page) => page !== null)
            )
          ).pipe(
            // The answer has begun, so no error can be sent: the stream ends, and its client reconnects.
            Stream.catchCause((cause) => Stream.fromEffectDrain(Effect.logWarning("A live feed ended.", cause)))
          ),
          { contentType: "text/event-stream", headers }
        )
      })
    }
  })
)
