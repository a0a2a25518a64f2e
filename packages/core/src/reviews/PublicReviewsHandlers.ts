/** Binds {@link PublicReviewsApi} to {@link PublicReviews} and {@link ReviewersNotes}. */
import { DateTime, Effect, Scope, Stream } from "effect"
import { Headers, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { SessionToken } from "../accounts/Session.ts"
import { Sessions } from "../accounts/Sessions.ts"
import { Events } from "../events/Events.ts"
import { guards, ofError } from "../http/Answers.ts"
import { fromDriveError, TooManyRequests } from "../http/ApiError.ts"
import * as Bearer from "../http/Bearer.ts"
import * as Handlers from "../http/Handlers.ts"
import { apiResource, HttpConfig } from "../http/HttpConfig.ts"
import * as Limits from "../limits/Limits.ts"
import { LinkCall } from "../links/LinkCall.ts"
import * as LiveReviews from "./LiveReviews.ts"
import * as NoteStream from "./NoteStream.ts"
import { PublicReviews, type Visitor } from "./PublicReviews.ts"
import { PublicReviewsApi } from "./PublicReviewsApi.ts"
import { ReviewersNotes } from "./ReviewersNotes.ts"

/** `X-Accel-Buffering`: nginx would collect the events until its buffer is full. */
/** A feed is neither kept nor gathered on its way. */
const headers = { "cache-control": "no-store, no-transform", "x-accel-buffering": "no", ...guards }

const retryAfterSeconds = 15

const tooManyStreams = ofError(
  TooManyRequests.after(
    retryAfterSeconds,
    `A review has at most ${Limits.liveReviews.perReview} live streams, and ${Limits.liveReviews.perAddress} of one ` +
      "address; close one and try again."
  ),
  Headers.fromInput({ "cache-control": "no-store" })
)!

const deleted = { deleted: true }

export const PublicReviewsHandlers = Handlers.group(
  PublicReviewsApi,
  Effect.gen(function*() {
    const reviews = yield* PublicReviews
    const notes = yield* ReviewersNotes
    const sessions = yield* Sessions
    const resource = apiResource(yield* HttpConfig)
    const events = yield* Events
    const live = yield* LiveReviews.make

    /** Who calls. A session is not needed; with one, its user is known, and so the owner. */
    const visitorOf = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest | undefined) {
      const token = Bearer.tokenOf(request?.headers.authorization)
      const user = token === "" ? null : yield* sessions.resolve(SessionToken.make(token), resource).pipe(
        Effect.map(({ id }): Visitor => ({ _tag: "User", id })),
        // The link opens without a session as well.
        Effect.catch(() => Effect.succeed(null))
      )
      if (user !== null) return user
      const { network } = yield* LinkCall
      if (network === null) return null
      return {
        _tag: "Stranger",
        address: network,
        userAgent: request?.headers["user-agent"] ?? ""
      } satisfies Visitor
    })

    return {
      openFileReview: ({ payload, request }) =>
        visitorOf(request).pipe(
          Effect.flatMap((visitor) => reviews.open(payload, visitor)),
          Effect.mapBoth({
            // Plain: a hundred notes take longer to encode than to read.
            onSuccess: ({ accessToken, file, followAfter, notes, review, stream, ...media }) =>
              Handlers.plain({
                id: review.id,
                message: review.message,
                allowDownload: review.allowDownload,
                expireTime: review.expireTime && DateTime.formatIso(review.expireTime),
                file,
                stream: stream === null ? null : { ...stream, expireTime: stream.expireTime.toISOString() },
                ...media,
                ...notes,
                followAfter,
                ...accessToken !== undefined && { accessToken }
              }),
            onFailure: fromDriveError
          })
        ),
      selectReviewNotes: ({ payload }) =>
        reviews.notes(payload).pipe(Effect.mapBoth({ onSuccess: Handlers.plain, onFailure: fromDriveError })),
      leaveReviewNote: ({ payload }) =>
        notes.leave(payload).pipe(Effect.mapBoth({
          onSuccess: ({ note, replyTo, reviewerToken }) => Handlers.plain({ ...note, replyTo, reviewerToken }),
          onFailure: fromDriveError
        })),
      editReviewNote: ({ payload: { noteId, reviewerToken, text } }) =>
        notes.edit(noteId, reviewerToken, text).pipe(
          Effect.mapBoth({ onSuccess: Handlers.plain, onFailure: fromDriveError })
        ),
      deleteOwnReviewNote: ({ payload: { noteId, reviewerToken } }) =>
        notes.remove(noteId, reviewerToken).pipe(
          Effect.mapBoth({ onSuccess: () => deleted, onFailure: fromDriveError })
        ),
      followFileReview: Effect.fnUntraced(function*({ query, request }) {
        const call = yield* LinkCall
        const resumed = request.headers["last-event-id"]
        const after = resumed === undefined || resumed === "" ? query.after : resumed
        const hungUp = yield* events.nextHangUp
        const { news, review } = yield* reviews.follow(query.reviewId, after, hungUp).pipe(
          // A page can't set a header of its event stream.
          Effect.provideService(LinkCall, { ...call, accessToken: query.access ?? call.accessToken }),
          Effect.mapError(fromDriveError)
        )
        // The request's own scope, which every host closes once the answer has ended or its caller has disconnected.
        const scope = yield* Effect.orDie(Effect.fromOption(yield* Effect.serviceOption(Scope.Scope)))
        if (!(yield* Scope.provide(live.open(review.id, call.network), scope))) return tooManyStreams
        return HttpServerResponse.stream(
          NoteStream.encode(news).pipe(
            // The answer has begun, so no error can be sent: the stream ends, and its client reconnects.
            Stream.catchCause((cause) =>
              Stream.fromEffectDrain(Effect.logWarning("A live stream of notes ended.", cause))
            )
          ),
          { contentType: "text/event-stream", headers }
        )
      })
    }
  })
)
