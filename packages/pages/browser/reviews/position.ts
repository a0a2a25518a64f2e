/** Positions as whoever has the link reads them: frames of a video, tenths of a second where there are none or nobody knows their rate. */
import { clock, rateOf, timecode } from "../foundation/FrameRate.ts"
import type { FileReview, Note } from "./reviews.ts"

/** Where a note is; null for one on the whole file. */
export const positionOf = (
  { endSeconds, seconds }: Pick<Note, "seconds" | "endSeconds">,
  { file, frameRate }: { readonly file: Pick<FileReview["file"], "type">; readonly frameRate: number | null }
): string | null => {
  const rate = file.type === "Video" ? rateOf(frameRate) : null
  const written = (at: number): string => rate === null ? clock(at) : timecode(at, rate)
  if (seconds === null) return null
  return endSeconds === null ? written(seconds) : `${written(seconds)} – ${written(endSeconds)}`
}
