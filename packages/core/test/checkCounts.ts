/** Recomputes everything that is kept about files in folders, tags and lists from the files themselves. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../src/database/Database.ts"
import * as StoredFileSql from "../src/files/StoredFileSql.ts"
import { foldCase } from "../src/shared/Text.ts"

/** Fails naming each count, flag, position or path of any account that is not what it should be. */
export const checkCounts = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database
  const inView = sql.literal("f.trash_time IS NULL AND f.derivative_of IS NULL")

  const folderCounts = yield* sql`
    SELECT d.path, d.file_count AS kept, count(f.id)::int AS counted
    FROM ${t.folders} d LEFT JOIN ${t.files} f ON f.folder_id = d.id AND ${inView}
    GROUP BY d.id HAVING d.file_count <> count(f.id)
  `
  const folderPlaces = yield* sql`
    SELECT d.path, d.depth, d.name, p.path AS parent FROM ${t.folders} d LEFT JOIN ${t.folders} p ON p.id = d.parent_id
    WHERE d.path <> coalesce(p.path, '') || '/' || d.name OR d.depth <> coalesce(p.depth, 0) + 1
      OR d.folded_path <> coalesce(p.folded_path, '') || '/' || d.folded_name
      OR p.account_id <> d.account_id
  `
  const names = yield* sql<{ readonly name: string; readonly folded: string }>`
    SELECT name, folded_name AS folded FROM ${t.folders} UNION SELECT text, folded FROM ${t.tags}
  `
  const folds = names.filter(({ folded, name }) => folded !== foldCase(name))
  const tagCounts = yield* sql`
    SELECT g.text, g.file_count AS kept, count(f.id)::int AS counted
    FROM ${t.tags} g LEFT JOIN ${t.file_tags} ft ON ft.tag_id = g.id LEFT JOIN ${t.files} f ON f.id = ft.file_id AND ${inView}
    GROUP BY g.id HAVING g.file_count <> count(f.id)
  `
  const strangersTags = yield* sql`
    SELECT g.text, f.id FROM ${t.file_tags} ft JOIN ${t.tags} g ON g.id = ft.tag_id JOIN ${t.files} f ON f.id = ft.file_id
    WHERE f.account_id <> g.account_id
  `
  const flags = yield* sql`
    SELECT l.title, i.file_id, i.is_counted AS kept FROM ${t.list_items} i
    JOIN ${t.lists} l ON l.id = i.list_id JOIN ${t.files} f ON f.id = i.file_id
    WHERE i.is_counted <> (${inView} AND ${StoredFileSql.seenBy(database, sql.literal("l.account_id"))})
  `
  const listCounts = yield* sql`
    SELECT l.title, l.file_count AS kept, l.featured_count AS featured,
      (count(i.file_id) FILTER (WHERE i.is_counted))::int AS counted,
      (count(i.file_id) FILTER (WHERE i.is_counted AND i.is_featured))::int AS counted_featured
    FROM ${t.lists} l LEFT JOIN ${t.list_items} i ON i.list_id = l.id GROUP BY l.id
    HAVING l.file_count <> count(i.file_id) FILTER (WHERE i.is_counted)
      OR l.featured_count <> count(i.file_id) FILTER (WHERE i.is_counted AND i.is_featured)
  `
  const positions = yield* sql`
    SELECT l.title, i.position, count(*)::int AS items FROM ${t.list_items} i JOIN ${t.lists} l ON l.id = i.list_id
    GROUP BY l.id, i.position HAVING count(*) > 1
  `
  const misplaced = yield* sql`
    SELECT l.title, l.kind, l.is_public, f.type, f.id FROM ${t.list_items} i
    JOIN ${t.lists} l ON l.id = i.list_id JOIN ${t.files} f ON f.id = i.file_id
    WHERE (l.is_public AND f.account_id <> l.account_id) OR f.derivative_of IS NOT NULL
      OR NOT (f.type = ANY(CASE l.kind WHEN 'gallery' THEN ARRAY['Image'] ELSE ARRAY['Audio', 'Video'] END))
  `
  const usage = yield* sql`
    SELECT account_id, is_public, type, is_trashed, kept.objects, counted.objects AS files, kept.bytes, counted.bytes AS size
    FROM (SELECT * FROM ${t.usage_counts} WHERE objects <> 0 OR bytes <> 0) kept FULL JOIN (
      SELECT account_id, is_public, type, trash_time IS NOT NULL AS is_trashed, count(*) AS objects, sum(size) AS bytes
      FROM ${t.files} WHERE derivative_of IS NULL GROUP BY 1, 2, 3, 4
    ) counted USING (account_id, is_public, type, is_trashed)
    WHERE kept.objects IS DISTINCT FROM counted.objects OR kept.bytes IS DISTINCT FROM counted.bytes
  `
  assert.deepStrictEqual({
    usage,
    folderCounts,
    folderPlaces,
    folds,
    tagCounts,
    strangersTags,
    flags,
    listCounts,
    positions,
    misplaced
  }, {
    usage: [],
    folderCounts: [],
    folderPlaces: [],
    folds: [],
    tagCounts: [],
    strangersTags: [],
    flags: [],
    listCounts: [],
    positions: [],
    misplaced: []
  })
})
