/** Files that a call can open. */
import type { StoredFile } from "./StoredFile.ts"

/** A file for a reader who may not be its owner. */
export interface VisibleFile extends StoredFile {
  /** It is the caller's, and within the limits of the call. */
  readonly isOwn: boolean
  /** It is the picture a file is shown by, not a file of its own. */
  readonly isPicture: boolean
}
