/** Fields that the routes of playlists and galleries share. */
import { Schema } from "effect"
import { FileRecord } from "../files/FileRecord.ts"
import * as Limits from "../limits/Limits.ts"
import { FileId, ListId } from "../shared/Ids.ts"
import { ListLimit, ListOffset } from "./List.ts"

const { filesPerNewList, filesPerOrganizeCall, filesPerReorderCall } = Limits

export const FileIds = Schema.Array(FileId)

/** Files that a list is made with. */
export const NewFileIds = FileIds.check(Schema.isMaxLength(filesPerNewList.max))

/** Files that are put in or taken out. */
export const SomeFileIds = FileIds.check(Schema.isBetweenLength(filesPerOrganizeCall.min, filesPerOrganizeCall.max))

/** Files in their new order. */
export const OrderedFileIds = FileIds.check(Schema.isBetweenLength(filesPerReorderCall.min, filesPerReorderCall.max))

export const FeaturedFileIds = FileIds.check(Schema.isMaxLength(filesPerReorderCall.max))

/** The fields of a list in every answer. */
export const item = { id: ListId, title: Schema.String, isPublic: Schema.Boolean, fileCount: Schema.Int }

/** `added` are in the order asked; a file that was there already is neither in it nor in `skipped`. */
export const additions = { added: FileIds, skipped: FileIds }

/** The cover of a playlist: an image, and a link to it. Null where it has none, or the caller may not see the image. */
export const cover = { coverId: Schema.NullOr(FileId), coverUrl: Schema.NullOr(Schema.String) }

export const removals = { removed: FileIds }

export const page = {
  limit: Schema.optionalKey(ListLimit),
  offset: Schema.optionalKey(ListOffset)
}

/** Files in the list's order, without those in trash; `nextOffset` is the `offset` of the next page, null at the end. */
export const pageAnswer = { files: Schema.Array(FileRecord), nextOffset: Schema.NullOr(Schema.Int) }

/** The sentence on limited tokens in both groups of routes. */
export const limitedTokens =
  "A token that is limited to a folder changes a list as a whole (its title, description and access, or deletes it) only when it " +
  "sees all files in it: else it is 403 `token_limit`."
