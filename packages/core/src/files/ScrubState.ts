/** How far a check of stored bytes is. */
import type { AccountId, FileId } from "../shared/Ids.ts"

export interface ScrubState {
  readonly startTime: Date
  /** Null while it is running. */
  readonly endTime: Date | null
  /** The last file that was checked to its end. */
  readonly afterId: FileId | null
  /** Where to continue in the one after it. */
  readonly fromByte: number
  readonly files: number
  readonly bytes: number
}

export interface ScrubbedFile {
  readonly id: FileId
  readonly accountId: AccountId
  readonly isPublic: boolean
  readonly storeKey: string
  readonly fileName: string
  readonly sizeBytes: number
}
