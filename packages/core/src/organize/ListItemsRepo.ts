/**
 * The items of playlists and galleries, in SQL; with each change the list's
 * counts. Everything here only under the list's own lock.
 *
 * Positions order a list; gaps in them mean nothing, and a file that is deleted for good leaves one. Those of files that were put
 * first are smaller than the others, below 0 too.
 */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import type { AccountId, FileId, ListId } from "../shared/Ids.ts"
import { holds, type StoredList } from "./List.ts"

/** Positions below this are renumbered before other items are put in front of them. */
const smallestPosition = -1_000_000_000

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database
  const fileIds = (rows: ReadonlyArray<{ readonly id: FileId }>) => rows.map(({ id }) => id)
  const seenByOther = (accountId: AccountId) => StoredFileSql.seenByOther(database, sql`${accountId}::uuid`)

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
   * Those of the files that are in the list, and which of them a call with these limits sees. Joined, because with `= ANY` the plan that is made once for all lists
   * reads the whole list and compares each file in it with every id.
   */
  const present = (
    { accountId, id }: Pick<StoredList, "accountId" | "id">,
    limits: Limits,
    ids: ReadonlyArray<FileId>
  ) =>
    sql<{ readonly id: FileId; readonly isSeen: boolean }>`
      SELECT i.file_id AS id, ${
      limits.folderId === null ? sql`TRUE` : sql`EXISTS (
        SELECT 1 FROM ${t.files} f
        WHERE f.id = i.file_id AND f.account_id = ${accountId} AND ${StoredFileSql.within(database, limits)}
      )`
    } AS "isSeen"
      FROM unnest(${ids}::uuid[]) asked (id)
      JOIN ${t.list_items} i ON i.list_id = ${id} AND i.file_id = asked.id
    `.pipe(Effect.orDie)

  /**
   * Appends those of the files that may be in the list, in the order given, and returns them. None of them is in it yet. A private list
   * accepts what its owner sees, a public one only their own files; a call limited to a folder adds files of that folder only.
   */
  const append = (
    { accountId, id: listId, isPublic, kind }: Pick<StoredList, "accountId" | "id" | "isPublic" | "kind">,
    limits: Limits,
    ids: ReadonlyArray<FileId>,
    featured: ReadonlyArray<FileId>
  ) => {
    const own = sql`(f.account_id = ${accountId} AND ${StoredFileSql.within(database, limits)})`
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

  /** Renumbers the positions, from 1. */
  const renumber = (listId: ListId) =>
    sql`
      UPDATE ${t.list_items} AS i SET position = ranked.position
      FROM (
        SELECT file_id, row_number() OVER (ORDER BY position, file_id)::int AS position
        FROM ${t.list_items} WHERE list_id = ${listId}
      ) ranked
      WHERE i.list_id = ${listId} AND i.file_id = ranked.file_id
    `

  /**
   * Puts the named files first, in that order, before where the first of the others is; those are not written, however many
   * they are, and nothing is written when the order is so already. With `featured`, the named files in it are featured and the other named
   * ones are not.
   */
  const reorder = Effect.fnUntraced(
    function*(listId: ListId, ids: ReadonlyArray<FileId>, featured: ReadonlyArray<FileId> | null) {
      const first = yield* sql<{ readonly position: number }>`
        SELECT position FROM ${t.list_items} WHERE list_id = ${listId} ORDER BY position LIMIT 1
      `
      if ((first[0]?.position ?? 0) < smallestPosition) yield* renumber(listId)
      yield* sql`
        WITH named AS (
          SELECT i.file_id, i.position, row_number() OVER by_place AS rank, lag(i.position) OVER by_place AS before,
            count(*) OVER () AS count
          FROM unnest(${ids}::uuid[]) WITH ORDINALITY asked (id, place)
          JOIN ${t.list_items} i ON i.list_id = ${listId} AND i.file_id = asked.id
          WINDOW by_place AS (ORDER BY asked.place)
        ), other AS (
          SELECT min(first.position) AS position FROM (
            SELECT i.position FROM ${t.list_items} i WHERE i.list_id = ${listId} AND i.file_id <> ALL(${ids}::uuid[])
            ORDER BY i.position LIMIT 1
          ) first
        )
        UPDATE ${t.list_items} AS i SET position = coalesce(other.position, named.count + 1) - named.count + named.rank - 1
        FROM named, other
        WHERE i.list_id = ${listId} AND i.file_id = named.file_id
          AND EXISTS (SELECT 1 FROM named n WHERE n.before >= n.position OR n.position >= other.position)
      `
      if (featured === null) return
      yield* sql`
        UPDATE ${t.list_items} AS i SET is_featured = chosen.id IS NOT NULL
        FROM unnest(${ids}::uuid[]) asked (id) LEFT JOIN unnest(${featured}::uuid[]) chosen (id) ON chosen.id = asked.id
        WHERE i.list_id = ${listId} AND i.file_id = asked.id AND i.is_featured <> (chosen.id IS NOT NULL)
      `
      yield* sql`
        UPDATE ${t.lists} SET featured_count = (
          SELECT count(*) FROM ${t.list_items} i WHERE i.list_id = ${listId} AND i.is_featured AND i.is_counted
        ) WHERE id = ${listId}
      `
    },
    Effect.orDie
  )

  /** Removes the items `i` that `condition` selects, and returns them. */
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

  /** Removes the files that are not the account's own. */
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
