/**
 * What is in playlists and galleries, in SQL; with each change the list's
 * counts. Everything here only under the list's own lock.
 *
 * Positions order a list; gaps in them mean nothing, and a file that is deleted for good leaves one.
 */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import * as StoredFile from "../files/StoredFile.ts"
import type { AccountId, FileId, ListId } from "../shared/Ids.ts"
import { holds, type StoredList } from "./List.ts"

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database
  const fileIds = (rows: ReadonlyArray<{ readonly id: FileId }>) => rows.map(({ id }) => id)
  const seenByOther = (accountId: AccountId) => StoredFile.seenByOther(database, sql`${accountId}::uuid`)

  /**
   * Holds files of other accounts as they are, so that none is trashed or closed while it is put in a list and counted
   * there. Before the list's lock, and in the one order in which everybody locks several files.
   */
  const holdOthers = (accountId: AccountId, ids: ReadonlyArray<FileId>) =>
    sql`
      SELECT 1 FROM ${t.files} f
      WHERE f.id = ANY(${ids}::uuid[]) AND f.account_id <> ${accountId} AND ${seenByOther(accountId)}
      ORDER BY f.id FOR SHARE OF f
    `.pipe(Effect.asVoid, Effect.orDie)

  /**
   * Those of the files that are in the list. Joined, because with `= ANY` the plan that is made once for all lists
   * reads the whole list and compares each file in it with every id.
   */
  const present = (listId: ListId, ids: ReadonlyArray<FileId>) =>
    sql<{ readonly id: FileId }>`
      SELECT i.file_id AS id FROM unnest(${ids}::uuid[]) asked (id)
      JOIN ${t.list_items} i ON i.list_id = ${listId} AND i.file_id = asked.id
    `.pipe(Effect.map(fileIds), Effect.orDie)

  /**
   * Appends those of the files that may be in the list, in the order given; answers them. None of them is in it. A private list
   * takes what its owner sees, a public one only what is theirs; a call limited to a folder puts in what is in that.
   */
  const append = (
    { accountId, id: listId, isPublic, kind }: Pick<StoredList, "accountId" | "id" | "isPublic" | "kind">,
    limits: Limits,
    ids: ReadonlyArray<FileId>,
    featured: ReadonlyArray<FileId>
  ) => {
    const own = sql`(f.account_id = ${accountId} AND ${StoredFile.within(database, limits)})`
    const eligible = isPublic || limits.folderId !== null ? own : sql`(${own} OR ${seenByOther(accountId)})`
    return sql<{ readonly id: FileId }>`
      WITH added AS (
        INSERT INTO ${t.list_items} (list_id, file_id, position, is_featured, is_counted)
        SELECT ${listId}, f.id, last.position + row_number() OVER (ORDER BY array_position(${ids}::uuid[], f.id)),
          f.id = ANY(${featured}::uuid[]), TRUE
        FROM ${t.files} f CROSS JOIN (
          SELECT coalesce(max(i.position), 0) AS position FROM ${t.list_items} i WHERE i.list_id = ${listId}
        ) last
        WHERE f.id = ANY(${ids}::uuid[]) AND f.type = ANY(${holds[kind]}::text[]) AND f.trash_time IS NULL
          AND f.derivative_of IS NULL AND ${eligible}
        RETURNING file_id, is_featured
      ), counted AS (
        UPDATE ${t.lists} SET file_count = file_count + c.files, featured_count = featured_count + c.featured
        FROM (SELECT count(*)::int AS files, (count(*) FILTER (WHERE is_featured))::int AS featured FROM added) c
        WHERE id = ${listId} AND account_id = ${accountId}
      )
      SELECT file_id AS id FROM added
    `.pipe(Effect.map(fileIds), Effect.orDie)
  }

  /**
   * Puts the named files first, in that order, and the others after them as they were; writes only what changes. With
   * `featured`, the named files in it are featured and the other named ones are not.
   */
  const reorder = Effect.fnUntraced(
    function*(listId: ListId, ids: ReadonlyArray<FileId>, featured: ReadonlyArray<FileId> | null) {
      const flag = featured === null
        ? sql`i.is_featured`
        : sql`CASE WHEN named.id IS NULL THEN i.is_featured ELSE chosen.id IS NOT NULL END`
      // A list that has grown just now is small to the planner, which would compare each of its files with each named one.
      yield* sql`SET LOCAL enable_nestloop = off`
      yield* sql`
        WITH ranked AS (
          SELECT i.file_id, ${flag} AS is_featured,
            row_number() OVER (ORDER BY named.place, i.position, i.file_id)::int AS position
          FROM ${t.list_items} i
          LEFT JOIN unnest(${ids}::uuid[]) WITH ORDINALITY named (id, place) ON named.id = i.file_id
          LEFT JOIN unnest(${featured ?? []}::uuid[]) chosen (id) ON chosen.id = i.file_id
          WHERE i.list_id = ${listId}
        )
        UPDATE ${t.list_items} AS i SET position = ranked.position, is_featured = ranked.is_featured FROM ranked
        WHERE i.list_id = ${listId} AND i.file_id = ranked.file_id
          AND (i.position <> ranked.position OR i.is_featured <> ranked.is_featured)
      `
      yield* sql`SET LOCAL enable_nestloop TO DEFAULT`
      if (featured === null) return
      yield* sql`
        UPDATE ${t.lists} SET featured_count = (
          SELECT count(*) FROM ${t.list_items} i WHERE i.list_id = ${listId} AND i.is_featured AND i.is_counted
        ) WHERE id = ${listId}
      `
    },
    Effect.orDie
  )

  /** Takes out what `condition` on items `i` picks; answers it. */
  const take = (listId: ListId, condition: Statement.Fragment) =>
    sql<{ readonly id: FileId }>`
      WITH taken AS (
        DELETE FROM ${t.list_items} AS i WHERE i.list_id = ${listId} AND ${condition}
        RETURNING i.file_id, i.position, i.is_featured, i.is_counted
      ), counted AS (
        UPDATE ${t.lists} SET file_count = file_count - c.files, featured_count = featured_count - c.featured
        FROM (
          SELECT (count(*) FILTER (WHERE is_counted))::int AS files,
            (count(*) FILTER (WHERE is_counted AND is_featured))::int AS featured
          FROM taken
        ) c
        WHERE id = ${listId}
      )
      SELECT file_id AS id FROM taken ORDER BY position
    `.pipe(Effect.map(fileIds), Effect.orDie)

  const remove = (listId: ListId, ids: ReadonlyArray<FileId>) => take(listId, sql`i.file_id = ANY(${ids}::uuid[])`)

  /** Takes out the files that are not the account's own. */
  const removeOthers = (accountId: AccountId, listId: ListId) =>
    take(
      listId,
      sql`NOT EXISTS (SELECT 1 FROM ${t.files} f WHERE f.id = i.file_id AND f.account_id = ${accountId})`
    )

  return { holdOthers, present, append, reorder, remove, removeOthers }
})

export class ListItemsRepo extends Context.Service<ListItemsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/organize/ListItemsRepo"
) {
  static readonly layer = Layer.effect(ListItemsRepo, make)
}
