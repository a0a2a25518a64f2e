/** Derivatives: files that are made of other files. */
import type { FileId } from "../shared/Ids.ts"
import type { StoredFile } from "./StoredFile.ts"

/** The picture a file is shown by: a row of `files` that is in no list and no count. */
export interface Derivative extends
  Pick<
    StoredFile,
    "id" | "accountId" | "isPublic" | "publicKey" | "storeKey" | "etag" | "fileName" | "mimeType" | "sizeBytes"
  >
{
  /** The file it shows. */
  readonly of: FileId
}
