/** A stored object, or an open upload of storage, that is to be removed. */
import type { Bucket, ObjectAddress } from "../ports/ObjectStore.ts"
import type { FileId } from "../shared/Ids.ts"

/** A stored object, or with a `storageId` an open multipart upload, that nothing needs after a time. */
export interface PendingDeletion {
  readonly bucket: Bucket
  readonly storeKey: string
  /** The store's id of a multipart upload, when that is meant and not the object. */
  readonly storageId?: string
  /** The file whose former object this is: when that file is deleted, its removal is due at once. */
  readonly fileId?: FileId
  /**
   * A lasting link leads there, so that an object may be made under the same key again: removed by one server at a time, and
   * once more an hour later, for a copy that storage made late.
   */
  readonly isReused?: boolean
}

/** A row's key. */
export interface PendingDeletionKey {
  readonly bucket: Bucket
  readonly storeKey: string
  /** Empty for an object. */
  readonly storageId: string
}

/** The object at an address. */
export const ofObject = ({ bucket, key }: ObjectAddress): PendingDeletion => ({ bucket, storeKey: key })

/** The same for keys of files: a lasting link may lead to any key of the public bucket. */
export const ofFileObject = (at: ObjectAddress): PendingDeletion => ({
  ...ofObject(at),
  isReused: at.bucket === "public"
})

/** An open upload, and the object that it may have become. */
export const ofUpload = (at: ObjectAddress, storageId: string): ReadonlyArray<PendingDeletion> => [
  { ...ofObject(at), storageId },
  ofObject(at)
]
