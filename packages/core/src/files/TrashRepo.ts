/** Trashing and deleting files, in SQL. One of the four modules that write `files`; see {@link "./FilesRepo.ts"}. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import * as StoredFileSql from "./StoredFileSql.ts"
import type { DeletedFile, OwnedFile, TrashedFile } from "./TrashedFile.ts"

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database

  const own = (accountId: AccountId, limits: Limits) =>
    sql`f.account_id = ${accountId} AND f.derivative_of IS NULL AND ${StoredFileSql.within(database, limits)}`

  const columns = sql.literal(`
    f.id, f.trash_time IS NOT NULL AS "isTrashed", f.is_public OR f.public_key IS NOT NULL AS "isPublic"
  `)

  /** Puts files in trash that are not in it. */
  const trash = (accountId: AccountId, fileIds: ReadonlyArray<FileId>, now: DateTime.Utc) =>
    sql`
      UPDATE ${t.files} SET trash_time = ${DateTime.toDateUtc(now)}
      WHERE account_id = ${accountId} AND id = ANY(${fileIds}::uuid[])
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Takes files out of trash. */
  const restore = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) =>
    sql`
      UPDATE ${t.files} SET trash_time = NULL WHERE account_id = ${accountId} AND id = ANY(${fileIds}::uuid[])
    `.pipe(Effect.asVoid, Effect.orDie)

  /**
   * Those of the files that the call may touch, locked until the end of the transaction: always before the lists that
   * hold them and in one order, because others lock files of several accounts when they put them in a list.
   */
  const owned = (
    accountId: AccountId,
    limits: Limits,
    fileIds: ReadonlyArray<FileId>,
    to: "change" | "delete"
  ) =>
    sql<OwnedFile>`
      SELECT ${columns} FROM ${t.files} f WHERE f.id = ANY(${fileIds}::uuid[]) AND ${own(accountId, limits)}
      ORDER BY f.id ${sql.literal(to === "delete" ? "FOR UPDATE" : "FOR NO KEY UPDATE")}
    `.pipe(Effect.orDie)

  /** Some files that were in trash by `before`, those after `last` there, locked to be deleted, like {@link owned}. */
  const trashed = (
    accountId: AccountId,
    limits: Limits,
    before: DateTime.Utc,
    last: TrashedFile | null,
    limit: number
  ) => {
    const time = DateTime.toDateUtc(before)
    return sql<TrashedFile>`
      SELECT ${columns}, f.trash_time AS "trashTime" FROM ${t.files} f
      WHERE f.id IN (
        SELECT f.id FROM ${t.files} f
        WHERE f.trash_time <= ${time} AND ${own(accountId, limits)}
          AND ${
      last === null ? sql`TRUE` : sql`(f.trash_time, f.id) < (${last.trashTime}::timestamptz, ${last.id}::uuid)`
    }
        ORDER BY f.trash_time DESC, f.id DESC LIMIT ${limit}::int
      )
      ORDER BY f.id FOR UPDATE
    `.pipe(Effect.orDie)
  }

  /**
   * Some files whose bytes are in the public bucket although they are in trash, or not there although they are public
   * and no longer in trash, in order of id; not those that are on their way.
   */
  const misplaced = (accountId: AccountId, after: FileId, limit: number) =>
    sql<{ readonly id: FileId }>`
      SELECT f.id FROM ${t.files} f
      WHERE f.account_id = ${accountId} AND f.id > ${after} AND f.derivative_of IS NULL
        AND ((f.is_public AND f.trash_time IS NOT NULL) OR (f.public_key IS NOT NULL AND f.trash_time IS NULL))
        AND NOT EXISTS (SELECT 1 FROM ${t.bucket_transfers} m WHERE m.file_id = f.id)
      ORDER BY f.id LIMIT ${limit}::int
    `.pipe(Effect.map((rows) => rows.map(({ id }) => id)), Effect.orDie)

  /** Deletes files with their derivatives. */
  const remove = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) =>
    sql<DeletedFile>`
      DELETE FROM ${t.files} AS f
      WHERE f.account_id = ${accountId} AND (f.id = ANY(${fileIds}::uuid[]) OR f.derivative_of = ANY(${fileIds}::uuid[]))
      RETURNING f.id, f.is_public AS "isPublic", f.store_key AS "storeKey", f.size::float8 AS "sizeBytes",
        f.derivative_of IS NOT NULL AS "isDerivative"
    `.pipe(Effect.orDie)

  /**
   * Reads deleted rows once, after the commit. Their entries stay in the index of ids until VACUUM, and the first statement that meets one
   * has to visit the row to see that it is gone, and marks the entry: so this statement does it, for some rows, and not the
   * one that goes through all files by id and would skip any number of them. Each row by itself: a search for all
   * together marks nothing.
   */
  const passOver = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) =>
    sql`
      SELECT count(*) FROM unnest(${fileIds}::uuid[]) gone (id)
      CROSS JOIN LATERAL (
        SELECT 1 FROM ${t.files} f WHERE f.id = gone.id AND f.account_id = ${accountId} LIMIT 1
      ) found
    `.pipe(Effect.asVoid, Effect.orDie)

  return { trash, restore, owned, trashed, misplaced, remove, passOver }
})

export class TrashRepo extends Context.Service<TrashRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/files/TrashRepo"
) {
  static readonly layer = Layer.effect(TrashRepo, make)
}
