/** A review as its notes are exported. */
import type * as FrameRate from "../facts/FrameRate.ts"
import type { FileType } from "../shared/FileType.ts"
import type { ReviewNote } from "./ReviewNote.ts"

/** What is exported: a file, its frame rate, and the notes on it in their order. */
export interface ExportedReview {
  readonly fileName: string
  readonly type: FileType
  /** Null where it is not known. */
  readonly rate: FrameRate.FrameRate | null
  readonly durationSeconds: number | null
  readonly width: number | null
  readonly height: number | null
  readonly notes: ReadonlyArray<ReviewNote>
}

/** The same for formats that count in frames. */
export type FramedReview = ExportedReview & { readonly rate: FrameRate.FrameRate }
