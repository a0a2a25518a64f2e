/**
 * The kinds of file a drive knows, and which media types belong to each.
 * Contract: "Files", FileType.
 */
import { Schema } from "effect"

export const FileType = Schema.Literals(["Video", "Audio", "Image", "Document", "Text", "Archive", "Other"])
export type FileType = typeof FileType.Type

/** What a file is sent and served as whose media type nobody stated. */
export const defaultMimeType = "application/octet-stream"

const archives = new Set([
  "application/gzip",
  "application/java-archive",
  "application/vnd.rar",
  "application/x-7z-compressed",
  "application/x-bzip2",
  "application/x-gzip",
  "application/x-rar-compressed",
  "application/x-tar",
  "application/x-xz",
  "application/zip",
  "application/zstd"
])

const documents = new Set([
  "application/epub+zip",
  "application/msword",
  "application/pdf",
  "application/postscript",
  "application/rtf",
  "application/x-cfb"
])

const documentFamilies = ["application/vnd.ms-", "application/vnd.oasis.", "application/vnd.openxmlformats-"]

const texts = new Set(["application/json", "application/javascript", "application/xml", "application/x-sh"])

/** The kind a media type belongs to; parameters and case do not matter. */
export const ofMimeType = (mimeType: string): FileType => {
  const essence = mimeType.split(";", 1)[0]!.trim().toLowerCase()
  const family = essence.split("/", 1)[0]
  if (family === "video") return "Video"
  if (family === "audio") return "Audio"
  if (family === "image") return "Image"
  if (family === "text" || texts.has(essence)) return "Text"
  if (archives.has(essence)) return "Archive"
  if (documents.has(essence) || documentFamilies.some((start) => essence.startsWith(start))) return "Document"
  return "Other"
}
