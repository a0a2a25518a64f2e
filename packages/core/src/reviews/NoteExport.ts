/** A review's notes as a file that other programs read. Contract: `/export-review-notes`. */
import * as FrameRate from "../facts/FrameRate.ts"
import * as CsvExport from "./CsvExport.ts"
import * as EdlExport from "./EdlExport.ts"
import type { ExportedReview } from "./ExportedReview.ts"
import * as FcpxmlExport from "./FcpxmlExport.ts"
import * as Timecode from "./Timecode.ts"

export const exportFormats = ["csv", "edl", "fcpxml"] as const
export type ExportFormat = typeof exportFormats[number]

/** The stored rate of a file, or {@link Timecode.byDefault}. */
export const rateOf = (stored: string | null): FrameRate.FrameRate =>
  FrameRate.parse(stored ?? "") ?? Timecode.byDefault

const writers = {
  csv: { write: CsvExport.write, mimeType: "text/csv" },
  edl: { write: EdlExport.write, mimeType: "text/plain" },
  fcpxml: { write: FcpxmlExport.write, mimeType: "application/xml" }
} as const

/** Characters that file systems don't take in names. */
const unsafe = /[\\/:*?"<>|\p{Cc}]/gu

const nameMaxLength = 100

/** The file, with the name to save it under. */
export const write = (
  review: ExportedReview,
  format: ExportFormat
): { readonly fileName: string; readonly mimeType: string; readonly text: string } => {
  const { mimeType, write } = writers[format]
  const base = review.fileName.replace(/\.[^.]{1,10}$/, "").replaceAll(unsafe, "-")
  const short = [...base].slice(0, nameMaxLength).join("").trim()
  return { fileName: `${short === "" ? "file" : short} notes.${format}`, mimeType, text: write(review) }
}
