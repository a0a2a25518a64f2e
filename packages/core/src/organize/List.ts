/**
 * Playlists and galleries: ordered lists of files, of two kinds that differ in
 * what may be in them. Spec: "Other resources", Playlist, Gallery.
 */
import { Schema } from "effect"
import * as Limits from "../limits/Limits.ts"
import type { FileType } from "../shared/FileType.ts"
import type { AccountId, FileId, FolderId, ListId } from "../shared/Ids.ts"
import { LineOfLength } from "../shared/Text.ts"

export type ListKind = "playlist" | "gallery"

/** The types of the files that lists of a kind hold. */
export const holds: { readonly [kind in ListKind]: ReadonlyArray<FileType> } = {
  playlist: ["Audio", "Video"],
  gallery: ["Image"]
}

/** A list as it is returned. Playlists have neither a description nor featured files. */
export interface ListItem {
  readonly id: ListId
  readonly title: string
  readonly description: string | null
  readonly isPublic: boolean
  /** How many of its files the caller can see now. A file in trash keeps its position and is not counted. */
  readonly fileCount: number
  readonly featuredCount: number
}

export interface StoredList extends ListItem {
  readonly accountId: AccountId
  readonly kind: ListKind
}

/** A list with what it is sorted by. */
export interface SortableList extends ListItem {
  readonly kind: ListKind
  readonly insertTime: Date
}

/** The reader of a list: its owner, maybe limited to a folder, or anybody else, signed in or not. */
export type ListReader =
  | { readonly _tag: "Owner"; readonly folderId: FolderId | null }
  | { readonly _tag: "Other"; readonly id: AccountId | null }

/** A file in a list. */
export interface ListEntry {
  readonly id: FileId
  readonly isFeatured: boolean
}

/** Converts a stored list to the form that is returned. */
export const item = ({ description, featuredCount, fileCount, id, isPublic, title }: ListItem): ListItem => ({
  id,
  title,
  description,
  isPublic,
  fileCount,
  featuredCount
})

/** The result of adding files. A file that was in the list already is in neither. */
export interface Additions {
  readonly list: ListItem
  readonly added: ReadonlyArray<FileId>
  /** Those that may not be in the list: unknown, in trash, of another type, or not allowed to the caller. */
  readonly skipped: ReadonlyArray<FileId>
}

/** The result of removing files. */
export interface Removals {
  readonly list: ListItem
  readonly removed: ReadonlyArray<FileId>
}

/** The title of a playlist or gallery. */
export const ListTitle = LineOfLength(Limits.listTitleLength.min, Limits.listTitleLength.max).pipe(
  Schema.brand("ListTitle")
)
export type ListTitle = typeof ListTitle.Type

const { max, min } = Limits.listPage

/** How many files of a list a page has at most. */
export const ListLimit = Schema.Int.check(Schema.isBetween({ minimum: min, maximum: max })).pipe(
  Schema.brand("ListLimit")
)
export type ListLimit = typeof ListLimit.Type

/** How many files of a list a page skips. */
export const ListOffset = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 })).pipe(
  Schema.brand("ListOffset")
)
export type ListOffset = typeof ListOffset.Type
