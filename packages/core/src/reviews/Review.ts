/**
 * A review of a file: a link at which anybody plays a video or a track of the owner's and leaves notes on it.
 * Spec: "Other resources", File review; "Reviews". Contract: "File requests and reviews: the public side".
 */
import { DateTime, Effect, Schema } from "effect"
import * as Limits from "../limits/Limits.ts"
import { type Link, LinkPassword, SentPassword } from "../links/Link.ts"
import { Refused } from "../shared/DriveError.ts"
import type { FileType } from "../shared/FileType.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { FileId, type FolderId, ReviewId } from "../shared/Ids.ts"
import { Lines } from "../shared/Text.ts"
import { Time } from "../shared/Time.ts"
import { ReviewerToken, type ReviewNote } from "./ReviewNote.ts"

/** Shown above the player. */
export const ReviewMessage = Lines.check(Schema.isMaxLength(Limits.reviewMessageMaxLength)).pipe(
  Schema.brand("ReviewMessage")
)

const optional = Schema.optionalKey

export const NewReview = Schema.Struct({
  fileId: FileId,
  message: optional(Schema.NullOr(ReviewMessage)),
  expireTime: optional(Schema.NullOr(Time)),
  allowDownload: optional(Schema.Boolean),
  password: optional(Schema.NullOr(LinkPassword))
})
export type NewReview = typeof NewReview.Type

/** What is left out stays; null takes it away. */
export const ReviewChange = Schema.Struct({
  reviewId: ReviewId,
  message: optional(Schema.NullOr(ReviewMessage)),
  expireTime: optional(Schema.NullOr(Time)),
  allowDownload: optional(Schema.Boolean),
  open: optional(Schema.Boolean),
  password: optional(Schema.NullOr(LinkPassword))
})
export type ReviewChange = typeof ReviewChange.Type

export const ReviewQuery = Schema.Struct({
  reviewIds: optional(
    Schema.Array(ReviewId).check(Schema.isBetweenLength(Limits.reviewsPerCall.min, Limits.reviewsPerCall.max))
  ),
  fileId: optional(FileId),
  /** Only reviews of files in this folder or inside it. */
  folder: optional(FolderPath.Path),
  /** The place after which the list goes on; with the id of one review, that after which its notes do. */
  cursor: optional(Schema.String)
})
export type ReviewQuery = typeof ReviewQuery.Type

/** Somebody opens a review. */
export const OpenReview = Schema.Struct({
  reviewId: Schema.String,
  password: optional(SentPassword),
  reviewerToken: optional(ReviewerToken)
})
export type OpenReview = typeof OpenReview.Type

const { max, min } = Limits.reviewNotesPage

export const NotesQuery = Schema.Struct({
  reviewId: Schema.String,
  cursor: optional(Schema.String),
  limit: optional(Schema.Int.check(Schema.isBetween({ minimum: min, maximum: max }))),
  reviewerToken: optional(ReviewerToken)
}).pipe(Schema.brand("NotesQuery"))
export type NotesQuery = typeof NotesQuery.Type

/** The file that a review is of: as it is, or was when it was deleted. */
export interface ReviewedFile {
  readonly id: FileId
  readonly type: FileType
  readonly fileName: string
}

/** Whether people may use a link now. */
export interface ReviewState {
  readonly isOpen: boolean
  readonly expireTime: DateTime.Utc | null
}

export interface StoredReview extends Link, ReviewState {
  readonly id: ReviewId
  readonly file: ReviewedFile
  /** Where its file is; null at the top of the drive, and when it was deleted. */
  readonly folderId: FolderId | null
  /** Of the file; once it was deleted, as it was at the last change of a note. */
  readonly frameRate: string | null
  readonly message: string | null
  readonly allowDownload: boolean
  readonly noteCount: number
  /** The number of the last change of its notes. */
  readonly changeNo: number
  readonly insertTime: Date
}

/** Whether people may open it, read it and write on it at that time. */
export const isOpenAt = ({ expireTime, isOpen }: ReviewState, now: DateTime.Utc): boolean =>
  isOpen && (expireTime === null || DateTime.isLessThan(now, expireTime))

/** A page of reviews, and where the next one begins; null at the end. */
export interface ReviewsPage {
  readonly reviews: ReadonlyArray<ReviewItem>
  readonly nextCursor: string | null
}

/** A review as its owner sees it. */
export interface ReviewItem {
  readonly id: ReviewId
  readonly message: string | null
  readonly insertTime: string
  readonly expireTime: DateTime.Utc | null
  readonly allowDownload: boolean
  /** Whether people can open it: it is not closed, and has not expired. */
  readonly open: boolean
  readonly hasPassword: boolean
  readonly file: ReviewedFile
  /** Frames a second of a video, by which positions are written; null while it is not known. */
  readonly frameRate: number | null
  readonly noteCount: number
  readonly notes: ReadonlyArray<ReviewNote>
  /** Where its notes go on; null when these are all. */
  readonly nextCursor: string | null
}

const closed = new Refused({
  code: "review_closed",
  because: "This review is closed: it no longer accepts notes and shows none."
})

const expired = new Refused({
  code: "review_closed",
  because: "This review has expired: it no longer accepts notes and shows none."
})

/** The review, if people may use it now. Fails with `Refused` (`review_closed`), in other words where it has expired. */
export const opened = Effect.fnUntraced(function*(review: StoredReview) {
  if (isOpenAt(review, yield* DateTime.now)) return review
  return yield* review.isOpen ? expired : closed
})
