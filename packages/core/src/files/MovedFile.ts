/** A file, and an object by another name that may have its bytes. */
import * as StoreKey from "../objects/StoreKey.ts"
import { FileId } from "../shared/Ids.ts"
import type { StoredFile } from "./StoredFile.ts"

/** What the key of an object says about whose bytes it has. */
export interface NamedObject {
  readonly key: string
  /** How all keys of the same bytes begin. */
  readonly base: string
  /** Of a file that had its bytes at a key of the host's. */
  readonly fileId: FileId | undefined
}

export interface MovedFile extends
  Pick<
    StoredFile,
    "id" | "accountId" | "isPublic" | "publicKey" | "storeKey" | "etag" | "sizeBytes" | "fileName" | "mimeType"
  >
{
  /** Of the object. */
  readonly key: string
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The objects among these keys that are below `files/`. */
export const named = (keys: ReadonlyArray<string>): ReadonlyArray<NamedObject> =>
  keys.flatMap((key) => {
    const base = StoreKey.baseOf(key)
    if (base === undefined) return []
    const id = base.slice(base.lastIndexOf("/") + 1)
    return [{ key, base, fileId: uuid.test(id) ? FileId.make(id) : undefined }]
  })
