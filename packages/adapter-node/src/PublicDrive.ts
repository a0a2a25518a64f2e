/**
 * The drive as somebody without an account uses it: through a public link.
 *
 * ```ts
 * const { title, accessToken } = await drive.public.openFileRequest({ requestId, password }, { address })
 * ```
 */
import { Given, LinkCall, type NoteEvent, type NoteNews, Operations, PublicReviews } from "@filedrive/core"
import { Effect, Schema } from "effect"
import { object } from "./arguments.ts"
import { type CallOptions, runUntil } from "./CallOptions.ts"
import { following } from "./FollowEvents.ts"
import type { Run } from "./Run.ts"
import { failing } from "./StreamIterable.ts"

/** What a host knows of the caller. */
export interface PublicCallOptions extends CallOptions {
  /** The access token of a link that has a password, as opening the link answered it. */
  readonly access?: string | null | undefined
  /** The caller's IP address: wrong passwords from one address are limited. Without it only those at one link are. */
  readonly address?: string | null | undefined
}

type Operation<Id extends Operations.PublicOperationId> = (
  request: Operations.RequestOf<Id>,
  options?: PublicCallOptions
) => Promise<Operations.AnswerOf<Id>>

/** Which notes are followed. */
export interface FollowReview {
  readonly reviewId: string
  /** The `followAfter` of the opened review, or the `cursor` of the last note that was handled. Default: those that come from now on. */
  readonly after?: string | null | undefined
}

export interface FollowReviewOptions extends PublicCallOptions {
  /** Ends the reading, also while it waits. */
  readonly signal?: AbortSignal | undefined
}

/** A note that was left or changed, as it is then with its replies (`kind` `note`), or the id of one that was deleted (`deleted`). */
export type FollowedNote = NoteEvent

/**
 * The notes of a review as they come. It ends when the reader stops, with `signal`, with the drive, and when the review closes,
 * expires, is deleted or gets another password; a slow reader holds nothing back. The first value rejects with a `DriveError` like
 * `selectReviewNotes`.
 */
export type FollowFileReview = (request: FollowReview, options?: FollowReviewOptions) => AsyncIterable<FollowedNote>

/** Every operation that needs no account but a link, under its id in the OpenAPI document. Each rejects with a `DriveError`. */
export type PublicDrive =
  & { readonly [Id in Operations.PublicOperationId]: Operation<Id> }
  & { readonly followFileReview: FollowFileReview }

const names = ["access", "address", "retries", "signal"] as const
const optional = Schema.optionalKey(Schema.NullOr(Schema.String))
const readOptions = Given.checkingExactly(Schema.Struct({ access: optional, address: optional }))

const readFollowed = Given.checkingExactly(
  Schema.Struct({
    reviewId: Schema.String,
    after: Schema.optionalKey(Schema.String),
    access: optional,
    address: optional
  })
)

const followFileReview = (run: Run): FollowFileReview => {
  const follow = following<FollowReview & FollowReviewOptions, NoteNews, FollowedNote>(run, {
    names: ["reviewId", "access", "address"],
    open: (options) =>
      Effect.gen(function*() {
        const { access = null, address = null, after, reviewId } = yield* readFollowed(options)
        const { linkCall } = yield* Operations.Operations
        const reviews = yield* PublicReviews
        const { news } = yield* Effect.provideService(
          reviews.follow(reviewId, after, Effect.never),
          LinkCall,
          linkCall({ access, address })
        )
        return news
      }),
    valuesOf: ({ events }) => events
  })
  return (request, options = {}) => {
    try {
      const { access, address, signal, ...others } = object(options, "", ["access", "address", "signal"])
      const caller = { ...access !== undefined && { access }, ...address !== undefined && { address } }
      return follow({
        ...others,
        ...object(request, "", ["reviewId", "after"]),
        ...caller,
        ...signal !== undefined && { signal }
      })
    } catch (error) {
      return failing(error)
    }
  }
}

export const publicDrive = (run: Run): PublicDrive => ({
  ...Object.fromEntries(
    Operations.publicIds.map((id) => [
      id,
      async (request: unknown, given: PublicCallOptions = {}) => {
        const { retries: _, signal, ...options } = object(given, "", names)
        const call = Effect.gen(function*() {
          const { access = null, address = null } = yield* readOptions(options)
          const operations = yield* Operations.Operations
          return yield* operations.runPublic(id, request, { access, address })
        })
        return runUntil(run, call, signal)
      }
    ])
  ) as unknown as Omit<PublicDrive, "followFileReview">,
  followFileReview: followFileReview(run)
})
