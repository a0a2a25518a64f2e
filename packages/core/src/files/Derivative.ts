/** Derivatives: files that are made of other files. */
import type { FileId } from "../shared/Ids.ts"
import type { StoredFile } from "./StoredFile.ts"

/**
 * What a derivative is: the picture a file is shown by, which is as public as the file and goes where it goes; or what players
 * open in its place, and the peaks of its sound, which are always in the private bucket and given out by signed links alone.
 */
export type DerivativeKind = "picture" | "preview" | "peaks"

/** What is made of a file: a row of `files` that is in no list and no count. */
export interface Derivative extends
  Pick<
    StoredFile,
    "id" | "accountId" | "isPublic" | "publicKey" | "storeKey" | "etag" | "fileName" | "mimeType" | "sizeBytes"
  >
{
  /** The file it shows. */
  readonly of: FileId
}
