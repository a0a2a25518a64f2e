/** A note or a reply as the drive keeps it, and as it is shown. */
import type { NoteId, ReviewId } from "../shared/Ids.ts"
import { constructorOf, type Writable } from "../shared/PlainObject.ts"
import type { NotePlace, NoteReply, ReviewNote } from "./ReviewNote.ts"
import { wholeFile } from "./ReviewNote.ts"
import * as Timecode from "./Timecode.ts"

export interface StoredNote extends NotePlace {
  readonly reviewId: ReviewId
  /** The note that a reply is to; null for a note. */
  readonly replyTo: NoteId | null
  /** Of the token of who wrote it; null where the owner did. */
  readonly reviewerHash: Uint8Array | null
  /** Of the address that it came from, with the review's id; null where nobody knows it, and where the owner wrote it. */
  readonly networkHash: Uint8Array | null
  readonly authorName: string
  readonly endSeconds: number | null
  readonly text: string
  /** Of its texts, with those of its replies. */
  readonly bytes: number
  readonly editTime: Date | null
  /** When it was deleted: then it has no text any more. */
  readonly deleteTime: Date | null
  readonly isResolved: boolean
  readonly reviewerReplies: number
  readonly ownerReplies: number
  /** The number of the review's change that changed it last. */
  readonly changeNo: number
}

/** A note or a reply as far as it is shown. */
export type ShownColumns = Omit<
  StoredNote,
  "replyTo" | "reviewId" | "networkHash" | "bytes" | "deleteTime" | "changeNo"
>

/** A note of a page. */
export interface NoteRow extends ShownColumns {
  /** How many notes there were for the page, which may end before. */
  readonly found: number
}

export interface ReplyRow extends StoredNote {
  readonly replyTo: NoteId
}

export const secondsOf = ({ place }: Pick<StoredNote, "place">): number | null => place === wholeFile ? null : place

/** Whether two hashes are the same. They are of secrets of 256 bits, so how long the comparison takes tells nothing. */
export const isSameHash = (one: Uint8Array | null, other: Uint8Array | null): boolean =>
  one !== null && other !== null && one.length === other.length && one.every((byte, at) => byte === other[at])

/** `asking`: the hash of the token of who asks; null where none was given. */
const mine = ({ reviewerHash }: ShownColumns, asking: Uint8Array | null) =>
  asking === null ? {} : { mine: isSameHash(reviewerHash, asking) }

export const shownReply = (row: ShownColumns, asking: Uint8Array | null = null): NoteReply => ({
  id: row.id,
  author: { name: row.authorName, owner: row.reviewerHash === null },
  text: row.text,
  insertTime: row.insertTime.toISOString(),
  ...mine(row, asking)
})

const Shown = constructorOf(function(this: Writable<ReviewNote>, row: ShownColumns, replies: ReadonlyArray<NoteReply>) {
  const seconds = secondsOf(row)
  this.id = row.id
  this.seconds = seconds
  this.endSeconds = row.endSeconds
  this.timecode = seconds === null ? null : Timecode.spoken(seconds)
  this.reviewer = { name: row.authorName }
  this.text = row.text
  this.insertTime = row.insertTime.toISOString()
  this.editTime = row.editTime?.toISOString() ?? null
  this.resolved = row.isResolved
  this.replies = replies
})

export const shownNote = (
  row: ShownColumns,
  replies: ReadonlyArray<ShownColumns>,
  asking: Uint8Array | null = null
): ReviewNote => {
  const note: Writable<ReviewNote> = new Shown(row, replies.map((reply) => shownReply(reply, asking)))
  if (asking !== null) note.mine = isSameHash(row.reviewerHash, asking)
  return note
}

/** Notes with their replies, in the order of the notes. */
export const shownNotes = (
  notes: ReadonlyArray<ShownColumns>,
  replies: ReadonlyArray<ReplyRow>,
  asking: Uint8Array | null = null
): ReadonlyArray<ReviewNote> => {
  const byNote = Map.groupBy(replies, ({ replyTo }) => replyTo)
  return notes.map((note) => shownNote(note, byNote.get(note.id) ?? [], asking))
}
