/** An account's index as of one moment: its segments, and the files that changed since they were made. */
import type { FileId } from "../shared/Ids.ts"
import { firstThat } from "./Dictionary.ts"
import { compareIds, type Doc, type DocChange } from "./Doc.ts"
import type { Ids, SegmentHeader } from "./Segment.ts"
import { readId } from "./SegmentColumns.ts"

/** A file as its doc is found again. */
export interface Known {
  readonly id: FileId
  /** When it was uploaded. */
  readonly time: number
}

export interface IndexState {
  readonly generation: number
  readonly seq: number
  /** The account's revision, which also counts changes that don't concern the index. */
  readonly revision: number
  readonly changes: ReadonlyMap<FileId, DocChange>
  readonly headers: ReadonlyArray<SegmentHeader>
  /** Docs of files that changed and are in view. */
  readonly docs: ReadonlyArray<Doc>
}

/** What has changed of an account's index since `generation` and `seq`. */
export interface IndexUpdate {
  readonly generation: number
  readonly seq: number
  /** The account's own. */
  readonly revision: number
  /** When the generation is the same, those after `seq`; else all there are. */
  readonly changes: ReadonlyArray<DocChange>
  /** Null when the generation is the same. */
  readonly headers: ReadonlyArray<SegmentHeader> | null
}

/** Merges what was known and what is new into the current state. */
export const renewed = (known: IndexState | undefined, update: IndexUpdate): IndexState => {
  const { generation, revision, seq } = update
  if (known !== undefined && update.headers === null && update.changes.length === 0 && seq === known.seq) {
    return revision === known.revision ? known : { ...known, revision }
  }
  const isAll = known === undefined || update.headers !== null
  const changes = new Map(isAll ? [] : known.changes)
  for (const change of update.changes) changes.set(change.id, change)
  const docs: Array<Doc> = []
  for (const { doc, id, time } of changes.values()) if (doc !== null) docs.push({ ...doc, id, time })
  return { generation, seq, revision, changes, docs, headers: update.headers ?? known!.headers }
}

/** The numbers of these files' docs in a segment; files that are not in it are left out. */
export const docNumbersIn = (
  { bytes, times }: Ids,
  files: Iterable<Known>
): Map<FileId, number> => {
  const docs = new Map<FileId, number>()
  const [first, last] = [times[0]!, times.at(-1)!]
  for (const { id, time } of files) {
    if (time < first || time > last) continue
    const doc = firstThat(
      0,
      times.length,
      (doc) => times[doc]! > time || (times[doc] === time && compareIds(readId(bytes, doc), id) >= 0)
    )
    if (times[doc] === time && readId(bytes, doc) === id) docs.set(id, doc)
  }
  return docs
}
