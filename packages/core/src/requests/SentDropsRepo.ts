/** Drops as their owner reads and deletes them, in SQL. Beside {@link "./DropsRepo.ts"}, which makes them. */
import { Context, Effect, Layer } from "effect"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import type { DroppedFile } from "../events/DriveEvent.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import type { AccountId, DropId, FileId, RequestId } from "../shared/Ids.ts"
import type { ChosenDrop, DropsOfSender, SentDrop } from "./Drop.ts"

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database

  /** The newest drops of each request that have sent something. */
  const drops = (accountId: AccountId, requestIds: ReadonlyArray<RequestId>, perRequest: number) =>
    sql<SentDrop>`
      SELECT p.* FROM unnest(${requestIds}::uuid[]) q (id) CROSS JOIN LATERAL (
        SELECT p.id, p.request_id AS "requestId", p.sender_name AS "senderName", p.note, p.insert_time AS "arrivedTime",
          p.finish_time AS "finishTime", p.viewed
        FROM ${t.drops} p WHERE p.account_id = ${accountId} AND p.request_id = q.id AND p.file_count > 0
        ORDER BY p.insert_time DESC, p.id DESC LIMIT ${perRequest}::int
      ) p
      ORDER BY p."arrivedTime" DESC, p.id DESC
    `.pipe(Effect.orDie)

  /** The files of drops that the call sees and that are still in the drive, drop by drop in this order and as they were sent. */
  const files = (accountId: AccountId, limits: Limits, dropIds: ReadonlyArray<DropId>, limit: number) =>
    sql<DroppedFile & { readonly dropId: DropId }>`
      SELECT s.drop_id AS "dropId", f.id, f.type, f.file_name AS "fileName", f.size::float8 AS "fileSize", f.mime_type AS "mimeType"
      FROM unnest(${dropIds}::uuid[]) WITH ORDINALITY q (id, no)
      JOIN ${t.drop_files} s ON s.drop_id = q.id AND s.account_id = ${accountId} AND NOT s.is_removed
      JOIN ${t.files} f ON f.id = s.file_id AND f.account_id = s.account_id AND f.trash_time IS NULL
        AND ${StoredFileSql.within(database, limits)}
      ORDER BY q.no, s.insert_time, s.client_key LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  /** Bytes of all files of each request that the call sees and that are still in the drive. */
  const receivedBytes = (accountId: AccountId, limits: Limits, requestIds: ReadonlyArray<RequestId>) =>
    sql<{ readonly id: RequestId; readonly bytes: number }>`
      SELECT p.request_id AS id, sum(f.size)::float8 AS bytes
      FROM ${t.drops} p
      JOIN ${t.drop_files} s ON s.drop_id = p.id AND NOT s.is_removed
      JOIN ${t.files} f ON f.id = s.file_id AND f.account_id = p.account_id AND f.trash_time IS NULL
        AND ${StoredFileSql.within(database, limits)}
      WHERE p.account_id = ${accountId} AND p.request_id = ANY(${requestIds}::uuid[]) AND p.file_count > 0
      GROUP BY p.request_id
    `.pipe(
      Effect.map((rows): ReadonlyMap<RequestId, number> => new Map(rows.map(({ bytes, id }) => [id, bytes]))),
      Effect.orDie
    )

  const markViewed = (accountId: AccountId, dropIds: ReadonlyArray<DropId>) =>
    sql<{ readonly id: DropId }>`
      WITH marked AS (
        UPDATE ${t.drops} SET viewed = true WHERE account_id = ${accountId} AND id = ANY(${dropIds}::uuid[]) AND NOT viewed
      )
      SELECT id FROM ${t.drops} WHERE account_id = ${accountId} AND id = ANY(${dropIds}::uuid[])
    `.pipe(Effect.map((rows) => rows.map(({ id }) => id)), Effect.orDie)

  /** The drop that a file came in, if the owner has not looked at it. */
  const unviewedOf = (accountId: AccountId, fileId: FileId) =>
    sql<{ readonly id: DropId }>`
      SELECT p.id FROM ${t.drop_files} s JOIN ${t.drops} p ON p.id = s.drop_id AND p.account_id = s.account_id
      WHERE s.file_id = ${fileId} AND s.account_id = ${accountId} AND NOT p.viewed
    `.pipe(Effect.map(([row]) => row?.id), Effect.orDie)

  /**
   * Some of these drops, or of those that were started at a request under a name until `time`. Of the latter not those that ended without a
   * file: nobody sees them, and they are forgotten.
   */
  const chosen = (accountId: AccountId, which: ReadonlyArray<DropId> | DropsOfSender, limit: number) =>
    sql<ChosenDrop>`
      SELECT p.id, p.request_id AS "requestId", p.file_count AS "fileCount", p.finish_time IS NULL AS "isUnderWay" FROM ${t.drops} p
      WHERE p.account_id = ${accountId} AND ${
      "senderName" in which
        ? sql`p.request_id = ${which.requestId} AND p.sender_name = ${which.senderName} AND p.insert_time <= ${which.time}::timestamptz
            AND (p.file_count > 0 OR p.finish_time IS NULL)`
        : sql`p.id = ANY(${which}::uuid[])`
    }
      ORDER BY p.id LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  /** Some files of drops that the call sees and that are not in trash, drop by drop; those that their senders have taken back too. */
  const untrashed = (accountId: AccountId, limits: Limits, dropIds: ReadonlyArray<DropId>, limit: number) =>
    sql<{ readonly dropId: DropId; readonly id: FileId }>`
      SELECT s.drop_id AS "dropId", f.id FROM ${t.drop_files} s
      JOIN ${t.files} f ON f.id = s.file_id AND f.account_id = s.account_id AND f.trash_time IS NULL
        AND ${StoredFileSql.within(database, limits)}
      WHERE s.drop_id = ANY(${dropIds}::uuid[]) AND s.account_id = ${accountId}
      ORDER BY s.drop_id LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  /** Deletes drops, and gives their requests back what they have received of them. Returns how many there were. */
  const remove = (accountId: AccountId, dropIds: ReadonlyArray<DropId>) =>
    sql<{ readonly count: number }>`
      WITH gone AS (
        DELETE FROM ${t.drops} WHERE account_id = ${accountId} AND id = ANY(${dropIds}::uuid[]) RETURNING id, request_id
      ), returned AS (
        UPDATE ${t.file_requests} r SET received_bytes = r.received_bytes - g.bytes
        FROM (
          SELECT gone.request_id, sum(s.size) AS bytes FROM gone JOIN ${t.drop_files} s ON s.drop_id = gone.id AND NOT s.is_removed
          GROUP BY gone.request_id
        ) g
        WHERE r.id = g.request_id AND r.account_id = ${accountId}
      )
      SELECT count(*)::int AS count FROM gone
    `.pipe(Effect.map(([row]) => row?.count ?? 0), Effect.orDie)

  return { drops, files, receivedBytes, markViewed, unviewedOf, chosen, untrashed, remove }
})

export class SentDropsRepo extends Context.Service<SentDropsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/requests/SentDropsRepo"
) {
  static readonly layer = Layer.effect(SentDropsRepo, make)
}
