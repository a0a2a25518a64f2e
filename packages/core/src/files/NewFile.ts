/** Files that are to be recorded, and those that have their keys already. */
import type { Limits } from "../accounts/CurrentAccount.ts"
import type { SearchableFile } from "../catalog/SearchableFile.ts"
import type { FactValues } from "../facts/MediaFact.ts"
import type { FileType } from "../shared/FileType.ts"
import type { AccountId, FileId, FolderId } from "../shared/Ids.ts"
import * as MetadataJob from "./MetadataJob.ts"

/** Bytes that are to become a file. */
export interface NewFile {
  readonly accountId: AccountId
  /** The owner's name of the object; no other file of the account has it. */
  readonly objectKey: string
  /** Where the bytes are, in the private bucket: an object listed for deletion, which the file adopts. */
  readonly storeKey: string
  readonly etag: string
  readonly fileName: string
  readonly type: FileType
  readonly mimeType: string
  readonly sizeBytes: number
  readonly folderId: FolderId | null
  /** The permissions of the call that opened its upload; null or left out for all. */
  readonly addedPermissions?: Limits["permissions"]
  /** Whether it came in a drop or a generation: its folder was found in the same transaction, and another event tells of it. */
  readonly isDelivered?: boolean
  readonly description?: string | null
}

/** A file that comes with all that is known of it. */
export interface KnownFile extends Omit<NewFile, "accountId" | "description"> {
  readonly description: string | null
  readonly insertTime: Date
  readonly media: FactValues | null
  /** Whether its metadata is to be extracted, if its kind has any. */
  readonly extractDue: boolean
  /** Its tags, for the search. */
  readonly tags: SearchableFile["tags"]
}

/** Whether such a file is queued for extraction. */
export const statusAtFirst = (
  { extractDue, type }: Pick<KnownFile, "extractDue" | "type">
): MetadataJob.MetadataStatus => extractDue ? MetadataJob.statusAtFirst(type) : "done"

/** A file that has the key of a new one already. */
export interface KeyHolder {
  readonly objectKey: string
  readonly storeKey: string
  readonly sizeBytes: number
}

/** The same, as a call gets it that asks for the key. */
export interface CheckedKeyHolder extends KeyHolder {
  readonly id: FileId
  readonly fileName: string
  /** Whether the call may know of it. */
  readonly isWithin: boolean
}
