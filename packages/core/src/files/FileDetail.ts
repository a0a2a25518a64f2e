/**
 * The details of a file as checked values: its name, kind, size and description. Contract: "Files", `/rename-file`; spec:
 * `/update-file-description`, "Shared shapes".
 */
import { Option, Schema, SchemaGetter } from "effect"
import * as Limits from "../limits/Limits.ts"
import { FileId } from "../shared/Ids.ts"
import { LineOfBytes, Text } from "../shared/Text.ts"

/** A file's name: one line of at most 1,024 bytes of UTF-8 in which something can be seen. */
export const FileName = LineOfBytes(1, Limits.fileNameMaxBytes).pipe(Schema.brand("FileName"))
export type FileName = typeof FileName.Type

const mediaType =
  /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(?:\s*;\s*[a-z0-9!#$&^_.+-]+=(?:[a-z0-9!#$&^_.+-]+|"[^"\\]*"))*$/i

/** A media type as it may stand in a header: printable ASCII only. */
export const MimeType = Schema.String.check(
  Schema.isMaxLength(Limits.mimeTypeMaxLength),
  Schema.makeFilter<string>((text) =>
    mediaType.test(text) && /^[\x20-\x7e]*$/.test(text) ? undefined : "must be a media type like image/png"
  )
).pipe(Schema.brand("MimeType"))
export type MimeType = typeof MimeType.Type

/** The field of a body in which a sender may give a media type. An empty one, which browsers give for kinds they don't know, counts as left out. */
export const GivenMimeType = Schema.optionalKey(Schema.String.check(Schema.isMaxLength(Limits.mimeTypeMaxLength))).pipe(
  Schema.decodeTo(Schema.optionalKey(MimeType), {
    decode: SchemaGetter.transformOptional(Option.filter((text: string) => text !== "")),
    encode: SchemaGetter.passthrough()
  })
)

/** Exact size in bytes, up to 2 TB. */
export const FileSize = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Limits.fileSizeMaxBytes })).pipe(
  Schema.brand("FileSize")
)
export type FileSize = typeof FileSize.Type

/** The owner's description of a file or a gallery, in several lines; may be empty. */
export const Description = Text.check(Schema.isMaxLength(Limits.descriptionMaxLength)).pipe(Schema.brand("Description"))
export type Description = typeof Description.Type

export const NewName = Schema.Struct({ fileId: FileId, fileName: FileName })

export const NewDescription = Schema.Struct({ fileId: FileId, description: Description })
