/** Reads, in SQL, the data that search docs are made of. */
import { Context, Effect, Layer } from "effect"
import * as Column from "../database/Column.ts"
import { Database } from "../database/Database.ts"
import * as MediaColumns from "../facts/MediaColumns.ts"
import type { AccountId, FileId, FolderId } from "../shared/Ids.ts"
import type { SearchableFile } from "./SearchableFile.ts"

/** A file as the index knows it, in view or not. */
interface IndexedFile {
  readonly id: FileId
  /** When it was uploaded, in milliseconds. */
  readonly time: number
  readonly folderNo: number | null
}

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  const listed = (ids: ReadonlyArray<FileId | FolderId>) => sql`unnest(${Column.of(ids)}::text::uuid[]) AS g (id)`

  /**
   * Files of these ids as `f`, and their folders as `d`. OFFSET 0: each is looked up by its id, and its account seen then. Where nothing
   * is known of the table's size the planner would go through all files of the account for each.
   */
  const given = (fileIds: ReadonlyArray<FileId>) =>
    sql`${listed(fileIds)}
      CROSS JOIN LATERAL (SELECT * FROM ${t.files} WHERE id = g.id OFFSET 0) f
      LEFT JOIN LATERAL (SELECT no, account_id FROM ${t.folders} WHERE id = f.folder_id OFFSET 0) d
        ON d.account_id = f.account_id`

  /** Those of the files that are in view. */
  const findable = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) =>
    sql<SearchableFile>`
      SELECT f.id, f.insert_time AS "insertTime", f.type, f.is_public AS "isPublic", f.size::float8 AS "sizeBytes",
        f.file_name AS "fileName", f.description, d.no::float8 AS "folderNo",
        -- File by file, by the index: a list of all taggings would be gone through for each file where nothing is known of its length.
        coalesce(
          (
            SELECT jsonb_agg(jsonb_build_object('no', tag.no::text, 'text', tag.text))
            FROM ${t.file_tags} ft JOIN ${t.tags} tag ON tag.id = ft.tag_id WHERE ft.file_id = f.id
          ),
          '[]'
        ) AS tags,
        ${sql.literal(MediaColumns.selected("m"))}
      FROM ${given(fileIds)}
      LEFT JOIN LATERAL (SELECT * FROM ${t.file_media} WHERE file_id = f.id OFFSET 0) m ON TRUE
      WHERE f.account_id = ${accountId} AND f.trash_time IS NULL AND f.derivative_of IS NULL
    `.pipe(Effect.orDie)

  /** Where files of the account are in its index, if they are. */
  const placed = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) =>
    sql<Omit<IndexedFile, "time"> & { readonly insertTime: Date }>`
      SELECT f.id, f.insert_time AS "insertTime", d.no::float8 AS "folderNo"
      FROM ${given(fileIds)} WHERE f.account_id = ${accountId}
    `.pipe(
      Effect.map((rows) =>
        rows.map(({ folderNo, id, insertTime }): IndexedFile => ({ id, time: insertTime.getTime(), folderNo }))
      ),
      Effect.orDie
    )

  /** The numbers that docs name these folders by. */
  const folderNos = (accountId: AccountId, folderIds: ReadonlyArray<FolderId>) =>
    sql<{ readonly id: FolderId; readonly no: number }>`
      SELECT d.id, d.no::float8 AS no FROM ${listed(folderIds)}
      JOIN ${t.folders} d ON d.id = g.id AND d.account_id = ${accountId}
    `.pipe(Effect.map((rows) => new Map(rows.map(({ id, no }) => [id, no]))), Effect.orDie)

  return { findable, placed, folderNos }
})

export class SearchIndexRepo extends Context.Service<SearchIndexRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/catalog/SearchIndexRepo"
) {
  static readonly layer = Layer.effect(SearchIndexRepo, make)
}
