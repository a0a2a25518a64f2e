/** Playlists and galleries in SQL. The only module that writes `lists`, but for their counts. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import type { AccountId, FileId, ListId } from "../shared/Ids.ts"
import type { ListKind, StoredList } from "./List.ts"

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database

  /** Condition on files `f` of the list's owner that a call with these limits sees. */
  const within = (limits: Limits) => sql`(f.account_id = l.account_id AND ${StoredFileSql.within(database, limits)})`

  /** The list as a call with these limits sees it: the counts are kept for the whole drive, else counted now. */
  const columns = (limits: Limits) => {
    const count = (condition: string) =>
      sql`(
        SELECT count(*)::int FROM ${t.list_items} i JOIN ${t.files} f ON f.id = i.file_id
        WHERE i.list_id = l.id AND ${sql.literal(condition)} AND ${within(limits)}
      )`
    const counts = limits.folderId === null
      ? sql.literal(`l.file_count AS "fileCount", l.featured_count AS "featuredCount"`)
      : sql`${count("i.is_counted")} AS "fileCount", ${count("i.is_counted AND i.is_featured")} AS "featuredCount"`
    return sql`l.id, l.account_id AS "accountId", l.kind, l.title, l.description, l.is_public AS "isPublic", ${counts}`
  }

  /**
   * A call that is limited to a folder sees the lists that hold a file of it, and of those that hold nothing the ones that
   * calls with such a limit have made, to that folder or one inside it.
   */
  const seen = (limits: Limits) =>
    limits.folderId === null ? sql`TRUE` : sql`(
      EXISTS (
        SELECT 1 FROM ${t.list_items} i JOIN ${t.files} f ON f.id = i.file_id
        WHERE i.list_id = l.id AND ${within(limits)}
      )
      OR (
        ${StoredFileSql.isFolderWithin(database, "l", limits.folderId)}
        AND NOT EXISTS (SELECT 1 FROM ${t.list_items} i WHERE i.list_id = l.id)
      )
    )`

  const select = (accountId: AccountId, limits: Limits, kind: ListKind, id: ListId) =>
    sql`
      SELECT ${
      columns(limits)
    } FROM ${t.lists} l WHERE l.id = ${id} AND l.account_id = ${accountId} AND l.kind = ${kind}
    `

  /** One of the account's lists that the call sees. */
  const find = (accountId: AccountId, limits: Limits, kind: ListKind, id: ListId) =>
    sql<StoredList>`${select(accountId, limits, kind, id)} AND ${seen(limits)}`.pipe(
      Effect.map((rows) => Option.fromUndefinedOr(rows[0])),
      Effect.orDie
    )

  /** A list that the call saw before it changed it: it may have removed all files that it sees. */
  const changed = ({ accountId, id, kind }: StoredList, limits: Limits) =>
    sql<StoredList>`${select(accountId, limits, kind, id)}`.pipe(Effect.map((rows) => rows[0]!), Effect.orDie)

  /**
   * Locks one of the account's lists: its items and counts change only under this lock, which code that trashes
   * or deletes a file takes too. Always after the rows of files. False when the list does not exist.
   */
  const lock = (accountId: AccountId, kind: ListKind, id: ListId) =>
    sql`
      SELECT 1 FROM ${t.lists} WHERE id = ${id} AND account_id = ${accountId} AND kind = ${kind} FOR UPDATE
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** Whether a call with these limits, which sees the list, sees every file in it. */
  const seesAll = (id: ListId, limits: Limits) =>
    limits.folderId === null ? Effect.succeed(true) : sql`
      SELECT 1 FROM ${t.lists} l JOIN ${t.list_items} i ON i.list_id = l.id JOIN ${t.files} f ON f.id = i.file_id
      WHERE l.id = ${id} AND ${within(limits)} IS NOT TRUE LIMIT 1
    `.pipe(Effect.map((rows) => rows.length === 0), Effect.orDie)

  const insert = (
    list: Pick<StoredList, "id" | "accountId" | "kind" | "title" | "description" | "isPublic">,
    { folderId }: Limits,
    now: DateTime.Utc
  ) =>
    sql`
      INSERT INTO ${t.lists} (id, account_id, kind, title, description, is_public, folder_id, insert_time)
      VALUES (${list.id}, ${list.accountId}, ${list.kind}, ${list.title}, ${list.description}, ${list.isPublic},
        ${folderId}::uuid, ${DateTime.toDateUtc(now)})
    `.pipe(Effect.asVoid, Effect.orDie)

  const setTitle = (accountId: AccountId, id: ListId, title: string) =>
    sql`
      UPDATE ${t.lists} SET title = ${title} WHERE id = ${id} AND account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)

  const setDescription = (accountId: AccountId, id: ListId, description: string | null) =>
    sql`
      UPDATE ${t.lists} SET description = ${description} WHERE id = ${id} AND account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)

  const setPublic = (accountId: AccountId, id: ListId, isPublic: boolean) =>
    sql`
      UPDATE ${t.lists} SET is_public = ${isPublic} WHERE id = ${id} AND account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** False when the account has no such image. Only the key of its row is locked. */
  const setCover = (accountId: AccountId, id: ListId, imageId: FileId) =>
    sql`
      UPDATE ${t.lists} AS l SET cover_id = f.id FROM ${t.files} f
      WHERE l.id = ${id} AND l.account_id = ${accountId} AND f.id = ${imageId} AND f.account_id = l.account_id
        AND f.type = 'Image' AND f.derivative_of IS NULL
      RETURNING 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  const remove = (accountId: AccountId, id: ListId) =>
    sql`DELETE FROM ${t.lists} WHERE id = ${id} AND account_id = ${accountId}`.pipe(Effect.asVoid, Effect.orDie)

  return { find, changed, lock, seesAll, insert, setTitle, setDescription, setPublic, setCover, remove }
})

export class ListsRepo extends Context.Service<ListsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/organize/ListsRepo"
) {
  static readonly layer = Layer.effect(ListsRepo, make)
}
