/** What a file's owner may say about it. Contract: "Files", `/rename-file`; spec: `/update-file-description`. */
import { Schema } from "effect"
import * as Limits from "../limits/Limits.ts"
import { FileId } from "../shared/Ids.ts"
import { LineOfBytes, Text } from "../shared/Text.ts"

export const NewName = Schema.Struct({ fileId: FileId, fileName: LineOfBytes(1, Limits.fileNameMaxBytes) })

export const NewDescription = Schema.Struct({
  fileId: FileId,
  description: Text.check(Schema.isMaxLength(Limits.descriptionMaxLength))
})
