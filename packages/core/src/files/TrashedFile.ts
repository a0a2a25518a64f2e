/** Files as they are trashed and deleted. */
import type { FileId } from "../shared/Ids.ts"

/** A file of the account's own that the call may touch. */
export interface OwnedFile {
  readonly id: FileId
  readonly isTrashed: boolean
  /** Whether it is a public file, wherever its bytes are. */
  readonly isPublic: boolean
}

/** A file in trash, and where it is there: the newest come first. */
export interface TrashedFile extends OwnedFile {
  readonly trashTime: Date
}

/** A row that was deleted: a file, or a derivative of one. */
export interface DeletedFile {
  readonly id: FileId
  readonly isPublic: boolean
  readonly storeKey: string
  readonly sizeBytes: number
  readonly isDerivative: boolean
}
