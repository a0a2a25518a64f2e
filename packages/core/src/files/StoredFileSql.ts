/**
 * The SQL that reads a {@link "./StoredFile.ts"}: the columns, and which files a call may see. Everything that reads files reads
 * them this way.
 */
import type { Statement } from "effect/sql"
import type { Limits } from "../accounts/CurrentAccount.ts"
import type { Database } from "../database/Database.ts"
import * as MediaColumns from "../facts/MediaColumns.ts"
import type { AccountId, FolderId } from "../shared/Ids.ts"
import type { StoredFile } from "./StoredFile.ts"

type Db = Database["Service"]

/** The columns of a `StoredFile`, from {@link from}. Plain ones: JSON takes twice as long to make and to read. */
export const columns = ({ sql, tables: t }: Db) =>
  sql`
    f.id, f.account_id AS "accountId", f.folder_id AS "folderId", d.path AS "folderPath", f.type,
    f.file_name AS "fileName", f.description, f.mime_type AS "mimeType", f.size::float8 AS "sizeBytes",
    f.object_key AS "objectKey", f.is_public AS "isPublic", f.public_key AS "publicKey",
    f.store_key AS "storeKey", f.etag,
    f.metadata_status AS "metadataStatus", f.insert_time AS "insertTime", f.trash_time AS "trashTime",
    -- Looked up for these kinds alone, and one column for all of it: files without a picture cost next to nothing.
    CASE WHEN f.type IN ('Audio', 'Video', 'Image') THEN (
      SELECT concat_ws(E'\\n', p.id, p.store_key, p.mime_type, p.file_name) FROM ${t.files} p
      WHERE p.derivative_of = f.id AND p.derivative_kind IS NULL
    ) END AS "pictureLines",
    -- In no order: that alone would take as long as the rest of it.
    ARRAY(
      SELECT tag.id::text || tag.text FROM ${t.file_tags} ft
      -- OFFSET 0: one look by its id for each. For the two tags of a file the planner would read all tags there are.
      CROSS JOIN LATERAL (SELECT id, text FROM ${t.tags} WHERE id = ft.tag_id OFFSET 0) tag
      WHERE ft.file_id = f.id
    ) AS "tagLines",
    a.file_id IS NOT NULL AS "hasMedia", ${sql.literal(MediaColumns.selected("a"))},
    m.to_public AS "moveToPublic", m.parts_done AS "movePartsDone", m.part_count AS "movePartCount"
  `

/** The names of {@link columns}, in their order. */
export const names: ReadonlyArray<keyof StoredFile> = [
  "id",
  "accountId",
  "folderId",
  "folderPath",
  "type",
  "fileName",
  "description",
  "mimeType",
  "sizeBytes",
  "objectKey",
  "isPublic",
  "publicKey",
  "storeKey",
  "etag",
  "metadataStatus",
  "insertTime",
  "trashTime",
  "pictureLines",
  "tagLines",
  "hasMedia",
  ...MediaColumns.columns.map(({ name }) => name),
  "moveToPublic",
  "movePartsDone",
  "movePartCount"
]

/** As JSON makes objects, whatever their number of properties: see {@link ofValues}. */
const empty: Record<string, unknown> = JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))))

/**
 * A file from the values of a row, of which those of {@link columns} begin at `first`, for statements that run as `values`. A row that the
 * driver makes has its properties added one by one; with more than 16 it becomes a hash table, 3 kB instead of 400 bytes.
 */
export const ofValues = (values: ReadonlyArray<unknown>, first: number): StoredFile => {
  const row: Record<string, unknown> = { ...empty }
  for (let at = 0; at < names.length; at++) row[names[at]!] = values[first + at]
  return row as unknown as StoredFile
}

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
 * Condition on folders `inner` with a path inside `topPath` that this is only their former path: they follow a folder that is being moved
 * out of there.
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
 * visible to them whatever the limits of a call: so use {@link seenBy} with care.
 */
export const seenByOther = ({ sql, tables: t }: Db, user: Statement.Fragment) =>
  sql`(f.is_public OR EXISTS (SELECT 1 FROM ${t.shares} s WHERE s.file_id = f.id AND s.user_id = ${user}))`
