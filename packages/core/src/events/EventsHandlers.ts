/** Binds {@link EventsApi} to {@link Events}. */
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { ActiveAccounts } from "../accounts/ActiveAccounts.ts"
import { CurrentAccount } from "../accounts/CurrentAccount.ts"
import { Sessions } from "../accounts/Sessions.ts"
import { guards, json } from "../http/Answers.ts"
import { Api } from "../http/Api.ts"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Events } from "./Events.ts"
import * as EventStream from "./EventStream.ts"

/** `X-Accel-Buffering`: nginx would collect the events until its buffer is full. */
const headers = { "cache-control": "no-store", "x-accel-buffering": "no", ...guards }

export const EventsHandlers = Handlers.group(
  Api,
  "events",
  Effect.gen(function*() {
    const events = yield* Events
    const sessions = yield* Sessions
    const active = yield* ActiveAccounts
    return {
      selectDriveEvents: ({ payload }) =>
        events.select(payload ?? {}).pipe(
          Effect.mapBoth({
            onSuccess: ({ events, ...page }) => json(200, { events: events.map(({ event }) => event), ...page }),
            onFailure: fromDriveError
          })
        ),
      followDriveEvents: ({ query, request }) => {
        const resumed = request.headers["last-event-id"]
        const token = /^bearer +(\S+)\s*$/i.exec(request.headers.authorization ?? "")?.[1] ?? ""
        const isAllowed = Effect.match(sessions.resolve(token), { onSuccess: () => true, onFailure: () => false })
        return Effect.all([
          CurrentAccount,
          events.follow(resumed === undefined || resumed === "" ? query : { ...query, since: resumed })
        ]).pipe(
          Effect.mapBoth({
            onSuccess: ([{ id }, pages]) =>
              HttpServerResponse.stream(
                // Nothing can be answered any more: the stream ends, and its client comes again.
                EventStream.encode(pages, isAllowed).pipe(
                  Stream.interruptWhen(active.untilOut(id)),
                  Stream.catchCause((cause) => Stream.fromEffectDrain(Effect.logWarning("A live feed ended.", cause)))
                ),
                { contentType: "text/event-stream", headers }
              ),
            onFailure: fromDriveError
          })
        )
      }
    }
  })
)
