/** What a file's bytes are stored and served with, by the bucket they are in. */
import * as ContentDisposition from "../objects/ContentDisposition.ts"
import type { Bucket, ObjectHeaders } from "../ports/ObjectStore.ts"
import type { StoredFile } from "./StoredFile.ts"

export const of = (file: Pick<StoredFile, "fileName" | "mimeType">, bucket: Bucket): ObjectHeaders => ({
  contentType: file.mimeType,
  contentDisposition: ContentDisposition.attachment(file.fileName),
  cacheControl: bucket === "public" ? ContentDisposition.publicCacheControl : ContentDisposition.privateCacheControl
})
