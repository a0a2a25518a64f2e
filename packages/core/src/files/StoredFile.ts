/**
 * A recorded file as the drive keeps it, and the SQL that reads it: the columns,
 * and which files a call may see. Everything that reads files reads them this way.
 */
import { Array, Order } from "effect"
import type { Statement } from "effect/sql"
import type { Limits } from "../accounts/CurrentAccount.ts"
import type { Database } from "../database/Database.ts"
import type { ObjectAddress } from "../ports/ObjectStore.ts"
import type { FileType } from "../shared/FileType.ts"
import { type AccountId, FileId, type FolderId, TagId } from "../shared/Ids.ts"
import { foldCase } from "../shared/Text.ts"
import type { StoredMedia } from "./FileMedia.ts"
import type { MetadataStatus } from "./MetadataJob.ts"

export interface StoredFile extends StoredMedia {
  readonly id: FileId
  readonly accountId: AccountId
  readonly folderId: FolderId | null
  /** Path of the folder, or null at the top of the drive. */
  readonly folderPath: string | null
  readonly type: FileType
  readonly fileName: string
  readonly description: string | null
  readonly mimeType: string
  readonly sizeBytes: number
  /** The owner's name of the object. */
  readonly objectKey: string
  /** Whether its bytes are in the public bucket. Whether it is a public file says {@link isPublic}. */
  readonly isPublic: boolean
  /**
   * Where its lasting link leads, of a public file whose bytes are in the private bucket: because it is in trash, or
   * was until just now. Null for every other file.
   */
  readonly publicKey: string | null
  /** The store's name of the object. */
  readonly storeKey: string
  /** The store's mark of the bytes as they were recorded. */
  readonly etag: string
  readonly metadataStatus: MetadataStatus
  /** The picture it is shown by, in the bucket the file is in: read by {@link pictureOf}. Null when it has none. */
  readonly pictureLines: string | null
  /** Its tags in any order, each its id and, right behind, the text: read by {@link tagsOf}. */
  readonly tagLines: ReadonlyArray<string>
  readonly insertTime: Date
  readonly trashTime: Date | null
  /** Whether a copy to the other bucket is under way, and which way; null when none is. */
  readonly moveToPublic: boolean | null
  readonly movePartsDone: number | null
  readonly movePartCount: number | null
}

/** What is stored of a file's picture. */
export interface StoredPicture {
  readonly id: FileId
  readonly storeKey: string
  readonly fileName: string
  readonly mimeType: string
}

/** The picture a file is shown by. */
export const pictureOf = ({ pictureLines }: Pick<StoredFile, "pictureLines">): StoredPicture | null => {
  if (pictureLines === null) return null
  const [id = "", storeKey = "", mimeType = "", fileName = ""] = pictureLines.split("\n")
  return { id: FileId.make(id), storeKey, mimeType, fileName }
}

/** Characters of an id as text. */
const idLength = 36

/** A file's tags, by text. */
export const tagsOf = ({ tagLines }: Pick<StoredFile, "tagLines">) => {
  const tags = tagLines.map((line) => ({ id: TagId.make(line.slice(0, idLength)), text: line.slice(idLength) }))
  return tags.length < 2 ? tags : Array.sortWith(tags, ({ text }) => foldCase(text), Order.String)
}

/** Where a file's bytes are now. */
export const address = (file: Pick<StoredFile, "isPublic" | "storeKey">): ObjectAddress => ({
  bucket: file.isPublic ? "public" : "private",
  key: file.storeKey
})

/** Whether it is a public file: also while it is in trash, and its lasting link answers nobody. */
export const isPublic = (file: Pick<StoredFile, "isPublic" | "publicKey">): boolean =>
  file.isPublic || file.publicKey !== null

/** Whether nothing has become of a file that matters to who takes its bytes elsewhere. */
export const isSame = (a: StoredFile, b: StoredFile): boolean =>
  a.isPublic === b.isPublic && a.publicKey === b.publicKey && a.storeKey === b.storeKey && a.etag === b.etag
  && a.moveToPublic === b.moveToPublic && (a.trashTime === null) === (b.trashTime === null)

type Db = Database["Service"]

/** The columns of a {@link StoredFile}, from {@link from}. Plain ones: JSON takes twice as long to make and to read. */
export const columns = ({ sql, tables: t }: Db) =>
  sql`
    f.id, f.account_id AS "accountId", f.folder_id AS "folderId", d.path AS "folderPath", f.type,
    f.file_name AS "fileName", f.description, f.mime_type AS "mimeType", f.size::float8 AS "sizeBytes",
    f.object_key AS "objectKey", f.is_public AS "isPublic", f.public_key AS "publicKey",
    f.store_key AS "storeKey", f.etag,
    f.metadata_status AS "metadataStatus", f.insert_time AS "insertTime", f.trash_time AS "trashTime",
    -- Looked up for these kinds alone, and one column for all of it: files without a picture cost next to nothing.
    CASE WHEN f.type IN ('Audio', 'Video', 'Image') THEN (
      SELECT concat_ws(E'\\n', p.id, p.store_key, p.mime_type, p.file_name) FROM ${t.files} p WHERE p.derivative_of = f.id
    ) END AS "pictureLines",
    -- In no order: that alone would take as long as the rest of it.
    ARRAY(
      SELECT tag.id::text || tag.text FROM ${t.file_tags} ft
      -- OFFSET 0: one look by its id for each. For the two tags of a file the planner would read all tags there are.
      CROSS JOIN LATERAL (SELECT id, text FROM ${t.tags} WHERE id = ft.tag_id OFFSET 0) tag
      WHERE ft.file_id = f.id
    ) AS "tagLines",
    a.file_id IS NOT NULL AS "hasMedia", a.title, a.artists, a.album, a.genre, a.duration,
    a.tempo, a.tagged_tempo AS "taggedTempo", a.key, a.width, a.height, a.taken_time AS "takenTime", a.latitude,
    a.longitude, a.camera,
    m.to_public AS "moveToPublic", m.parts_done AS "movePartsDone", m.part_count AS "movePartCount"
  `

/** Files as `f`, with their folder, move and media. */
export const from = ({ sql, tables: t }: Db) =>
  sql`
    ${t.files} f
    LEFT JOIN LATERAL (
      -- As with tags: for a page of files the planner would read all folders there are.
      SELECT path FROM ${t.folders} WHERE id = f.folder_id AND account_id = f.account_id OFFSET 0
    ) d ON TRUE
    LEFT JOIN ${t.bucket_transfers} m ON m.file_id = f.id
    LEFT JOIN ${t.file_media} a ON a.file_id = f.id
  `

/**
 * Condition that the folder `inner` is the folder `top` or inside it, both of one account. Paths are indexed by
 * their beginning, and `0` is what follows `/`: so this reads the folders that are meant and hardly any other.
 */
export const isInside = (database: Db, inner: string, top: string) =>
  database.sql`(${
    database.sql.literal(`
    left(${inner}.folded_path, 400) BETWEEN left(${top}.folded_path, 400) AND left(${top}.folded_path || '0', 400)
    AND (${inner}.id = ${top}.id OR starts_with(${inner}.folded_path, ${top}.folded_path || '/'))
    `)
  } AND NOT ${hasLeft(database, inner, database.sql.literal(`${top}.folded_path`))})`

/**
 * Condition on folders `inner` with a path inside `topPath` that this is only their former path: they follow a folder that is on
 * its way out of there.
 */
export const hasLeft = ({ sql, tables: t }: Db, inner: string, topPath: Statement.Fragment) => {
  const [account, id, path] = ["account_id", "id", "folded_path"].map((column) => sql.literal(`${inner}.${column}`))
  return sql`EXISTS (
    SELECT 1 FROM ${t.folders} moving
    WHERE moving.account_id = ${account!} AND moving.former_path IS NOT NULL AND moving.id <> ${id!}
      AND starts_with(${path!}, moving.former_folded_path || '/')
      AND NOT (${topPath} = moving.former_folded_path OR starts_with(${topPath}, moving.former_folded_path || '/'))
      AND NOT (moving.folded_path = ${topPath} OR starts_with(moving.folded_path, ${topPath} || '/'))
  )`
}

/**
 * Condition on files `f` that a call with these limits sees: all of them, or
 * those in its folder and inside it. The account is not part of it.
 */
export const within = (database: Db, { folderId }: Limits) => {
  const { sql, tables: t } = database
  return folderId === null ? sql`TRUE` : sql`
    f.folder_id IN (
      SELECT inner_folder.id FROM ${t.folders} top_folder
      JOIN ${t.folders} inner_folder ON inner_folder.account_id = top_folder.account_id
        AND ${isInside(database, "inner_folder", "top_folder")}
      WHERE top_folder.id = ${folderId} AND top_folder.account_id = f.account_id
    )
  `
}

/** Condition on rows with an account and a folder that this is the folder `top` or inside it, and there still. */
export const isFolderWithin = (database: Db, rows: string, top: FolderId) => {
  const { sql, tables: t } = database
  return sql`
    EXISTS (
      SELECT 1 FROM ${t.folders} top_folder
      JOIN ${t.folders} inner_folder ON inner_folder.account_id = top_folder.account_id
        AND ${isInside(database, "inner_folder", "top_folder")}
      WHERE top_folder.id = ${top} AND top_folder.account_id = ${sql.literal(`${rows}.account_id`)}
        AND inner_folder.id = ${sql.literal(`${rows}.folder_id`)}
    )
  `
}

/**
 * Condition on folders `d` that they have this folded path or are inside it. Of one account they are read from the index, in
 * the order of `left(d.folded_path, 400), d.folded_path`: so a limit bounds what a statement reads.
 */
export const isInsidePath = ({ sql }: Db, foldedPath: string) =>
  sql`(
    left(d.folded_path, 400) BETWEEN left(${foldedPath}::text, 400) AND left(${foldedPath}::text || '0', 400)
    AND (d.folded_path = ${foldedPath}::text OR starts_with(d.folded_path, ${foldedPath}::text || '/'))
  )`

/** Condition on files `f` that they are in the account's folder of this folded path, or inside it. */
export const inPath = (database: Db, accountId: AccountId, foldedPath: string) => {
  const { sql, tables: t } = database
  return sql`f.folder_id IN (
    SELECT d.id FROM ${t.folders} d WHERE d.account_id = ${accountId} AND ${isInsidePath(database, foldedPath)}
  )`
}

/** Condition on files `f` that somebody can see: their own, public, or shared with them. `user` is their id in SQL. */
export const seenBy = (database: Db, user: Statement.Fragment) =>
  database.sql`(f.account_id = ${user} OR ${seenByOther(database, user)})`

/**
 * The same for files that are not their own. A file shared with a user is
 * theirs to see whatever the limits of a call: for that, ask {@link seenBy} with care.
 */
export const seenByOther = ({ sql, tables: t }: Db, user: Statement.Fragment) =>
  sql`(f.is_public OR EXISTS (SELECT 1 FROM ${t.shares} s WHERE s.file_id = f.id AND s.user_id = ${user}))`
