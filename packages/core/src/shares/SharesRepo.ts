/** Shares in SQL. The only module that writes `shares`. */
import { Context, Effect, Layer } from "effect"
import { byIds } from "../database/ByIds.ts"
import { Database } from "../database/Database.ts"
import type { StoredFile } from "../files/StoredFile.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import type { SharedPosition } from "./Share.ts"

interface ShareRow {
  readonly fileId: FileId
  readonly userId: AccountId
  readonly shareTime: Date
}

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database

  /** Locks files before lists that hold them are read, in the one order in which everybody locks several. */
  const lock = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) =>
    sql`
      SELECT f.id FROM ${t.files} f WHERE ${byIds(database, "f", accountId, fileIds)}
      ORDER BY f.id FOR NO KEY UPDATE
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Shares every file with every user. Returns the file of each pair that is new. */
  const insert = (
    accountId: AccountId,
    fileIds: ReadonlyArray<FileId>,
    userIds: ReadonlyArray<AccountId>,
    now: Date
  ) =>
    sql<Pick<ShareRow, "fileId">>`
      INSERT INTO ${t.shares} (file_id, user_id, account_id, insert_time)
      SELECT file.id, u.id, ${accountId}::uuid, ${now}::timestamptz
      FROM unnest(${fileIds}::uuid[]) AS file(id) CROSS JOIN unnest(${userIds}::uuid[]) AS u(id)
      ON CONFLICT (file_id, user_id) DO NOTHING
      RETURNING file_id AS "fileId"
    `.pipe(Effect.map((rows) => rows.map(({ fileId }) => fileId)), Effect.orDie)

  /** Returns the file of each pair that was removed. */
  const remove = (accountId: AccountId, fileIds: ReadonlyArray<FileId>, userIds: ReadonlyArray<AccountId>) =>
    sql<Pick<ShareRow, "fileId">>`
      DELETE FROM ${t.shares}
      WHERE account_id = ${accountId} AND file_id = ANY(${fileIds}::uuid[]) AND user_id = ANY(${userIds}::uuid[])
      RETURNING file_id AS "fileId"
    `.pipe(Effect.map((rows) => rows.map(({ fileId }) => fileId)), Effect.orDie)

  /** The first shared first, at most so many. */
  const list = (accountId: AccountId, fileIds: ReadonlyArray<FileId>, limit: number) =>
    sql<ShareRow>`
      SELECT file_id AS "fileId", user_id AS "userId", insert_time AS "shareTime" FROM ${t.shares}
      WHERE account_id = ${accountId} AND file_id = ANY(${fileIds}::uuid[]) ORDER BY insert_time, user_id
      LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  /** Other people's files outside trash that are shared with a user, last shared first: a walk of the index by user. */
  const sharedWith = (userId: AccountId, after: SharedPosition | null, limit: number) => {
    const beyond = after === null
      ? sql`TRUE`
      : sql`(s.insert_time, s.file_id) < (${after.shareTime}::timestamptz, ${after.id}::uuid)`
    return sql<StoredFile & { readonly shareTime: Date }>`
      SELECT ${StoredFileSql.columns(database)}, s.insert_time AS "shareTime"
      FROM ${StoredFileSql.from(database)} JOIN ${t.shares} s ON s.file_id = f.id
      WHERE s.user_id = ${userId} AND ${beyond} AND f.trash_time IS NULL AND f.derivative_of IS NULL
      ORDER BY s.insert_time DESC, s.file_id DESC LIMIT ${limit}::int
    `.pipe(Effect.orDie)
  }

  return { lock, insert, remove, list, sharedWith }
})

export class SharesRepo extends Context.Service<SharesRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/shares/SharesRepo"
) {
  static readonly layer = Layer.effect(SharesRepo, make)
}
