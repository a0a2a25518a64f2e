/** Reads the files of playlists and galleries, in SQL. */
import { Context, Effect, Layer, Option } from "effect"
import { Database } from "../database/Database.ts"
import type { StoredFile } from "../files/StoredFile.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import type { FileId, ListId } from "../shared/Ids.ts"
import type { ListEntry, ListKind, ListReader, StoredList } from "./List.ts"

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database
  const columns = StoredFileSql.columns(database)
  const from = StoredFileSql.from(database)

  /** A public list of any account. */
  const findPublic = (kind: ListKind, id: ListId) =>
    sql<StoredList>`
      SELECT l.id, l.account_id AS "accountId", l.kind, l.title, l.description, l.is_public AS "isPublic",
        l.file_count AS "fileCount", l.featured_count AS "featuredCount"
      FROM ${t.lists} l WHERE l.id = ${id} AND l.kind = ${kind} AND l.is_public
    `.pipe(Effect.map((rows) => Option.fromUndefinedOr(rows[0])), Effect.orDie)

  /** Condition on items `i` and files `f` that the reader sees. What the owner sees is kept with each item. */
  const seen = (list: StoredList, reader: ListReader) => {
    if (reader._tag === "Other") {
      return reader.id === null
        ? sql`f.trash_time IS NULL AND f.is_public`
        : sql`f.trash_time IS NULL AND ${StoredFileSql.seenByOther(database, sql`${reader.id}::uuid`)}`
    }
    return reader.folderId === null ? sql`i.is_counted` : sql`
      i.is_counted AND f.account_id = ${list.accountId}
      AND ${StoredFileSql.within(database, { permissions: null, folderId: reader.folderId })}
    `
  }

  /** Files of the list in its order, from the `offset`th that the reader sees. */
  const entries = (list: StoredList, reader: ListReader, offset: number, limit: number) =>
    sql<ListEntry>`
      SELECT i.file_id AS id, i.is_featured AS "isFeatured"
      FROM ${t.list_items} i JOIN ${t.files} f ON f.id = i.file_id
      WHERE i.list_id = ${list.id} AND ${seen(list, reader)}
      ORDER BY i.position, i.file_id OFFSET ${offset}::int LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  /** Everything that is in a list, in its order, whether it can be seen or not. */
  const members = (list: StoredList, limit: number) =>
    sql<{ readonly id: FileId }>`
      SELECT file_id AS id FROM ${t.list_items} WHERE list_id = ${list.id} ORDER BY position, file_id LIMIT ${limit}::int
    `.pipe(Effect.map((rows) => rows.map(({ id }) => id)), Effect.orDie)

  /** How many files the reader sees, and how many of them are featured. */
  const counts = (list: StoredList, reader: ListReader) =>
    sql<{ readonly fileCount: number; readonly featuredCount: number }>`
      SELECT count(*)::int AS "fileCount", (count(*) FILTER (WHERE i.is_featured))::int AS "featuredCount"
      FROM ${t.list_items} i JOIN ${t.files} f ON f.id = i.file_id
      WHERE i.list_id = ${list.id} AND ${seen(list, reader)}
    `.pipe(Effect.map((rows) => rows[0]!), Effect.orDie)

  const files = (ids: ReadonlyArray<FileId>) =>
    sql<StoredFile>`
      SELECT ${columns} FROM ${from} WHERE f.id = ANY(${ids}::uuid[])
    `.pipe(Effect.orDie)

  return { findPublic, entries, members, counts, files }
})

export class ListContentsRepo extends Context.Service<ListContentsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/organize/ListContentsRepo"
) {
  static readonly layer = Layer.effect(ListContentsRepo, make)
}
