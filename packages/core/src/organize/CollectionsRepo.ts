/** Everything an account's files are organized by, in SQL. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import * as StoredFile from "../files/StoredFile.ts"
import type { AccountId, FolderId } from "../shared/Ids.ts"
import type { FolderItem } from "./FolderTree.ts"
import type { StoredList } from "./List.ts"
import type { TagItem } from "./Tag.ts"

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database

  // Of the whole drive: counts as they are kept, each list by one walk of an index. Nothing is counted here.

  const folders = (accountId: AccountId) =>
    sql<FolderItem>`
      SELECT id, path, file_count AS "fileCount" FROM ${t.folders} WHERE account_id = ${accountId} ORDER BY folded_path
    `.pipe(Effect.orDie)

  const tags = (accountId: AccountId) =>
    sql<TagItem>`
      SELECT id, text, file_count AS "fileCount" FROM ${t.tags} WHERE account_id = ${accountId} ORDER BY folded
    `.pipe(Effect.orDie)

  const listColumns = sql.literal(`l.id, l.kind, l.title, l.description, l.is_public AS "isPublic"`)

  const lists = (accountId: AccountId) =>
    sql<StoredList>`
      SELECT ${listColumns}, l.file_count AS "fileCount", l.featured_count AS "featuredCount"
      FROM ${t.lists} l WHERE l.account_id = ${accountId} ORDER BY l.insert_time DESC, l.id DESC
    `.pipe(Effect.orDie)

  // Of one folder: what holds a file of it, and only those files count. No counter is kept for that.

  const own = (accountId: AccountId, folderId: FolderId) =>
    sql`
      f.account_id = ${accountId} AND f.derivative_of IS NULL
      AND ${StoredFile.within(database, { permissions: null, folderId })}
    `

  const foldersIn = (accountId: AccountId, folderId: FolderId) =>
    sql<FolderItem>`
      SELECT d.id, d.path, d.file_count AS "fileCount" FROM ${t.folders} top
      JOIN ${t.folders} d ON d.account_id = top.account_id AND ${StoredFile.isInside(database, "d", "top")}
      WHERE top.id = ${folderId} AND top.account_id = ${accountId} ORDER BY d.folded_path
    `.pipe(Effect.orDie)

  const tagsIn = (accountId: AccountId, folderId: FolderId) =>
    sql<TagItem>`
      SELECT g.id, g.text, (count(*) FILTER (WHERE f.trash_time IS NULL))::int AS "fileCount"
      FROM ${t.files} f JOIN ${t.file_tags} ft ON ft.file_id = f.id JOIN ${t.tags} g ON g.id = ft.tag_id
      WHERE ${own(accountId, folderId)} GROUP BY g.id ORDER BY g.folded
    `.pipe(Effect.orDie)

  const listsIn = (accountId: AccountId, folderId: FolderId) =>
    sql<StoredList>`
      SELECT ${listColumns}, (count(*) FILTER (WHERE i.is_counted))::int AS "fileCount",
        (count(*) FILTER (WHERE i.is_counted AND i.is_featured))::int AS "featuredCount"
      FROM ${t.files} f JOIN ${t.list_items} i ON i.file_id = f.id JOIN ${t.lists} l ON l.id = i.list_id
      WHERE ${own(accountId, folderId)} AND l.account_id = ${accountId}
      GROUP BY l.id ORDER BY l.insert_time DESC, l.id DESC
    `.pipe(Effect.orDie)

  return { folders, tags, lists, foldersIn, tagsIn, listsIn }
})

export class CollectionsRepo extends Context.Service<CollectionsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/organize/CollectionsRepo"
) {
  static readonly layer = Layer.effect(CollectionsRepo, make)
}
