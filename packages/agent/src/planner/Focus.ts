/** What was mentioned last in a conversation: "it", "them", "that folder". Plans change it as they go. */
import type { FileRecord, ListItem } from "./drive/Records.ts"
import { namesShown } from "./namesShown.ts"

export type Noun =
  | "files"
  | "folder"
  | "playlist"
  | "gallery"
  | "tag"
  | "request"
  | "review"
  | "archive"
  | "image"
  | "import"

/** Something with an id and a name. */
export interface Named {
  readonly id: string
  readonly name: string
}

export interface Shown {
  readonly files: ReadonlyArray<FileRecord>
  /** Whether it had all of its files, so that it has a last one. */
  readonly isWhole: boolean
}

export interface Focus {
  /** What "it" means. */
  latest: Noun | "trash" | null
  files: ReadonlyArray<FileRecord>
  /** The list of files that an answer had last, in its order: "the second one" is an entry of it. */
  shown: Shown
  folder: { readonly id: string | null; readonly path: string } | null
  playlist: Pick<ListItem, "id" | "title"> | null
  gallery: Pick<ListItem, "id" | "title"> | null
  tag: string | null
  request: Named | null
  review: Named | null
  /** A note on a review, which "reply" without more means. */
  note: Named | null
  archive: Named | null
  image: Named | null
  import: Named | null
  /** Who files were shared with last. */
  people: ReadonlyArray<string>
  /** What was said beside the requests of this message, for whom "him" means. */
  remarks: ReadonlyArray<string>
}

export const emptyFocus = (): Focus => ({
  latest: null,
  files: [],
  shown: { files: [], isWhole: true },
  folder: null,
  playlist: null,
  gallery: null,
  tag: null,
  request: null,
  review: null,
  note: null,
  archive: null,
  image: null,
  import: null,
  people: [],
  remarks: []
})

/** Whether all of the files are of the list that was shown last. */
const areShown = ({ shown }: Focus, files: ReadonlyArray<FileRecord>): boolean => {
  const ids = new Set(shown.files.map(({ id }) => id))
  return files.every(({ id }) => ids.has(id))
}

/** Mentions files, which "them" and "it" mean from now on. What was done with files of a list leaves the list as it was shown. */
export const mentionFiles = (focus: Focus, files: ReadonlyArray<FileRecord>): void => {
  if (files.length > 1 && !areShown(focus, files)) showFiles(focus, files, namesShown)
  focus.files = files
  focus.latest = "files"
}

/** Shows a list of files, of which the answer has so many. */
export const showFiles = (focus: Focus, files: ReadonlyArray<FileRecord>, most: number): void => {
  focus.shown = { files: files.slice(0, most), isWhole: files.length <= most }
}

export const mention = <N extends Exclude<Noun, "files">>(
  focus: Focus,
  noun: N,
  value: NonNullable<Focus[N]>
): void => {
  ;(focus as Record<Noun, unknown>)[noun] = value
  focus.latest = noun
}
