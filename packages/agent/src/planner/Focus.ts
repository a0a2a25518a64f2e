/** What was mentioned last in a conversation: "it", "them", "that folder". Plans change it as they go. */
import type { FileRecord, ListItem } from "./drive/Records.ts"

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

export interface Focus {
  /** What "it" means. */
  latest: Noun | "trash" | null
  /** In the order in which they were shown. */
  files: ReadonlyArray<FileRecord>
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

/** Mentions files, which "them" and "it" mean from now on. */
export const mentionFiles = (focus: Focus, files: ReadonlyArray<FileRecord>): void => {
  focus.files = files
  focus.latest = "files"
}

export const mention = <N extends Exclude<Noun, "files">>(
  focus: Focus,
  noun: N,
  value: NonNullable<Focus[N]>
): void => {
  ;(focus as Record<Noun, unknown>)[noun] = value
  focus.latest = noun
}
