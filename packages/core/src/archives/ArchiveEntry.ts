/** Files of an archive, from the request for it to its bytes. */
import type { ObjectAddress } from "../ports/ObjectStore.ts"
import type { FileId } from "../shared/Ids.ts"
import type { SkipReason } from "./Archive.ts"
import type * as Zip from "./Zip.ts"

/** A file that an archive was requested of, as a caller who may see it gets it. */
export interface RequestedFile {
  readonly id: FileId
  readonly fileName: string
  readonly sizeBytes: number
  readonly insertTime: Date
  /** Null at the top of the drive, and for files of others, whose folders stay private. */
  readonly folderPath: string | null
  readonly isTrashed: boolean
}

/** A file that is to be in an archive. */
export interface NewEntry {
  readonly position: number
  readonly fileId: FileId
  readonly name: string | null
  readonly sizeBytes: number | null
  readonly modifiedTime: Date | null
  readonly skipped: SkipReason | null
}

/** What the plan of an archive is made of. */
export interface PlannedEntry extends Zip.EntrySize {
  readonly position: number
  /** Of its bytes, when all of them are in a part that is stored. */
  readonly crc: number | null
}

/** An entry all of whose bytes are in a part. */
export interface FinishedEntry {
  readonly position: number
  readonly crc: number
}

/** An entry with its file as it is now. */
export interface StoredEntry extends Zip.Entry {
  readonly position: number
  readonly at: ObjectAddress
  /** Why the file can no longer be in the archive; null when it can. */
  readonly reason: SkipReason | null
}

/** A file that has to be left out. */
export interface LostEntry {
  readonly position: number
  readonly reason: SkipReason
}
