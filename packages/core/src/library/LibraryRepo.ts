/** Lists and sums over an account's files, in SQL. Reads only. */
import { Context, Effect, Layer } from "effect"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import type { StoredFile } from "../files/StoredFile.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { FileScope } from "./FileScope.ts"
import type { UsagePart, UsageParts } from "./StorageUsage.ts"

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database
  const columns = StoredFileSql.columns(database)
  const from = StoredFileSql.from(database)
  const scopes = {
    files: { time: sql.literal("f.insert_time"), condition: sql.literal("f.trash_time IS NULL") },
    trash: { time: sql.literal("f.trash_time"), condition: sql.literal("f.trash_time IS NOT NULL") }
  }

  /** The next files of a scope, newest first, after the last one of the page before. */
  const page = (
    accountId: AccountId,
    limits: Limits,
    scope: FileScope,
    after: StoredFile | null,
    limit: number
  ) => {
    const { condition, time } = scopes[scope]
    const lastTime = after === null ? null : scope === "files" ? after.insertTime : after.trashTime
    const beyond = after === null ? sql`TRUE` : sql`(${time}, f.id) < (${lastTime}::timestamptz, ${after.id}::uuid)`
    return sql`
      SELECT ${columns} FROM ${from}
      WHERE f.account_id = ${accountId} AND f.derivative_of IS NULL AND ${condition} AND ${beyond}
        AND ${StoredFileSql.within(database, limits)}
      ORDER BY ${time} DESC, f.id DESC LIMIT ${limit}::int
    `.values.pipe(
      Effect.map((rows): ReadonlyArray<StoredFile> => rows.map((values) => StoredFileSql.ofValues(values, 0))),
      Effect.orDie
    )
  }

  /** The bytes of the account's files and of its open uploads, of one moment, from sums that are kept. */
  const usage = (accountId: AccountId) =>
    sql<{ readonly pendingBytes: number; readonly part: UsagePart | null }>`
      SELECT a.held_bytes::float8 AS "pendingBytes", u.part
      FROM ${t.accounts} a LEFT JOIN (
        SELECT account_id, json_build_object('isPublic', is_public, 'type', type, 'objects', sum(objects),
          'bytes', sum(bytes), 'trashedBytes', coalesce(sum(bytes) FILTER (WHERE is_trashed), 0)) AS part
        FROM ${t.usage_counts} WHERE account_id = ${accountId} GROUP BY account_id, is_public, type
        HAVING sum(objects) > 0
      ) u ON u.account_id = a.id
      WHERE a.id = ${accountId}
    `.pipe(
      Effect.map((rows): UsageParts => ({
        pendingBytes: rows[0]?.pendingBytes ?? 0,
        parts: rows.flatMap(({ part }) => part ?? [])
      })),
      Effect.orDie
    )

  /** The same for the files that a call with these limits sees, added up now; uploads are in no folder. */
  const usageWithin = (accountId: AccountId, limits: Limits) =>
    sql<UsagePart>`
      SELECT f.is_public AS "isPublic", f.type, count(*)::float8 AS objects, sum(f.size)::float8 AS bytes,
        coalesce(sum(f.size) FILTER (WHERE f.trash_time IS NOT NULL), 0)::float8 AS "trashedBytes"
      FROM ${t.files} f
      WHERE f.account_id = ${accountId} AND f.derivative_of IS NULL AND ${StoredFileSql.within(database, limits)}
      GROUP BY f.is_public, f.type
    `.pipe(Effect.map((parts): UsageParts => ({ pendingBytes: 0, parts })), Effect.orDie)

  return { page, usage, usageWithin }
})

export class LibraryRepo extends Context.Service<LibraryRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/library/LibraryRepo"
) {
  static readonly layer = Layer.effect(LibraryRepo, make)
}
