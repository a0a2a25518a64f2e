/** What files are found by, in SQL. The only module that writes `search_files`, `search_words` and `search_pending`. */
import { Context, Effect, Layer } from "effect"
import * as Column from "../database/Column.ts"
import { Database } from "../database/Database.ts"
import { FileType } from "../shared/FileType.ts"
import type { AccountId, FileId, FolderId } from "../shared/Ids.ts"
import * as Lexeme from "./Lexeme.ts"
import type { Findable, SearchRow } from "./SearchRow.ts"
import * as StoredFile from "./StoredFile.ts"

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database

  const accountNo = (accountId: AccountId) => sql`(SELECT no FROM ${t.accounts} WHERE id = ${accountId})`

  /** Those of the files that are in view, as their words are made of them. */
  const findable = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) =>
    sql<Findable>`
      WITH RECURSIVE found AS MATERIALIZED (
        SELECT f.id, f.folder_id, f.type, f.is_public, f.file_name, f.description FROM ${t.files} f
        WHERE f.account_id = ${accountId} AND f.id = ANY(${fileIds}::uuid[])
          AND f.trash_time IS NULL AND f.derivative_of IS NULL
      ), above AS (
        SELECT d.id, d.no, d.parent_id FROM ${t.folders} d
        WHERE d.account_id = ${accountId} AND d.id IN (SELECT folder_id FROM found)
        UNION ALL
        SELECT above.id, d.no, d.parent_id FROM above JOIN ${t.folders} d ON d.id = above.parent_id
      ), paths AS (
        SELECT id, array_agg(no::text) AS nos FROM above GROUP BY id
      )
      SELECT f.id, a.no AS "accountNo", f.type, f.is_public AS "isPublic", f.file_name AS "fileName", f.description,
        coalesce(p.nos, '{}') AS "folderNos", m.title, m.artists, m.album, m.genre,
        -- File by file, by the index: a list of all taggings would be gone through for each file where nothing is known of its length.
        coalesce(
          (
            SELECT jsonb_agg(jsonb_build_object('no', g.no::text, 'text', g.text))
            FROM ${t.file_tags} ft JOIN ${t.tags} g ON g.id = ft.tag_id WHERE ft.file_id = f.id
          ),
          '[]'
        ) AS tags
      FROM found f
      JOIN ${t.accounts} a ON a.id = ${accountId}
      LEFT JOIN paths p ON p.id = f.folder_id
      LEFT JOIN ${t.file_media} m ON m.file_id = f.id
    `.pipe(Effect.orDie)

  const replacing = sql.literal(`
      ON CONFLICT (file_id) DO UPDATE SET type = excluded.type, key = excluded.key, is_public = excluded.is_public,
        duration = excluded.duration, tempo = excluded.tempo, latitude = excluded.latitude,
        longitude = excluded.longitude, size = excluded.size, taken_time = excluded.taken_time,
        name_key = excluded.name_key, lexemes = excluded.lexemes
      -- A row that stays as it is need not enter a dozen indexes again.
      WHERE s.* IS DISTINCT FROM excluded.*
  `)

  /** How the account and its folders are named in lexemes: each of these folders with those above it. */
  const numbers = (accountId: AccountId, folderIds: ReadonlyArray<FolderId>) =>
    sql<{ readonly accountNo: number; readonly id: FolderId | null; readonly nos: ReadonlyArray<string> }>`
      WITH RECURSIVE above AS (
        SELECT d.id, d.no, d.parent_id FROM ${t.folders} d
        WHERE d.account_id = ${accountId} AND d.id = ANY(${folderIds}::uuid[])
        UNION ALL
        SELECT above.id, d.no, d.parent_id FROM above JOIN ${t.folders} d ON d.id = above.parent_id
      )
      SELECT a.no AS "accountNo", p.id, coalesce(p.nos, '{}') AS nos FROM ${t.accounts} a
      LEFT JOIN (SELECT id, array_agg(no::text) AS nos FROM above GROUP BY id) p ON TRUE
      WHERE a.id = ${accountId}
    `.pipe(
      Effect.map((rows) => ({
        accountNo: rows[0]!.accountNo,
        folderNos: new Map(rows.flatMap(({ id, nos }) => id === null ? [] : [[id, nos]]))
      })),
      Effect.orDie
    )

  /**
   * Writes rows; what is a plain copy of a record's columns is copied here. Their files are pending no more. Of
   * new files no row is there that could stay or be replaced, and none is pending.
   */
  const write = (accountId: AccountId, rows: ReadonlyArray<SearchRow>, { areNew }: { readonly areNew: boolean }) => {
    const ids = rows.map(({ id }) => id)
    const words = [...new Set(rows.flatMap(({ words }) => words))]
    const given = JSON.stringify(
      rows.map(({ id, lexemes, nameKey }) => ({ id, name_key: nameKey, lexemes: lexemes.map(Lexeme.quoted).join(" ") }))
    )
    const settled = sql`, settled AS (
        DELETE FROM ${t.search_pending} WHERE account_id = ${accountId} AND file_id = ANY(${ids}::uuid[])
      )`
    return sql`
      WITH known AS (
        INSERT INTO ${t.search_words} (account_no, word)
        SELECT ${accountNo(accountId)}, word FROM unnest(${Column.of(words)}::text::text[]) AS word
        ON CONFLICT DO NOTHING
      )${areNew ? sql`` : settled}
      INSERT INTO ${t.search_files} AS s (file_id, account_no, type, key, is_public, duration, tempo, latitude, longitude,
        insert_time, size, taken_time, name_key, lexemes)
      SELECT f.id, a.no, array_position(${FileType.literals}::text[], f.type), m.key, f.is_public, m.duration,
        coalesce(m.tempo, m.tagged_tempo), m.latitude, m.longitude, f.insert_time, f.size, m.taken_time, g.name_key,
        g.lexemes::tsvector
      -- Not columns, of whose length the planner knows: it would plan every write anew, which doubles what one costs.
      FROM json_to_recordset(${given}::json) AS g (id uuid, name_key text, lexemes text)
      JOIN ${t.files} f ON f.id = g.id AND f.account_id = ${accountId}
      JOIN ${t.accounts} a ON a.id = f.account_id
      LEFT JOIN ${t.file_media} m ON m.file_id = f.id
      ${areNew ? sql`` : replacing}
    `.pipe(Effect.asVoid, Effect.orDie)
  }

  /** Takes files out: none of these is found any more, or pending. */
  const remove = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) =>
    sql`
      WITH settled AS (
        DELETE FROM ${t.search_pending} WHERE account_id = ${accountId} AND file_id = ANY(${fileIds}::uuid[])
      )
      DELETE FROM ${t.search_files}
      WHERE file_id = ANY(${fileIds}::uuid[]) AND account_no = ${accountNo(accountId)}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Notes files whose rows are to be written later. */
  const postpone = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) =>
    sql`
      INSERT INTO ${t.search_pending} (account_id, file_id)
      SELECT ${accountId}, f.id FROM ${t.files} f WHERE f.account_id = ${accountId} AND f.id = ANY(${fileIds}::uuid[])
      ON CONFLICT DO NOTHING
    `.pipe(Effect.asVoid, Effect.orDie)

  /** The same for all files in view that are in a folder or inside it. */
  const postponeFolder = (accountId: AccountId, folderId: FolderId) =>
    sql`
      INSERT INTO ${t.search_pending} (account_id, file_id)
      SELECT f.account_id, f.id FROM ${t.files} f
      WHERE f.account_id = ${accountId} AND f.trash_time IS NULL AND f.derivative_of IS NULL
        AND ${StoredFile.within(database, { permissions: null, folderId })}
      ON CONFLICT DO NOTHING
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Some of the files whose rows are to be written. */
  const pending = (accountId: AccountId, limit: number) =>
    sql<{ readonly id: FileId }>`
      SELECT file_id AS id FROM ${t.search_pending} WHERE account_id = ${accountId} ORDER BY file_id LIMIT ${limit}::int
    `.pipe(Effect.map((rows) => rows.map(({ id }) => id)), Effect.orDie)

  return { findable, numbers, write, remove, postpone, postponeFolder, pending }
})

export class SearchIndexRepo extends Context.Service<SearchIndexRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/files/SearchIndexRepo"
) {
  static readonly layer = Layer.effect(SearchIndexRepo, make)
}
