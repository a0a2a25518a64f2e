/** A stored object, or an open upload of storage, that is to be removed. */
import type { Bucket } from "../ports/ObjectStore.ts"
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
