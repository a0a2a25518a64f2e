/**
 * Which files are queued for extraction when they are recorded, and the job that extracts.
 * All code that records files decides by this module. The job's handler
 * is {@link "../media/Extraction.ts"}.
 */
import * as Job from "../jobs/Job.ts"
import { type FileType, ofMimeType } from "../shared/FileType.ts"
import { AccountId, FileId } from "../shared/Ids.ts"

/** The metadata status of a file. */
export type MetadataStatus = "pending" | "done" | "failed"

/** One for each file. The host says how many run at once, because decoding takes all of a core. */
export const metadataJob = Job.define("media.extract", {
  description: "Extracts the metadata of an image, a track or a video.",
  when: "when it is recorded",
  key: Job.key({ accountId: AccountId, fileId: FileId }),
  concurrency: "the machine's cores, less one",
  concurrencyOfAccount: "half of them"
})

/** File types that may have metadata. */
export const isOf = (type: FileType): boolean => type === "Audio" || type === "Video" || type === "Image"

export const statusAtFirst = (type: FileType): MetadataStatus => isOf(type) ? "pending" : "done"

/** The kind of a file by the media type found inside it. A drawing may turn out to be a photo, but not a text. */
export const finerKind = (
  file: { readonly type: FileType; readonly mimeType: string },
  found: string | null
): { readonly type: FileType; readonly mimeType: string } => {
  const type = found === null ? file.type : ofMimeType(found)
  return found === null || !isOf(type) ? { type: file.type, mimeType: file.mimeType } : { type, mimeType: found }
}
