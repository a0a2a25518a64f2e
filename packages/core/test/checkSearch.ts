/** Compares what an account's files are found by with what is recorded of them, made anew in another way. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as SearchableFile from "../src/catalog/SearchableFile.ts"
import { Database } from "../src/database/Database.ts"
import type { Doc } from "../src/docindex/Doc.ts"
import * as MediaColumns from "../src/facts/MediaColumns.ts"
import type { AccountId } from "../src/shared/Ids.ts"
import { docsOfIndex } from "./docsOfIndex.ts"

/** Files in view have the one doc they should, others have none. */
export const checkSearch = Effect.fnUntraced(function*(accountId: AccountId) {
  const { sql, tables: t } = yield* Database
  const files = yield* sql<SearchableFile.SearchableFile>`
    SELECT f.id, f.insert_time AS "insertTime", f.type, f.is_public AS "isPublic", f.size::float8 AS "sizeBytes",
      f.file_name AS "fileName", f.description,
      (SELECT no::float8 FROM ${t.folders} WHERE id = f.folder_id) AS "folderNo",
      (
        SELECT coalesce(jsonb_agg(jsonb_build_object('no', g.no::text, 'text', g.text)), '[]')
        FROM ${t.file_tags} ft JOIN ${t.tags} g ON g.id = ft.tag_id WHERE ft.file_id = f.id
      ) AS tags,
      ${sql.literal(MediaColumns.selected("m"))}
    FROM ${t.files} f LEFT JOIN ${t.file_media} m ON m.file_id = f.id
    WHERE f.account_id = ${accountId} AND f.trash_time IS NULL AND f.derivative_of IS NULL
  `
  const sorted = (docs: ReadonlyArray<Doc>) =>
    docs.map((doc) => ({ ...doc, lexemes: [...doc.lexemes].sort() })).sort((a, b) => a.id < b.id ? -1 : 1)
  assert.deepStrictEqual(sorted(yield* docsOfIndex(accountId)), sorted(files.map(SearchableFile.docOf)))
})
