/** An account's index as of one moment: its segments, and the files that changed since they were made. */
import type { FileId } from "../shared/Ids.ts"
import { firstThat } from "./Dictionary.ts"
import { compareIds, type Doc } from "./Doc.ts"
import type { Change, Header, News } from "./DocIndexRepo.ts"
import type { Ids } from "./Segment.ts"
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
  readonly changes: ReadonlyMap<FileId, Change>
  readonly headers: ReadonlyArray<Header>
  /** Docs of files that changed and are in view. */
  readonly docs: ReadonlyArray<Doc>
}

/** Merges what was known and what is new into the current state. */
export const renewed = (known: IndexState | undefined, news: News): IndexState => {
  const { generation, revision, seq } = news
  if (known !== undefined && news.headers === null && news.changes.length === 0 && seq === known.seq) {
    return revision === known.revision ? known : { ...known, revision }
  }
  const isAll = known === undefined || news.headers !== null
  const changes = new Map(isAll ? [] : known.changes)
  for (const change of news.changes) changes.set(change.id, change)
  const docs: Array<Doc> = []
  for (const { doc, id, time } of changes.values()) if (doc !== null) docs.push({ ...doc, id, time })
  return { generation, seq, revision, changes, docs, headers: news.headers ?? known!.headers }
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
