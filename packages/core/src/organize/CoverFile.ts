/** Images that lists are shown by. */
import type { LinkedFile } from "../files/FileRecords.ts"
import type { FileId, ListId } from "../shared/Ids.ts"

export interface CoverFile extends LinkedFile {
  readonly listId: ListId
  readonly id: FileId
}
