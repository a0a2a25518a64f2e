/**
 * Copies of large files that are under way, in SQL. The only module that writes `bucket_transfers`. What a statement makes of a
 * row is what `BucketTransfer.next` says: a test runs both.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Database } from "../database/Database.ts"
import type { LiveKeysQuery } from "../objects/LiveKeys.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import type { BucketTransfer } from "./BucketTransfer.ts"

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  const columns = sql.literal(`
    file_id AS "fileId", account_id AS "accountId", to_public AS "toPublic", keeps_link AS "keepsLink", store_key AS "storeKey",
    storage_id AS "storageId", parts_done AS "partsDone", part_count AS "partCount"
  `)
  const changed = Effect.map((rows: ReadonlyArray<unknown>) => rows.length > 0)

  const insert = (move: BucketTransfer, now: DateTime.Utc) =>
    sql`
      INSERT INTO ${t.bucket_transfers} (file_id, account_id, to_public, keeps_link, store_key, storage_id, part_count,
        insert_time)
      VALUES (${move.fileId}, ${move.accountId}, ${move.toPublic}, ${move.keepsLink}, ${move.storeKey},
        ${move.storageId}, ${move.partCount}::int, ${DateTime.toDateUtc(now)})
    `.pipe(Effect.asVoid, Effect.orDie)

  const find = (accountId: AccountId, fileId: FileId) =>
    sql<BucketTransfer>`
      SELECT ${columns} FROM ${t.bucket_transfers} WHERE account_id = ${accountId} AND file_id = ${fileId}
    `.pipe(Effect.map((rows) => Option.fromUndefinedOr(rows[0])), Effect.orDie)

  /** Records which upload makes the object; false when the move was cancelled or has one. */
  const setStorageId = (move: BucketTransfer, storageId: string) =>
    sql`
      UPDATE ${t.bucket_transfers} SET storage_id = ${storageId}
      WHERE account_id = ${move.accountId} AND file_id = ${move.fileId} AND store_key = ${move.storeKey}
        AND storage_id = '' RETURNING 1
    `.pipe(changed, Effect.orDie)

  /** Counts finished parts, never downwards; false when the move was called off. */
  const setPartsDone = (move: BucketTransfer, partsDone: number) =>
    sql`
      UPDATE ${t.bucket_transfers} SET parts_done = GREATEST(parts_done, ${partsDone}::int)
      WHERE account_id = ${move.accountId} AND file_id = ${move.fileId} AND store_key = ${move.storeKey} RETURNING 1
    `.pipe(changed, Effect.orDie)

  /** Makes the move begin again under a fresh key. */
  const restart = (move: BucketTransfer, storeKey: string) =>
    sql`
      UPDATE ${t.bucket_transfers} SET store_key = ${storeKey}, storage_id = '', parts_done = 0
      WHERE account_id = ${move.accountId} AND file_id = ${move.fileId} AND store_key = ${move.storeKey}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Which of these files are being moved, and why. */
  const among = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) =>
    sql<BucketTransfer>`
      SELECT ${columns} FROM ${t.bucket_transfers} WHERE account_id = ${accountId} AND file_id = ANY(${fileIds}::uuid[])
    `.pipe(Effect.orDie)

  /** Makes the file lose its lasting link with its move. */
  const dropLink = (accountId: AccountId, fileId: FileId) =>
    sql`
      UPDATE ${t.bucket_transfers} SET keeps_link = FALSE WHERE account_id = ${accountId} AND file_id = ${fileId}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Ends the moves of these files and returns them. */
  const remove = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) =>
    sql<BucketTransfer>`
      DELETE FROM ${t.bucket_transfers} WHERE account_id = ${accountId} AND file_id = ANY(${fileIds}::uuid[])
      RETURNING ${columns}
    `.pipe(Effect.orDie)

  /** Where copies under way lead. */
  const liveKeys: LiveKeysQuery = (bucket, storeKeys) =>
    sql`
      SELECT store_key AS key FROM ${t.bucket_transfers}
      WHERE store_key = ANY(${storeKeys}::text[]) AND to_public = ${bucket === "public"}
    `

  return { liveKeys, insert, find, among, dropLink, setStorageId, setPartsDone, restart, remove }
})

export class BucketTransfersRepo extends Context.Service<BucketTransfersRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/files/BucketTransfersRepo"
) {
  static readonly layer = Layer.effect(BucketTransfersRepo, make)
}
