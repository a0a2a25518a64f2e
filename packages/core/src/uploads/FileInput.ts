/** What a caller says of a file it is about to send. Spec: "Shared shapes", FileInput and FileInsert. */
import { Schema } from "effect"
import * as Limits from "../limits/Limits.ts"
import { FileType } from "../shared/FileType.ts"
import * as Given from "../shared/Given.ts"
import { LineOfBytes } from "../shared/Text.ts"

const mediaType =
  /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(?:\s*;\s*[a-z0-9!#$&^_.+-]+=(?:[a-z0-9!#$&^_.+-]+|"[^"\\]*"))*$/i

/** A media type as it may stand in a header: printable ASCII only. */
export const MimeType = Schema.String.check(
  Schema.isMaxLength(Limits.mimeTypeMaxLength),
  Schema.makeFilter<string>((text) =>
    mediaType.test(text) && /^[\x20-\x7e]*$/.test(text) ? undefined : "must be a media type like image/png"
  )
)

export const FileName = LineOfBytes(1, Limits.fileNameMaxBytes)

const fields = {
  /** The kind the sender takes it for; the bytes decide in the end. */
  type: FileType,
  fileName: FileName,
  /** Exact size in bytes, up to 2 TB. */
  fileSize: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Limits.fileSizeMaxBytes })),
  /** `users/{userId}/…`: the sender's name of the object. */
  objectKey: Schema.String,
  mimeType: Schema.optionalKey(MimeType)
}

export const FileInput = Schema.Struct(fields)
export type FileInput = typeof FileInput.Type

export const FileInsert = Schema.Struct({
  ...fields,
  /** Send false: a file under `users/` is always inserted private. */
  isPublic: Schema.optionalKey(Schema.Boolean),
  /** The session's own user. */
  creator: Schema.optionalKey(Schema.Struct({ id: Schema.String }))
})
export type FileInsert = typeof FileInsert.Type

/** What code passes is checked like a body: services are called by more than the routes. */
export const checkInput = Given.checking(FileInput)
export const checkInsert = Given.checking(FileInsert)
