/** Compares what an account's files are found by with what is recorded of them, made anew in another way. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../src/database/Database.ts"
import * as SearchRow from "../src/files/SearchRow.ts"
import * as StoredFile from "../src/files/StoredFile.ts"
import { FileType } from "../src/shared/FileType.ts"
import type { AccountId, FileId } from "../src/shared/Ids.ts"

/** Files in view have the row they should, others have none, words are known, and nothing is pending. */
export const checkSearch = Effect.fnUntraced(function*(accountId: AccountId) {
  const database = yield* Database
  const { sql, tables: t } = database
  const own = sql`account_no = (SELECT no FROM ${t.accounts} WHERE id = ${accountId})`
  const columns = sql.literal(`s.type::int AS type, s.key::int AS key, s.is_public AS "isPublic", s.duration, s.tempo,
    s.latitude, s.longitude, s.insert_time AS "insertTime", s.size::float8 AS size, s.taken_time AS "takenTime"`)
  const files = yield* sql<SearchRow.Findable>`
    SELECT f.id, a.no AS "accountNo", f.type, f.is_public AS "isPublic", f.file_name AS "fileName", f.description,
      ARRAY(
        SELECT top.no::text FROM ${t.folders} top JOIN ${t.folders} inside ON inside.account_id = top.account_id
        WHERE inside.id = f.folder_id AND ${StoredFile.isInside(database, "inside", "top")}
      ) AS "folderNos",
      (
        SELECT coalesce(jsonb_agg(jsonb_build_object('no', g.no::text, 'text', g.text)), '[]')
        FROM ${t.file_tags} ft JOIN ${t.tags} g ON g.id = ft.tag_id WHERE ft.file_id = f.id
      ) AS tags,
      m.title, m.artists, m.album, m.genre
    FROM ${t.files} f JOIN ${t.accounts} a ON a.id = f.account_id LEFT JOIN ${t.file_media} m ON m.file_id = f.id
    WHERE f.account_id = ${accountId} AND f.trash_time IS NULL AND f.derivative_of IS NULL
  `
  const facts = yield* sql<{ readonly id: FileId }>`
    SELECT s.id, ${columns}
    FROM (
      SELECT f.id, array_position(${FileType.literals}::text[], f.type) AS type, m.key, f.is_public, m.duration,
        coalesce(m.tempo, m.tagged_tempo) AS tempo, m.latitude, m.longitude, f.insert_time, f.size, m.taken_time
      FROM ${t.files} f LEFT JOIN ${t.file_media} m ON m.file_id = f.id
      WHERE f.account_id = ${accountId} AND f.trash_time IS NULL AND f.derivative_of IS NULL
    ) s
  `
  const found = yield* sql<{ readonly id: FileId; readonly nameKey: string; readonly lexemes: ReadonlyArray<string> }>`
    SELECT s.file_id AS id, ${columns}, s.name_key AS "nameKey", tsvector_to_array(s.lexemes) AS lexemes
    FROM ${t.search_files} s WHERE s.${own}
  `
  const factsById = new Map(facts.map((row) => [row.id, row]))
  const rows = files.map(SearchRow.of)
  const byId = (a: { readonly id: FileId }, b: { readonly id: FileId }) => a.id < b.id ? -1 : 1
  assert.deepStrictEqual(
    found.map((row) => ({ ...row, lexemes: [...row.lexemes].sort() })).sort(byId),
    rows.map(({ id, lexemes, nameKey }) => ({ ...factsById.get(id)!, nameKey, lexemes: [...lexemes].sort() })).sort(
      byId
    )
  )
  const words = yield* sql<{ readonly word: string }>`SELECT word FROM ${t.search_words} WHERE ${own}`
  const known = new Set(words.map(({ word }) => word))
  assert.deepStrictEqual(rows.flatMap((row) => row.words).filter((word) => !known.has(word)), [])
  assert.deepStrictEqual(yield* sql`SELECT file_id FROM ${t.search_pending} WHERE account_id = ${accountId}`, [])
})
