/** The event of a finished drop. Pure. Spec: "Drive event feed", drop. */
import type { DroppedFile, NewEvent } from "../events/DriveEvent.ts"
import type { FolderId } from "../shared/Ids.ts"
import { utf8Length } from "../shared/Text.ts"
import type { Drop } from "./Drop.ts"

/** One event names no more files than fit in this, so that strangers can't make a page of the feed any size: some 1,500 of usual names. */
const filesMaxBytes = 256 * 1024

export const of = (
  { note, requestId, senderName }: Drop,
  { folderId, title }: { readonly folderId: FolderId | null; readonly title: string },
  files: ReadonlyArray<DroppedFile>
): NewEvent => {
  let bytes = 0
  const named = files.filter((file) => (bytes += utf8Length(JSON.stringify(file)) + 1) <= filesMaxBytes)
  return {
    kind: "drop",
    folderId,
    requestId,
    payload: {
      sender: { name: senderName },
      note,
      request: { id: requestId, title },
      files: named,
      fileCount: files.length
    }
  }
}
