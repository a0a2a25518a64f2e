/**
 * A note that somebody left on a file review, and the replies to it.
 *
 * Spec: "Other resources", Review note. Contract: "File requests and reviews: the public side".
 */
import { DateTime, Schema } from "effect"
import * as Limits from "../limits/Limits.ts"
import { NoteId } from "../shared/Ids.ts"
import { isVisible, lengthInOpenApi, LineOfLength, Lines, utf8Length, withoutOverrides } from "../shared/Text.ts"

/** The name by which a reviewer signs. */
export const ReviewerName = LineOfLength(Limits.reviewerNameLength.min, Limits.reviewerNameLength.max).pipe(
  Schema.brand("ReviewerName")
)
export type ReviewerName = typeof ReviewerName.Type

const { max, min } = Limits.reviewNoteLength

/** The text of a note or a reply, in several lines. */
export const NoteText = Lines.check(Schema.makeFilter<string>((text) =>
  text.length < min || text.length > max
    ? `must have ${min} to ${max} characters`
    : isVisible(text)
    ? undefined
    : "must contain at least one visible character", lengthInOpenApi({ min, max }))).pipe(Schema.brand("NoteText"))
export type NoteText = typeof NoteText.Type

/** A text as it is stored: ends of lines written in one way, and nothing that turns the direction of the text around it. */
export const cleaned = (text: NoteText): string => withoutOverrides(text.replaceAll(/\r\n?/g, "\n"))

/** A position in the file, in seconds. */
export const Position = Schema.Finite.check(
  Schema.isBetween({ minimum: 0, maximum: Limits.notePositionMaxSeconds })
).pipe(Schema.brand("Position"))
export type Position = typeof Position.Type

const reviewerTokenMaxLength = 200

/** By which a reviewer is known again on one review. Any text may be sent as one; only the lookup says whether it is one. */
export const ReviewerToken = Schema.String.check(Schema.isMaxLength(reviewerTokenMaxLength)).pipe(
  Schema.brand("ReviewerToken")
)
export type ReviewerToken = typeof ReviewerToken.Type

/** A note that somebody leaves. */
export const NewNote = Schema.Struct({
  /** The secret of a link: any text, and what is no id leads nowhere. */
  reviewId: Schema.String,
  reviewer: ReviewerName,
  /** Left out or null: on the whole file. */
  seconds: Schema.optionalKey(Schema.NullOr(Position)),
  endSeconds: Schema.optionalKey(Schema.NullOr(Position)),
  text: NoteText,
  replyTo: Schema.optionalKey(Schema.NullOr(NoteId)),
  reviewerToken: Schema.optionalKey(ReviewerToken)
}).check(
  Schema.makeFilter(({ endSeconds = null, seconds = null }) =>
    endSeconds === null || (seconds !== null && endSeconds >= seconds) ? undefined : {
      path: ["endSeconds"],
      issue: seconds === null ? "needs `seconds`, where the note begins" : "must not be before `seconds`"
    }
  )
)
export type NewNote = typeof NewNote.Type

export interface NoteReply {
  readonly id: NoteId
  readonly author: { readonly name: string; readonly owner: boolean }
  readonly text: string
  readonly insertTime: string
  /** Whether the asking reviewer wrote it; only where a reviewer's token was given. */
  readonly mine?: boolean
}

export interface ReviewNote {
  readonly id: NoteId
  /** Where in the file; null for the whole file. */
  readonly seconds: number | null
  readonly endSeconds: number | null
  /** `seconds` as people read it, like `1:05`. */
  readonly timecode: string | null
  readonly reviewer: { readonly name: string }
  readonly text: string
  readonly insertTime: string
  readonly editTime: string | null
  readonly resolved: boolean
  /** Whether the asking reviewer wrote it; only where a reviewer's token was given. */
  readonly mine?: boolean
  /** First written, first. */
  readonly replies: ReadonlyArray<NoteReply>
}

/** What a text counts of what a review or a page may hold. */
export const bytesOf = (...texts: ReadonlyArray<string>): number =>
  texts.reduce((sum, text) => sum + utf8Length(text), 0)

/** Where a note is in the edit list: of the whole file first, then by position, then by time. */
export interface NotePlace {
  /** `-1` for the whole file. */
  readonly place: number
  readonly insertTime: Date
  readonly id: NoteId
}

export const wholeFile = -1

const number = "-?\\d{1,6}(?:\\.\\d{1,20})?(?:e-\\d{1,3})?"
const uuid = "[\\da-f]{8}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{12}"
const cursor = new RegExp(`^(${number})_(\\d{1,15})_(${uuid})$`)

/** A place as a caller passes it back. */
export const formatCursor = ({ id, insertTime, place }: NotePlace): string => `${place}_${insertTime.getTime()}_${id}`

/** Undefined for what {@link formatCursor} never wrote. */
export const parseCursor = (text: string): NotePlace | undefined => {
  const [, place, millis, id] = cursor.exec(text) ?? []
  return id === undefined ? undefined : {
    place: Number(place),
    insertTime: DateTime.toDateUtc(DateTime.makeUnsafe(Number(millis))),
    id: NoteId.make(id)
  }
}
