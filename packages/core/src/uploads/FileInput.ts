/** A caller's description of a file it is about to send. Spec: "Shared shapes", FileInput and FileInsert. */
import { Schema } from "effect"
import { FileName, FileSize, GivenMimeType } from "../files/FileDetail.ts"
import { ObjectKey } from "../files/ObjectKey.ts"
import * as Limits from "../limits/Limits.ts"
import { FileType } from "../shared/FileType.ts"

const fields = {
  /** The kind as the sender declares it; the bytes decide in the end. */
  type: FileType,
  fileName: FileName,
  fileSize: FileSize,
  objectKey: ObjectKey,
  mimeType: GivenMimeType
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

/** The files of one call. */
const few = <S extends Schema.Top>(file: S) =>
  Schema.Struct({
    files: Schema.Array(file).check(
      Schema.isBetweenLength(Limits.filesPerUploadCall.min, Limits.filesPerUploadCall.max)
    )
  })

export const FileInputs = few(FileInput)
export const FileInserts = few(FileInsert)
