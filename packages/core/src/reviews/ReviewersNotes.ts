/** What people at a review's link write. Contract: "File requests and reviews: the public side". */
import { Context, Effect, Layer } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { Events } from "../events/Events.ts"
import { noSuchLink } from "../links/Link.ts"
import { LinkCall } from "../links/LinkCall.ts"
import { PublicLinks } from "../links/PublicLinks.ts"
import { InvalidField, NotFound, type RateLimited, type Refused, type Unavailable } from "../shared/DriveError.ts"
import type { NoteId, ReviewId } from "../shared/Ids.ts"
import * as SecretToken from "../shared/SecretToken.ts"
import { NoteChanges } from "./NoteChanges.ts"
import * as Review from "./Review.ts"
import { type NewNote, type NoteText, ReviewerToken, type ReviewNote } from "./ReviewNote.ts"
import { ReviewNotesRepo } from "./ReviewNotesRepo.ts"
import { ReviewsRepo } from "./ReviewsRepo.ts"
import { isSameHash, secondsOf, shownNote, type StoredNote } from "./StoredNote.ts"

export interface LeftNote {
  /** The note, or the reply in the form of a note. */
  readonly note: ReviewNote
  /** What it is a reply to. */
  readonly replyTo: NoteId | null
  readonly reviewerToken: ReviewerToken
}

type Failure = InvalidField | NotFound | Refused | RateLimited | Unavailable

/** How a reviewer's token begins. */
const tokenPrefix = "fdr_"

/** As {@link SecretToken.make} makes them: others would be no secret. */
const isToken = (text: string): boolean => /^fdr_[\w-]{43}$/.test(text)

export class ReviewersNotes extends Context.Service<ReviewersNotes, {
  /**
   * Leaves a note, or answers one. The owner gets an event of it.
   *
   * Fails with `InvalidField` naming `replyTo` when no such note is on the review or it has all replies it may, `reviewId` when the review
   * holds all it may, of all or of the caller's address, `reviewerToken` when it is none; `Refused` (`review_closed`), and like `PublicLinks.enter`.
   */
  readonly leave: (note: NewNote) => Effect.Effect<LeftNote, Failure, LinkCall>

  /**
   * Changes the text of a note or a reply of who has the token. The owner gets no event.
   *
   * Fails with `NotFound` when no such note is of the token's, `Refused` (`review_closed`), and like `PublicLinks.enter`.
   */
  readonly edit: (id: NoteId, token: ReviewerToken, text: NoteText) => Effect.Effect<ReviewNote, Failure, LinkCall>

  /** Deletes a note with its replies, or a reply, of who has the token. Fails like {@link edit}. */
  readonly remove: (id: NoteId, token: ReviewerToken) => Effect.Effect<void, Failure, LinkCall>
}>()("@filedrive/core/reviews/ReviewersNotes") {
  static readonly layerNoDeps = Layer.effect(
    ReviewersNotes,
    Effect.gen(function*() {
      const reviews = yield* ReviewsRepo
      const notes = yield* ReviewNotesRepo
      const changes = yield* NoteChanges
      const events = yield* Events
      const links = yield* PublicLinks
      const transaction = yield* AccountTransaction
      const crypto = yield* Effect.context<Digest.Digest | SecureRandom.SecureRandom>()

      const hashOf = (token: ReviewerToken) => Effect.provideContext(SecretToken.hash(token), crypto)

      /** The token that was sent, or a new one. */
      const reviewer = Effect.fnUntraced(function*(sent: ReviewerToken | undefined) {
        if (sent === undefined) {
          const { hash, text } = yield* Effect.provideContext(SecretToken.make(tokenPrefix), crypto)
          return { token: ReviewerToken.make(text), hash }
        }
        if (!isToken(sent)) {
          return yield* new InvalidField({
            code: "invalid_field",
            field: "reviewerToken",
            because: "must be the `reviewerToken` that `/leave-review-note` returned"
          })
        }
        return { token: sent, hash: yield* hashOf(sent) }
      })

      /** Runs `work` in a transaction of the review's owner, if the review is open in it. */
      const writing = <A, E>(
        { accountId, id }: Review.StoredReview,
        work: (review: Review.StoredReview) => Effect.Effect<A, E>
      ) =>
        transaction.share(accountId, () =>
          Effect.gen(function*() {
            const review = yield* reviews.findByLink(id)
            if (review === null) return yield* noSuchLink
            return yield* work(yield* Review.opened(review))
          }))

      const noNote = new InvalidField({
        code: "invalid_field",
        field: "replyTo",
        because: "must be the id of a note on this review"
      })

      /** The note that is answered: of a reply, the note that this is one to. */
      const answered = Effect.fnUntraced(function*(reviewId: ReviewId, id: NoteId) {
        const found = yield* notes.find(id)
        const note = found === undefined || found.replyTo === null ? found : yield* notes.find(found.replyTo)
        return note === undefined || note.reviewId !== reviewId ? yield* noNote : note
      })

      const leave: ReviewersNotes["Service"]["leave"] = Effect.fn("ReviewersNotes.leave")(function*(given) {
        const link = yield* Review.opened(yield* links.enter(given.reviewId, reviews.findByLink))
        const { hash, token } = yield* reviewer(given.reviewerToken)
        const { network } = yield* LinkCall
        // With the review's id: nobody who reads the rows sees that notes on two reviews came from the same address.
        const networkHash = network === null
          ? null
          : yield* Effect.provideContext(SecretToken.hash(`${link.id} ${network}`), crypto)
        const author = { reviewerHash: hash, networkHash, authorName: given.reviewer as string }
        const { endSeconds = null, replyTo = null, seconds = null, text } = given
        return yield* writing(link, (review) =>
          Effect.gen(function*() {
            const note = replyTo === null ? null : yield* answered(review.id, replyTo)
            const left = note === null
              ? yield* changes.leave(review, author, { seconds, endSeconds, text })
              : yield* changes.reply(review, author, note, text, "replyTo")
            yield* events.append(review.accountId, [{
              kind: "note",
              folderId: review.folderId,
              reviewId: review.id,
              payload: {
                reviewer: { name: author.authorName },
                text: left.text,
                seconds: secondsOf(left),
                replyTo: left.replyTo,
                review: { id: review.id },
                file: review.file
              }
            }])
            return { note: shownNote(left, [], hash), replyTo: left.replyTo, reviewerToken: token }
          }))
      })

      /** A note of the token's, in a transaction that may change it. */
      const changing = Effect.fnUntraced(function*<A, E>(
        id: NoteId,
        token: ReviewerToken,
        work: (review: Review.StoredReview, note: StoredNote) => Effect.Effect<A, E>
      ) {
        const missing = new NotFound({ resource: "review note", id })
        const found = yield* notes.find(id)
        // A note leads to its link; one that doesn't exist to none, after the same checks.
        const sent = found?.reviewId ?? noReview
        const link = yield* links.enter(sent, reviews.findByLink).pipe(
          Effect.catchTag("NotFound", () => Effect.fail(missing)),
          Effect.flatMap(Review.opened)
        )
        const hash = yield* hashOf(token)
        return yield* writing(link, (review) =>
          Effect.gen(function*() {
            const note = yield* notes.find(id)
            if (note === undefined || !isSameHash(note.reviewerHash, hash)) return yield* missing
            return { done: yield* work(review, note), hash }
          }))
      })

      const edit: ReviewersNotes["Service"]["edit"] = Effect.fn("ReviewersNotes.edit")(function*(id, token, text) {
        const { done, hash } = yield* changing(id, token, (review, note) =>
          Effect.gen(function*() {
            yield* changes.edit(review, note, text)
            const changed = (yield* notes.find(id)) ?? note
            return { note: changed, replies: yield* notes.replies(review.accountId, [id]) }
          }))
        return shownNote(done.note, done.replies, hash)
      })

      const remove: ReviewersNotes["Service"]["remove"] = Effect.fn("ReviewersNotes.remove")(
        function*(id, token) {
          yield* changing(id, token, (review, note) => changes.remove(review, note, "reviewer"))
        },
        WritePurpose.freeing
      )

      return ReviewersNotes.of({ leave, edit, remove })
    })
  )
}

/** Of no review: the nil UUID. */
const noReview = "00000000-0000-0000-0000-000000000000"
