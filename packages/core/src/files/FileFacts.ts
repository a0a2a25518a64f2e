/** Media facts with the file that they belong to. */
import type { FactValues } from "../facts/MediaFact.ts"
import type { FileId } from "../shared/Ids.ts"

/** All facts of one file. */
export interface FileFacts extends FactValues {
  readonly fileId: FileId
}

/** The media facts of a file; a fact that is left out was not found. */
export interface PartialFileFacts extends Partial<FactValues> {
  readonly fileId: FileId
}
