/**
 * Counts of files in SQL: those of folders, tags and lists, and `is_counted`, as files come, go and move. Where a file is
 * tagged or put in a list, whoever does that counts it.
 */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { byIds } from "../database/ByIds.ts"
import * as Column from "../database/Column.ts"
import { Database } from "../database/Database.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import type { AccountId, FileId, FolderId } from "../shared/Ids.ts"

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database

  const own = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) =>
    sql`${byIds(database, "f", accountId, fileIds)} AND f.derivative_of IS NULL`

  /** Those of the files that are in view. */
  const inView = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) =>
    // By id first: the index of files in view looks better where there are few of them, and may be full of places they have left.
    sql<{ readonly id: FileId }>`
      WITH named AS MATERIALIZED (
        SELECT f.id, f.trash_time, f.derivative_of FROM ${t.files} f
        WHERE ${byIds(database, "f", accountId, fileIds)}
      )
      SELECT id FROM named WHERE trash_time IS NULL AND derivative_of IS NULL
    `.pipe(Effect.map((rows) => rows.map(({ id }) => id)), Effect.orDie)

  /** Adds each file, `sign` times, to the count of its folder. */
  const countInFolders = (accountId: AccountId, fileIds: ReadonlyArray<FileId>, sign: 1 | -1) =>
    sql`
      UPDATE ${t.folders} AS d SET file_count = d.file_count + c.files * ${sign}::int
      FROM (
        SELECT f.folder_id, count(*)::int AS files FROM ${t.files} f
        WHERE ${own(accountId, fileIds)} AND f.folder_id IS NOT NULL GROUP BY f.folder_id
      ) c
      WHERE d.id = c.folder_id AND d.account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Adds one file to the count of each of these folders, as often as it is named. */
  const addToFolders = (accountId: AccountId, folderIds: ReadonlyArray<FolderId>) => {
    const counts = new Map<FolderId, number>()
    for (const id of folderIds) counts.set(id, (counts.get(id) ?? 0) + 1)
    return sql`
      UPDATE ${t.folders} AS d SET file_count = d.file_count + c.files
      FROM unnest(${Column.of([...counts.keys()])}::text::uuid[], ${Column.of([...counts.values()])}::text::int[])
        AS c (id, files)
      WHERE d.id = c.id AND d.account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)
  }

  /** Adds each file, `sign` times, to the counts of its tags. */
  const countInTags = (accountId: AccountId, fileIds: ReadonlyArray<FileId>, sign: 1 | -1) =>
    sql`
      UPDATE ${t.tags} AS g SET file_count = g.file_count + c.files * ${sign}::int
      FROM (
        SELECT ft.tag_id, count(*)::int AS files FROM ${t.file_tags} ft JOIN ${t.files} f ON f.id = ft.file_id
        WHERE ${own(accountId, fileIds)} GROUP BY ft.tag_id
      ) c
      WHERE g.id = c.tag_id AND g.account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)

  /**
   * Locks lists that hold any of the files, up to that many entries, and lists whose cover is one of them, whoever's they
   * are. Always after the files' rows, and in one order, so that no two transactions wait for each other.
   */
  const lockLists = (fileIds: ReadonlyArray<FileId>, entries: number | null = null) =>
    sql<{ readonly id: string }>`
      SELECT l.id FROM ${t.lists} l
      WHERE l.id IN (
        (SELECT i.list_id FROM ${t.list_items} i WHERE i.file_id = ANY(${fileIds}::uuid[]) LIMIT ${entries}::int)
        UNION ALL
        SELECT c.id FROM ${t.lists} c WHERE c.cover_id = ANY(${fileIds}::uuid[])
      )
      ORDER BY l.id FOR UPDATE
    `.pipe(Effect.map((rows) => rows.map(({ id }) => id)), Effect.orDie)

  /**
   * Takes files whose rows are locked, so that nobody puts them in a list, out of lists that hold them, of about `entries`
   * of theirs. Returns whether no entries are left.
   */
  const takeOut = Effect.fnUntraced(
    function*(accountId: AccountId, fileIds: ReadonlyArray<FileId>, entries: number) {
      const lists = yield* lockLists(fileIds, entries)
      if (lists.length === 0) return true
      yield* sql`
        WITH taken AS (
          DELETE FROM ${t.list_items} AS i USING ${t.files} f
          WHERE i.file_id = ANY(${fileIds}::uuid[]) AND f.id = i.file_id AND f.account_id = ${accountId}
            -- In a CASE, which is looked up in a hash: joined, all entries might be compared with all lists.
            AND CASE WHEN i.list_id IN (SELECT id FROM unnest(${lists}::uuid[]) id) THEN TRUE ELSE FALSE END
          RETURNING i.list_id, i.is_featured, i.is_counted
        )
        UPDATE ${t.lists} AS l
        SET file_count = l.file_count - c.files, featured_count = l.featured_count - c.featured
        FROM (
          SELECT list_id, count(*)::int AS files, (count(*) FILTER (WHERE is_featured))::int AS featured
          FROM taken WHERE is_counted GROUP BY list_id
        ) c
        WHERE l.id = c.list_id
      `
      const left = yield* sql`SELECT 1 FROM ${t.list_items} i WHERE i.file_id = ANY(${fileIds}::uuid[]) LIMIT 1`
      return left.length === 0
    },
    Effect.orDie
  )

  /** How many lists hold each of the files that are in any list, counted up to `most`. */
  const listCounts = (fileIds: ReadonlyArray<FileId>, most: number) =>
    sql<{ readonly id: FileId; readonly lists: number }>`
      SELECT asked.id, held.lists FROM unnest(${fileIds}::uuid[]) asked (id)
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS lists FROM (
          SELECT 1 FROM ${t.list_items} i WHERE i.file_id = asked.id LIMIT ${most}::int
        ) entry
      ) held
      WHERE held.lists > 0
    `.pipe(
      Effect.map((rows): ReadonlyMap<FileId, number> => new Map(rows.map(({ id, lists }) => [id, lists]))),
      Effect.orDie
    )

  /** Sets whether each of the files counts in the lists that hold it: `seen` is a condition on list `l` and file `f`. */
  const setCounted = Effect.fnUntraced(
    function*(accountId: AccountId, fileIds: ReadonlyArray<FileId>, seen: Statement.Fragment) {
      if ((yield* lockLists(fileIds)).length === 0) return
      yield* sql`
        WITH changed AS (
          -- By file alone: joined with itself by list, a list that has just been made would be read whole for each file.
          UPDATE ${t.list_items} AS i SET is_counted = ${seen}
          FROM ${t.lists} l, ${t.files} f
          WHERE i.file_id = ANY(${fileIds}::uuid[]) AND l.id = i.list_id AND f.id = i.file_id
            AND f.account_id = ${accountId} AND i.is_counted <> ${seen}
          RETURNING i.list_id, i.is_featured, CASE WHEN i.is_counted THEN 1 ELSE -1 END AS step
        )
        UPDATE ${t.lists} AS l
        SET file_count = l.file_count + c.files, featured_count = l.featured_count + c.featured
        FROM (
          SELECT list_id, sum(step)::int AS files, coalesce(sum(step) FILTER (WHERE is_featured), 0)::int AS featured
          FROM changed GROUP BY list_id
        ) c
        WHERE l.id = c.list_id
      `
    },
    Effect.orDie
  )

  /** Counts the files in the lists whose owners see them now, and in no others. */
  const countInLists = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) =>
    setCounted(
      accountId,
      fileIds,
      sql`(f.trash_time IS NULL AND ${StoredFileSql.seenBy(database, sql.literal("l.account_id"))})`
    )

  /** Counts the files in no list; they keep their places. */
  const takeFromLists = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) =>
    setCounted(accountId, fileIds, sql.literal("FALSE"))

  return { inView, takeOut, listCounts, countInFolders, addToFolders, countInTags, countInLists, takeFromLists }
})

export class CatalogRepo extends Context.Service<CatalogRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/catalog/CatalogRepo"
) {
  static readonly layer = Layer.effect(CatalogRepo, make)
}
