/** A multipart upload as recorded. Only the store knows its parts. */
import { type DateTime, Schema } from "effect"
import type { Limits } from "../accounts/CurrentAccount.ts"
import * as PendingDeletion from "../objects/PendingDeletion.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import type { FileType } from "../shared/FileType.ts"
import type { AccountId, FileId, UploadId } from "../shared/Ids.ts"
import type { DeliveryIds } from "./Delivery.ts"
import type { UploadState } from "./UploadState.ts"

/** The token of an open upload, which its caller has. */
export const UploadToken = Schema.String.pipe(Schema.brand("UploadToken"))
export type UploadToken = typeof UploadToken.Type

/** With the limits of the call that opened it, which it keeps. */
export interface Upload extends Limits {
  readonly id: UploadId
  readonly accountId: AccountId
  readonly objectKey: string
  readonly storeKey: string
  /** The store's own id of the upload. */
  readonly storageId: string
  readonly state: UploadState
  readonly fileName: string
  readonly type: FileType
  readonly mimeType: string
  readonly sizeBytes: number
  /**
   * Bytes of the quota it reserves. While it is open these are the most that its part URLs can store: those signed for an
   * earlier, larger size stay good for a day. Then they are the object's, and none once that is a file or removed.
   */
  readonly heldBytes: number
  readonly lastPartTime: DateTime.Utc
  /** What the stored parts looked like when {@link lastPartTime} was set. */
  readonly partsMark: string | null
  /** The file this upload became. */
  readonly fileId: FileId | null
  /** What its file is sent for, where that is not the account itself. */
  readonly deliveredTo: DeliveryIds | null
  /** Whether the call that reads this may continue it. */
  readonly isWithin: boolean
}

/** Where the upload's object will be: no form can write there. */
export const addressOf = (upload: Upload) => StoreKey.inPrivate(upload.storeKey)

/** What storage may hold of an upload: its parts, and the object they may have become. */
export const objectsOf = (upload: Upload) => PendingDeletion.ofUpload(addressOf(upload), upload.storageId)
