/** Everything an account's files are organized by, in SQL. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import type { AccountId, FolderId, TagId } from "../shared/Ids.ts"
import type { SortableFolder } from "./Folder.ts"
import type { ListKind, SortableList } from "./List.ts"
import type { StoredTag } from "./Tag.ts"

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database

  // Of the whole drive: counts as they are kept, each page by one walk of an index. Nothing is counted here. Folders and tags
  // come by id, which stays what it is: so none is left out that is renamed between two pages.

  const folders = (accountId: AccountId, after: FolderId | null, limit: number) =>
    sql<SortableFolder>`
      SELECT id, path, file_count AS "fileCount", folded_path AS folded FROM ${t.folders}
      WHERE account_id = ${accountId} AND ${
      after === null ? sql`TRUE` : sql`id > ${after}`
    } ORDER BY id LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  const tags = (accountId: AccountId, after: TagId | null, limit: number) =>
    sql<StoredTag>`
      SELECT id, text, file_count AS "fileCount", folded FROM ${t.tags}
      WHERE account_id = ${accountId} AND ${
      after === null ? sql`TRUE` : sql`id > ${after}`
    } ORDER BY id LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  const listColumns = sql.literal(
    `l.id, l.kind, l.title, l.description, l.is_public AS "isPublic", l.insert_time AS "insertTime"`
  )

  /** Newest first. */
  const lists = (accountId: AccountId, kind: ListKind, after: SortableList | null, limit: number) =>
    sql<SortableList>`
      SELECT ${listColumns}, l.file_count AS "fileCount", l.featured_count AS "featuredCount" FROM ${t.lists} l
      WHERE l.account_id = ${accountId} AND l.kind = ${kind}
        AND ${
      after === null ? sql`TRUE` : sql`(l.insert_time, l.id) < (${after.insertTime}::timestamptz, ${after.id}::uuid)`
    }
      ORDER BY l.insert_time DESC, l.id DESC LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  // Of one folder: what holds a file of it, and only those files count. No counter is kept for that.

  const own = (accountId: AccountId, folderId: FolderId) =>
    sql`
      f.account_id = ${accountId} AND f.derivative_of IS NULL
      AND ${StoredFileSql.within(database, { permissions: null, folderId })}
    `

  const pathOf = (accountId: AccountId, folderId: FolderId) =>
    sql<{ readonly foldedPath: string }>`
      SELECT folded_path AS "foldedPath" FROM ${t.folders} WHERE id = ${folderId} AND account_id = ${accountId}
    `.pipe(Effect.map((rows) => rows[0]?.foldedPath), Effect.orDie)

  /** By path, from the index of paths alone; by id it would pass over all others of the account. */
  const foldersIn = (accountId: AccountId, foldedPath: string, after: SortableFolder | null, limit: number) =>
    sql<SortableFolder>`
      SELECT d.id, d.path, d.file_count AS "fileCount", d.folded_path AS folded FROM ${t.folders} d
      WHERE d.account_id = ${accountId} AND ${StoredFileSql.isInsidePath(database, foldedPath)}
        AND NOT ${StoredFileSql.hasLeft(database, "d", sql`${foldedPath}::text`)} AND ${
      after === null
        ? sql`TRUE`
        : sql`left(d.folded_path, 400) >= left(${after.folded}::text, 400) AND d.folded_path > ${after.folded}::text`
    }
      ORDER BY left(d.folded_path, 400), d.folded_path LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  const tagsIn = (accountId: AccountId, folderId: FolderId) =>
    sql<StoredTag>`
      SELECT g.id, g.text, g.folded, (count(*) FILTER (WHERE f.trash_time IS NULL))::int AS "fileCount"
      FROM ${t.files} f JOIN ${t.file_tags} ft ON ft.file_id = f.id JOIN ${t.tags} g ON g.id = ft.tag_id
      WHERE ${own(accountId, folderId)} GROUP BY g.id
    `.pipe(Effect.orDie)

  /** Also those that hold nothing and were made by calls with such a limit. */
  const listsIn = (accountId: AccountId, folderId: FolderId) =>
    sql<SortableList>`
      SELECT ${listColumns}, (count(*) FILTER (WHERE i.is_counted))::int AS "fileCount",
        (count(*) FILTER (WHERE i.is_counted AND i.is_featured))::int AS "featuredCount"
      FROM ${t.files} f JOIN ${t.list_items} i ON i.file_id = f.id JOIN ${t.lists} l ON l.id = i.list_id
      WHERE ${own(accountId, folderId)} AND l.account_id = ${accountId} GROUP BY l.id
      UNION ALL
      SELECT ${listColumns}, 0, 0 FROM ${t.lists} l
      WHERE l.account_id = ${accountId} AND l.folder_id IS NOT NULL
        AND ${StoredFileSql.isFolderWithin(database, "l", folderId)}
        AND NOT EXISTS (SELECT 1 FROM ${t.list_items} i WHERE i.list_id = l.id)
      ORDER BY "insertTime" DESC, id DESC
    `.pipe(Effect.orDie)

  return { folders, tags, lists, pathOf, foldersIn, tagsIn, listsIn }
})

export class CollectionsRepo extends Context.Service<CollectionsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/organize/CollectionsRepo"
) {
  static readonly layer = Layer.effect(CollectionsRepo, make)
}
