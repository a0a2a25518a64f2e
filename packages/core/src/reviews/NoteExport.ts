/** A review's notes as a file that other programs read. Contract: `/export-review-notes`. */
import * as FrameRate from "../facts/FrameRate.ts"
import type { FileType } from "../shared/FileType.ts"
import * as CsvExport from "./CsvExport.ts"
import * as EdlExport from "./EdlExport.ts"
import type { ExportedReview } from "./ExportedReview.ts"
import * as FcpxmlExport from "./FcpxmlExport.ts"
import * as Timecode from "./Timecode.ts"

export const exportFormats = ["csv", "edl", "fcpxml"] as const
export type ExportFormat = typeof exportFormats[number]

/** The rate by which a file's positions are frames: its own, as far as it is known; of a track {@link Timecode.ofTracks}. */
export const rateOf = (stored: string | null, type: FileType): FrameRate.FrameRate | null =>
  FrameRate.parse(stored ?? "") ?? (type === "Audio" ? Timecode.ofTracks : null)

const writers = {
  edl: { write: EdlExport.write, mimeType: "text/plain" },
  fcpxml: { write: FcpxmlExport.write, mimeType: "application/xml" }
} as const

/** Null when the format counts in frames, and nobody knows how many there are a second. */
const textOf = (
  review: ExportedReview,
  format: ExportFormat
): { readonly mimeType: string; readonly text: string } | null => {
  if (format === "csv") return { mimeType: "text/csv", text: CsvExport.write(review) }
  const { rate } = review
  const { mimeType, write } = writers[format]
  return rate === null ? null : { mimeType, text: write({ ...review, rate }) }
}

/** Characters that file systems don't take in names. */
const unsafe = /[\\/:*?"<>|\p{Cc}]/gu

const nameMaxLength = 100

/** The file, with the name to save it under; null when the format takes a frame rate and none is known. */
export const write = (
  review: ExportedReview,
  format: ExportFormat
): { readonly fileName: string; readonly mimeType: string; readonly text: string } | null => {
  const written = textOf(review, format)
  if (written === null) return null
  const base = review.fileName.replace(/\.[^.]{1,10}$/, "").replaceAll(unsafe, "-")
  const short = [...base].slice(0, nameMaxLength).join("").trim()
  return { fileName: `${short === "" ? "file" : short} notes.${format}`, ...written }
}
