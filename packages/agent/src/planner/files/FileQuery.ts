/** Which files a request means. */
import type { Period } from "../Dates.ts"
import type { FileType } from "./FileType.ts"

export interface Range {
  readonly min?: number
  readonly max?: number
}

export type Sort =
  | "newest"
  | "oldest"
  | "largest"
  | "smallest"
  | "name"
  | "longest"
  | "shortest"
  | "fastest"
  | "slowest"

/** All that is given narrows the result, except `or`, which adds to it. */
export interface FileQuery {
  /** What was mentioned before: "them", "it". */
  readonly refer: "them" | "it" | "rest" | null
  /** Exact names, any of them. */
  readonly names: ReadonlyArray<string>
  readonly types: ReadonlyArray<FileType>
  /** Any of these, in lower case and without the dot. */
  readonly extensions: ReadonlyArray<string>
  /** Words that must appear, as written. */
  readonly words: ReadonlyArray<string>
  /** What a name has to contain, begin or end with. */
  readonly nameParts: ReadonlyArray<{ readonly at: "in" | "start" | "end"; readonly text: string }>
  readonly tags: ReadonlyArray<string>
  /** A folder, as it was named; "" for the top of the drive alone. */
  readonly folder: string | null
  /** A folder, list, tag, place or words: "from Lisbon". */
  readonly somewhere: string | null
  readonly list: { readonly kind: "playlist" | "gallery"; readonly name: string | null } | null
  readonly uploaded: Period | null
  readonly taken: Period | null
  /** When it is not said what of the file: taken, where that is known, else uploaded. */
  readonly dated: Period | null
  /** Bytes. */
  readonly size: Range | null
  /** Seconds. */
  readonly duration: Range | null
  /** Beats a minute. */
  readonly tempo: Range | null
  readonly key: string | null
  readonly isPublic: boolean | null
  readonly isShared: "withMe" | "byMe" | null
  /** Who shared them with the user, as named. */
  readonly sharer: string | null
  /** What came in at a file request; null as its name for the one that is meant, as the sender for all. */
  readonly sent: { readonly request: string | null; readonly sender: string | null } | null
  readonly isTrashed: boolean
  readonly isUntagged: boolean
  readonly isUndescribed: boolean
  readonly sort: Sort | null
  /** At most so many, of the sort. */
  readonly count: number | null
  /** The n-th of what was listed or of the sort, from 1; -1 is the last. */
  readonly position: number | null
  /** The end of a list that "the first two" (1) and "the last two" (-1) are at, where one was shown. */
  readonly place: 1 | -1 | null
  /** So many files fit, no more and no fewer: "the two floor plans", "both". */
  readonly exactly: number | null
  readonly except: FileQuery | null
  readonly or: ReadonlyArray<FileQuery>
  /** How many files the user's words expect. */
  readonly number: "one" | "many" | "unknown"
  /** The words of the request, for answers. */
  readonly said: string
}

export const anyFile: FileQuery = {
  refer: null,
  names: [],
  types: [],
  extensions: [],
  words: [],
  nameParts: [],
  tags: [],
  folder: null,
  somewhere: null,
  list: null,
  uploaded: null,
  taken: null,
  dated: null,
  size: null,
  duration: null,
  tempo: null,
  key: null,
  isPublic: null,
  isShared: null,
  sharer: null,
  sent: null,
  isTrashed: false,
  isUntagged: false,
  isUndescribed: false,
  sort: null,
  count: null,
  position: null,
  place: null,
  exactly: null,
  except: null,
  or: [],
  number: "unknown",
  said: ""
}

/** Filters that tell files apart, besides what is only about order and number. */
const narrowing = (query: FileQuery): ReadonlyArray<unknown> => [
  query.refer,
  query.folder,
  query.somewhere,
  query.list,
  query.uploaded,
  query.taken,
  query.dated,
  query.size,
  query.duration,
  query.tempo,
  query.key,
  query.isPublic,
  query.isShared,
  query.sent,
  query.isTrashed || null,
  query.isUntagged || null,
  query.isUndescribed || null,
  query.count,
  query.position,
  query.sort,
  query.except,
  ...query.names,
  ...query.types,
  ...query.extensions,
  ...query.words,
  ...query.nameParts,
  ...query.tags,
  ...query.or
]

/** Whether it means every file of the drive. */
export const isWholeDrive = (query: FileQuery): boolean => narrowing(query).every((part) => part === null)

/** Whether nobody said which files, nor that it is all of them. */
export const saysNothing = (query: FileQuery | undefined): boolean =>
  query === undefined || (isWholeDrive(query) && query.number === "unknown")

/** Whether it has nothing but types: "photos". */
export const isBareType = (query: FileQuery): boolean =>
  (query.types.length > 0 || query.extensions.length > 0) && isWholeDrive({ ...query, types: [], extensions: [] })

/** Whether it says what kind of thing it means, or which, and not only how it is narrowed. */
export const hasHead = (query: FileQuery): boolean =>
  query.types.length + query.extensions.length + query.words.length + query.names.length > 0 || query.refer !== null
