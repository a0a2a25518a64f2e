/** Binds {@link ReviewsApi} to {@link Reviews} and {@link OwnedNotes}. */
import { DateTime, Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { OwnedNotes } from "./OwnedNotes.ts"
import { isOpenAt, type ReviewItem, type StoredReview } from "./Review.ts"
import { Reviews } from "./Reviews.ts"
import { ReviewsApi } from "./ReviewsApi.ts"

const made = (review: StoredReview) =>
  Effect.map(DateTime.now, (now) => ({
    id: review.id,
    message: review.message,
    insertTime: review.insertTime.toISOString(),
    expireTime: review.expireTime,
    allowDownload: review.allowDownload,
    open: isOpenAt(review, now),
    hasPassword: review.passwordHash !== null,
    file: review.file
  }))

const item = ({ expireTime, ...review }: ReviewItem) => ({
  ...review,
  expireTime: expireTime === null ? null : DateTime.formatIso(expireTime)
})

const deleted = { deleted: true }

export const ReviewsHandlers = Handlers.group(
  ReviewsApi,
  Effect.gen(function*() {
    const reviews = yield* Reviews
    const notes = yield* OwnedNotes
    return {
      createFileReview: ({ payload }) =>
        reviews.create(payload).pipe(Effect.flatMap(made), Effect.mapError(fromDriveError)),
      selectFileReviews: ({ payload }) =>
        reviews.select(payload ?? {}).pipe(Effect.mapBoth({
          onSuccess: ({ nextCursor, reviews }) => Handlers.plain({ reviews: reviews.map(item), nextCursor }),
          onFailure: fromDriveError
        })),
      updateFileReview: ({ payload }) =>
        reviews.update(payload).pipe(Effect.flatMap(made), Effect.mapError(fromDriveError)),
      deleteFileReview: ({ payload: { reviewId } }) =>
        reviews.remove(reviewId).pipe(Effect.mapBoth({ onSuccess: () => deleted, onFailure: fromDriveError })),
      replyToReviewNote: ({ payload: { noteId, text } }) =>
        notes.reply(noteId, text).pipe(Effect.mapBoth({ onSuccess: Handlers.plain, onFailure: fromDriveError })),
      setReviewNoteResolved: ({ payload: { noteId, resolved } }) =>
        notes.setResolved(noteId, resolved).pipe(
          Effect.mapBoth({ onSuccess: Handlers.plain, onFailure: fromDriveError })
        ),
      deleteReviewNote: ({ payload: { noteId } }) =>
        notes.remove(noteId).pipe(Effect.mapBoth({ onSuccess: () => deleted, onFailure: fromDriveError })),
      deleteReviewNotes: ({ payload: { reviewId, reviewer } }) =>
        notes.removeOf(reviewId, reviewer).pipe(
          Effect.mapBoth({ onSuccess: (count) => ({ deleted: count }), onFailure: fromDriveError })
        ),
      exportReviewNotes: ({ payload: { format, rate, reviewId } }) =>
        reviews.exported(reviewId, format, rate).pipe(
          Effect.mapBoth({ onSuccess: Handlers.plain, onFailure: fromDriveError })
        )
    }
  })
)
