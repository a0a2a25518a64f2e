/** Reviews as people at their links see them. Contract: "File requests and reviews: the public side". */
import { Context, Effect, Layer, PartitionedSemaphore, type Stream } from "effect"
import { Digest } from "effect/crypto"
import * as FrameRate from "../facts/FrameRate.ts"
import type { StoredFile } from "../files/StoredFile.ts"
import * as Limits from "../limits/Limits.ts"
import { LinkCall, siteOf } from "../links/LinkCall.ts"
import { PublicLinks } from "../links/PublicLinks.ts"
import type { InvalidField, NotFound, RateLimited, Refused, Unavailable } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"
import * as SecretToken from "../shared/SecretToken.ts"
import { type FileViewer, FileViews } from "../views/FileViews.ts"
import { LiveNotes, type NoteNews } from "./LiveNotes.ts"
import { NoteList, type NotesPage, type OfReview, type PageOptions } from "./NoteList.ts"
import * as Review from "./Review.ts"
import { ReviewedMedia, type ShownMedia } from "./ReviewedMedia.ts"
import type { ReviewerToken } from "./ReviewNote.ts"
import { ReviewsRepo } from "./ReviewsRepo.ts"

/** Who opens a review; null where nothing is known of them, and nothing is counted. */
export type Visitor = FileViewer | null

/** The file with what a player needs to know of it. */
export interface PlayedFile extends Review.ReviewedFile {
  /** Seconds. */
  readonly duration: number | null
  /** Frames a second. */
  readonly frameRate: number | null
  readonly width: number | null
  readonly height: number | null
}

export interface OpenedReview extends ShownMedia {
  readonly review: Review.StoredReview
  readonly file: PlayedFile
  readonly notes: NotesPage
  /** After which {@link PublicReviews} follows, so that no note is missed. */
  readonly followAfter: string
  readonly accessToken: string | undefined
}

type Failure = InvalidField | NotFound | Refused | RateLimited | Unavailable

export class PublicReviews extends Context.Service<PublicReviews, {
  /**
   * Opens a review: its file with links to play it, and the first notes. Counts as an open of the file by the visitor, unless that is
   * its owner. A file in trash, or deleted, has no links.
   *
   * Fails like `PublicLinks.open`, and with `Refused` (`review_closed`) when it is closed or has expired.
   */
  readonly open: (request: Review.OpenReview, visitor: Visitor) => Effect.Effect<OpenedReview, Failure, LinkCall>

  /** The notes from a place on. Fails like `PublicLinks.enter`, with `review_closed`, and with `InvalidField` naming `cursor`. */
  readonly notes: (query: Review.NotesQuery) => Effect.Effect<NotesPage, Failure, LinkCall>

  /**
   * The notes that are left or changed after a position, as they come, until the review closes, expires, is deleted or gets another
   * password, or `until` ends. `after`: as it was answered; without it those that come from now on.
   *
   * Fails before the stream begins, like {@link notes}, naming `after`.
   */
  readonly follow: (
    sentId: string,
    after: string | undefined,
    until: Effect.Effect<void>
  ) => Effect.Effect<
    { readonly review: Review.StoredReview; readonly news: Stream.Stream<NoteNews> },
    Failure,
    LinkCall
  >
}>()("@filedrive/core/reviews/PublicReviews") {
  static readonly layerNoDeps = Layer.effect(
    PublicReviews,
    Effect.gen(function*() {
      const repo = yield* ReviewsRepo
      const list = yield* NoteList
      const live = yield* LiveNotes
      const links = yield* PublicLinks
      const media = yield* ReviewedMedia
      const views = yield* FileViews
      const digest = yield* Digest.Digest

      const hashOf = (token: ReviewerToken | undefined) =>
        token === undefined
          ? Effect.succeed(null)
          : Effect.provideService(SecretToken.hash(token), Digest.Digest, digest)

      const turns = yield* PartitionedSemaphore.make<string>({ permits: Limits.reviewPagesAtOnce })

      /** A page of notes, in the turn of the network that asks for it. */
      const page = (review: OfReview, options: PageOptions) =>
        Effect.flatMap(
          LinkCall,
          ({ network }) =>
            turns.withPermits(network === null ? "" : siteOf(network) ?? network, 1)(list.page(review, options))
        )

      const isOwner = (visitor: FileViewer, owner: AccountId) => visitor._tag === "User" && visitor.id === owner

      const open = Effect.fn("PublicReviews.open")(
        function*({ password, reviewId, reviewerToken }: Review.OpenReview, visitor: Visitor) {
          const { accessToken, link } = yield* links.open(reviewId, password, repo.findByLink)
          const review = yield* Review.opened(link)
          const file = yield* repo.file(review)
          const asking = yield* hashOf(reviewerToken)
          const isThere = file !== null && file.trashTime === null
          const counts = isThere && visitor !== null && !isOwner(visitor, review.accountId)
          const { notes, shown } = yield* Effect.all({
            notes: page(review, { limit: Limits.reviewNotesPage.byDefault, asking }),
            shown: media.of(file, review.allowDownload),
            view: counts ? views.opened(file, visitor) : Effect.void
          }, { concurrency: "unbounded" })
          return {
            review,
            file: played(review, file),
            notes,
            ...shown,
            followAfter: String(review.changeNo),
            accessToken
          }
        }
      )

      const notes: PublicReviews["Service"]["notes"] = Effect.fn("PublicReviews.notes")(
        function*({ cursor, limit = Limits.reviewNotesPage.byDefault, reviewerToken, reviewId }) {
          const review = yield* Review.opened(yield* links.enter(reviewId, repo.findByLink))
          return yield* page(review, { cursor, limit, asking: yield* hashOf(reviewerToken) })
        }
      )

      const follow: PublicReviews["Service"]["follow"] = Effect.fn("PublicReviews.follow")(
        function*(sentId, after, until) {
          const review = yield* Review.opened(yield* links.enter(sentId, repo.findByLink))
          return { review, news: yield* live.follow(review, after, until) }
        }
      )

      return PublicReviews.of({ open, notes, follow })
    })
  )
}

const played = (review: Review.StoredReview, file: StoredFile | null): PlayedFile => ({
  ...review.file,
  duration: file?.duration ?? null,
  frameRate: FrameRate.numberOf(review.frameRate),
  width: file?.width ?? null,
  height: file?.height ?? null
})
