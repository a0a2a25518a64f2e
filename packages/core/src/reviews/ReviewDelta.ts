/** How a change of notes changes the counts of their review. */
import type { AccountId, NoteId, ReviewId } from "../shared/Ids.ts"

export interface ReviewDelta {
  /** Notes that are shown, without replies. */
  readonly notes: number
  /** Rows: notes, replies, and deleted notes for a day. */
  readonly held: number
  /** Bytes of texts and names. */
  readonly textBytes: number
  /** Notes that are changed, each of which gets a number of its own; default 1. */
  readonly changes?: number
}

/** Only a new text or state. */
export const unchanged: ReviewDelta = { notes: 0, held: 0, textBytes: 0 }

export interface ReviewBounds {
  readonly notes: number
  readonly textBytes: number
}

/** A change of the counts of one address, which counts like the review. */
export interface NetworkDelta {
  readonly held: number
  readonly textBytes: number
}

/** The counts of one row of notes for its address; without an address nothing was counted. */
export interface FromNetwork extends NetworkDelta {
  readonly networkHash: Uint8Array | null
}

/** A reply that was deleted. */
export interface GoneReply extends FromNetwork {
  readonly replyTo: NoteId
}

/** The notes and replies that were left on a review under a name before `time`. */
export interface OfReviewer {
  readonly accountId: AccountId
  readonly id: ReviewId
  readonly name: string
  readonly time: Date
}
