/** A file that is not stored anywhere. */
import type { MediaTools } from "@filedrive/core"
import { Stream } from "effect"

/** A file whose bytes tell where they are, and the ranges that were read of it. */
export const numbered = (sizeBytes: number, read?: MediaTools.MediaSource["read"]) => {
  const ranges: Array<readonly [start: number, end: number]> = []
  const source: MediaTools.MediaSource = {
    fileName: "numbers",
    mimeType: "video/mp4",
    sizeBytes,
    read: (range) => {
      ranges.push([range.start, range.end])
      if (read !== undefined) return read(range)
      const bytes = Uint8Array.from({ length: range.end + 1 - range.start }, (_, i) => (range.start + i) % 251)
      return Stream.fromIterable([bytes.subarray(0, 1000), bytes.subarray(1000)])
    }
  }
  return { source, ranges }
}
