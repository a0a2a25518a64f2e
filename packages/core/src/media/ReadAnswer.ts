/** Payloads and results of reading a file, and its pure rules. Spec: `/read-file`. */
import { Result, Schema } from "effect"
import type { StoredFile } from "../files/StoredFile.ts"
import * as Limits from "../limits/Limits.ts"
import type { Frame, Pages } from "../ports/MediaTools.ts"
import { InvalidField } from "../shared/DriveError.ts"
import { FileType } from "../shared/FileType.ts"
import { FileId } from "../shared/Ids.ts"
import { utf8Length } from "../shared/Text.ts"

const atLeast = (minimum: number) => Schema.isGreaterThanOrEqualTo(minimum)

export const ReadRequest = Schema.Struct({
  fileId: FileId,
  /** Of a video: seconds from its beginning. */
  at: Schema.optionalKey(Schema.Finite.check(atLeast(0))),
  /** Of a PDF: the first page wanted, from 1. */
  fromPage: Schema.optionalKey(Schema.Int.check(atLeast(1))),
  /** Of a PDF: the last page wanted. */
  toPage: Schema.optionalKey(Schema.Int.check(atLeast(1))),
  /** Of a text: the byte of the file to begin at. */
  offset: Schema.optionalKey(Schema.Int.check(atLeast(0)))
}).pipe(Schema.brand("ReadRequest"))
export type ReadRequest = typeof ReadRequest.Type

/** The readable content of a file. */
export const Content = Schema.Struct({
  /** A sentence that says what this is, and how to continue. */
  note: Schema.String,
  /** A JPEG, in base64. */
  image: Schema.optionalKey(Schema.Struct({ data: Schema.String, mimeType: Schema.String })),
  text: Schema.optionalKey(Schema.String),
  /** Where in a video the image is from, in seconds. */
  at: Schema.optionalKey(Schema.Finite),
  /** Of a video, in seconds; left out where it is not known. */
  duration: Schema.optionalKey(Schema.Finite),
  /** The pages the text is of. */
  pages: Schema.optionalKey(Schema.Struct({ from: Schema.Int, to: Schema.Int, total: Schema.Int })),
  /** The `offset` that the text continues at; left out at its end. */
  nextOffset: Schema.optionalKey(Schema.Int)
})
export type Content = typeof Content.Type

export const ReadAnswer = Schema.Struct({
  id: FileId,
  fileName: Schema.String,
  type: FileType,
  mimeType: Schema.String,
  /** Bytes. */
  fileSize: Schema.Int,
  ...Content.fields
})
export type ReadAnswer = typeof ReadAnswer.Type

/** How a file is read. Whether one without pictures, sound and pages is a text, only its bytes tell. */
export const wayOf = ({ mimeType, type }: Pick<StoredFile, "type" | "mimeType">) => {
  if (type === "Image" || type === "Video" || type === "Audio") return type
  return mimeType.split(";", 1)[0]!.trim().toLowerCase() === "application/pdf" ? "Pdf" : "Text"
}

const { readMaxBytes, readPages } = Limits

/** The pages to ask for; of more than may be read at once, as many as may. */
export const pagesWanted = ({ fromPage = 1, toPage }: ReadRequest): Result.Result<
  { readonly from: number; readonly to: number },
  InvalidField
> => {
  const to = toPage ?? fromPage + readPages.byDefault - 1
  return to < fromPage
    ? Result.fail(invalid("toPage", `must not be before fromPage, which is ${fromPage}`))
    : Result.succeed({ from: fromPage, to: Math.min(to, fromPage + readPages.max - 1) })
}

/** The text of the pages that were found, or what was wrong with those that were wanted. */
export const ofPages = (
  { damaged = [], from, hasPictures, text, to, total }: Pages,
  { toPage }: Pick<ReadRequest, "toPage">
): Result.Result<Content, InvalidField> => {
  if (from > total) return Result.fail(invalid("fromPage", `is past the end: the file has ${counted(total, "page")}`))
  if (toPage !== undefined && Math.min(toPage, total) >= from + readPages.max) {
    return Result.fail(invalid("toPage", `must leave at most ${readPages.max} pages to read; fromPage is ${from}`))
  }
  const which = from === to ? `Page ${from} of ${total}` : `Pages ${from} to ${to} of ${total}`
  const isBlank = text.trim() === ""
  const is = from === to ? "is" : "are"
  const what = isBlank && hasPictures
    ? `${is} scanned: there is a picture but no text to read.`
    : isBlank
    ? `${from === to ? "has" : "have"} no text.`
    : from === to && utf8Length(text) > readMaxBytes - 4
    ? `is too long to be read whole: this is how it begins.`
    : `${is} here as text.`
  const next = to < total ? ` Read on with fromPage ${to + 1}.` : ""
  const without = damaged.length === 0
    ? ""
    : ` ${damaged.length === 1 ? "Page" : "Pages"} ${damaged.join(", ")} could not be read: the file is damaged.`
  return Result.succeed({ note: `${which} ${what}${without}${next}`, text, pages: { from, to, total } })
}

/** A frame of a video; `data` is its JPEG in base64. */
export const ofFrame = ({ atSeconds, durationSeconds, height, width }: Frame, data: string): Content => ({
  note: `What the video shows at ${seconds(atSeconds)}${
    durationSeconds === null ? "" : ` of ${seconds(durationSeconds)}`
  }, as a JPEG of ${width} × ${height} pixels. Another moment is read with \`at\`, in seconds.`,
  image: { data, mimeType: "image/jpeg" },
  at: atSeconds,
  ...(durationSeconds !== null && { duration: durationSeconds })
})

/** An image; `data` is its JPEG in base64. */
export const ofImage = ({ height, width }: Pick<Frame, "height" | "width">, data: string): Content => ({
  note: `The image as a JPEG of ${width} × ${height} pixels.`,
  image: { data, mimeType: "image/jpeg" }
})

/** A piece of a text of `sizeBytes`, in the encoding `name`, from byte `offset`. */
export const ofText = (
  { nextOffset, text }: { readonly text: string; readonly nextOffset: number | null },
  { name, offset, sizeBytes }: { readonly name: string; readonly offset: number; readonly sizeBytes: number }
): Content => ({
  note: sizeBytes === 0
    ? "The file is empty."
    : nextOffset !== null
    ? `Text in ${name}, bytes ${offset} to ${nextOffset} of ${sizeBytes}. Read on with offset ${nextOffset}.`
    : offset === 0
    ? `The whole text, in ${name}.`
    : `Text in ${name}, from byte ${offset} to the end of the file.`,
  text,
  ...(nextOffset !== null && { nextOffset })
})

export const ofAudio: Content = {
  note:
    "A track has nothing to read. What is known of it (title, length, tempo, key) is in the `media` of its record; " +
    "to hear it, fetch it by /generate-download-url."
}

export const ofNothing = ({ mimeType }: Pick<StoredFile, "mimeType">): Content => ({
  note: `A file of the kind ${mimeType} can't be read here. To open it elsewhere, fetch it by /generate-download-url.`
})

export const offsetPastEnd = (sizeBytes: number) =>
  invalid("offset", `is past the end: the file has ${counted(sizeBytes, "byte")}`)

export const atPastEnd = (durationSeconds: number) =>
  invalid("at", `is past the end: the video is ${seconds(durationSeconds)} long`)

const invalid = (field: string, because: string) => new InvalidField({ code: "invalid_field", field, because })

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`

const seconds = (count: number) => counted(Math.round(count * 1000) / 1000, "second")
