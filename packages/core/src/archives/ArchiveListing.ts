/** The files of an archive, named as they are in it. */
import { Effect } from "effect"
import type { FileId } from "../shared/Ids.ts"
import { utf8Length } from "../shared/Text.ts"
import type { SkippedFile } from "./Archive.ts"
import type { NewEntry, RequestedFile } from "./ArchiveEntry.ts"
import { namer } from "./EntryNames.ts"
import type { EntrySize } from "./Zip.ts"

/** Files that are named before others of this process continue. */
const turnSize = 1_000

/** The files asked for as entries of an archive, and which of them go in. */
export const listed = Effect.fnUntraced(
  function*(ids: ReadonlyArray<FileId>, candidates: ReadonlyArray<RequestedFile>, keepFolders: boolean) {
    const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]))
    const pathOf = ({ folderPath }: RequestedFile) => keepFolders ? folderPath : null
    const going = candidates.filter(({ isTrashed }) => !isTrashed)
    const nameOf = namer(going.map(pathOf))
    const entries: Array<NewEntry> = []
    const files: Array<EntrySize> = []
    for (const [position, fileId] of ids.entries()) {
      const found = byId.get(fileId)
      if (found === undefined || found.isTrashed) {
        const skipped = found === undefined ? "not_found" : "trashed"
        entries.push({ position, fileId, name: null, sizeBytes: null, modifiedTime: null, skipped })
      } else {
        const { fileName, insertTime, sizeBytes } = found
        const name = nameOf({ fileName, folderPath: pathOf(found) })
        entries.push({ position, fileId, name, sizeBytes, modifiedTime: insertTime, skipped: null })
        files.push({ nameBytes: utf8Length(name), sizeBytes })
      }
      if (position % turnSize === 0) yield* Effect.yieldNow
    }
    return { entries, files }
  }
)

/** Which of the entries are left out, and why. */
export const skippedOf = (entries: ReadonlyArray<NewEntry>): ReadonlyArray<SkippedFile> =>
  entries.flatMap(({ fileId, skipped }) => skipped === null ? [] : [{ id: fileId, reason: skipped }])
