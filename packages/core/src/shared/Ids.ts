/** Branded identifiers. One brand per resource, so ids cannot be swapped. */
import { Schema } from "effect"

const uuid = Schema.String.check(Schema.isUUID())

export const AccountId = uuid.pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

export const FileId = uuid.pipe(Schema.brand("FileId"))
export type FileId = typeof FileId.Type

export const FolderId = uuid.pipe(Schema.brand("FolderId"))
export type FolderId = typeof FolderId.Type

export const UploadId = uuid.pipe(Schema.brand("UploadId"))
export type UploadId = typeof UploadId.Type

export const ApiTokenId = uuid.pipe(Schema.brand("ApiTokenId"))
export type ApiTokenId = typeof ApiTokenId.Type
