/** How a change of notes changes the counts of their review. */

export interface ReviewDelta {
  /** Notes that are shown, without replies. */
  readonly notes: number
  /** Rows: notes, replies, and deleted notes for a day. */
  readonly held: number
  /** Bytes of texts and names. */
  readonly textBytes: number
}

/** Only a new text or state. */
export const unchanged: ReviewDelta = { notes: 0, held: 0, textBytes: 0 }

export interface ReviewBounds {
  readonly notes: number
  readonly textBytes: number
}
