/** The frames of a note. */
import type * as FrameRate from "../facts/FrameRate.ts"
import type { ReviewNote } from "./ReviewNote.ts"
import * as Timecode from "./Timecode.ts"

export interface NoteFrames {
  /** The number of its first frame. */
  readonly first: number
  readonly count: number
}

/** One frame where the note has no end; of the whole file: the file's first. */
export const of = (
  { endSeconds, seconds }: Pick<ReviewNote, "seconds" | "endSeconds">,
  rate: FrameRate.FrameRate
): NoteFrames => {
  const first = seconds === null ? 0 : Timecode.frameAt(seconds, rate)
  const end = endSeconds === null ? first : Timecode.frameAt(endSeconds, rate)
  return { first, count: Math.max(1, end - first) }
}
