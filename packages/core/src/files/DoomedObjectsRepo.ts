/** Doomed objects in SQL. The only module that reads or writes `doomed_objects`. Every query names its owner. */
import { Context, DateTime, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { Bucket } from "../ports/ObjectStore.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"

/** A stored object, or with a `storageId` an open multipart upload, that nothing needs after a time. */
export interface DoomedObject {
  readonly bucket: Bucket
  readonly storeKey: string
  /** The store's id of a multipart upload, when that is meant and not the object. */
  readonly storageId?: string
  /** The file whose former object this is: when that file is deleted, its removal is due at once. */
  readonly fileId?: FileId
}

/** A row's key. */
export interface DoomedKey {
  readonly bucket: Bucket
  readonly storeKey: string
  /** Empty for an object. */
  readonly storageId: string
}

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  const keyColumns = sql.literal(`bucket, store_key AS "storeKey", storage_id AS "storageId"`)
  const among = (objects: ReadonlyArray<DoomedObject>) =>
    sql`(bucket, store_key, storage_id) IN (
      SELECT * FROM unnest(${objects.map((object) => object.bucket)}::text[],
        ${objects.map((object) => object.storeKey)}::text[],
        ${objects.map((object) => object.storageId ?? "")}::text[])
    )`

  /** An object that is doomed already keeps the earlier of its two times. */
  const insert = (accountId: AccountId, objects: ReadonlyArray<DoomedObject>, dueTime: DateTime.Utc) =>
    sql`
      INSERT INTO ${t.doomed_objects} AS d (bucket, store_key, storage_id, account_id, file_id, due_time)
      SELECT DISTINCT ON (o.bucket, o.store_key, o.storage_id) o.bucket, o.store_key, o.storage_id, ${accountId}::uuid,
        NULLIF(o.file_id, '')::uuid, ${DateTime.toDateUtc(dueTime)}::timestamptz
      FROM unnest(${objects.map((object) => object.bucket)}::text[],
        ${objects.map((object) => object.storeKey)}::text[],
        ${objects.map((object) => object.storageId ?? "")}::text[],
        ${objects.map((object) => object.fileId ?? "")}::text[]) AS o (bucket, store_key, storage_id, file_id)
      ON CONFLICT (bucket, store_key, storage_id) DO UPDATE SET due_time = LEAST(d.due_time, EXCLUDED.due_time)
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Whether the row was there and not taken; then it is no more. */
  const remove = (accountId: AccountId, object: DoomedObject) =>
    sql`
      DELETE FROM ${t.doomed_objects}
      WHERE account_id = ${accountId} AND ${among([object])} AND NOT taken RETURNING 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** Forgets those of `objects` that are not taken; answers those that are. */
  const reclaim = (accountId: AccountId, objects: ReadonlyArray<DoomedObject>) =>
    sql<DoomedKey>`
      WITH spared AS (
        DELETE FROM ${t.doomed_objects} WHERE account_id = ${accountId} AND ${among(objects)} AND NOT taken
      )
      SELECT ${keyColumns} FROM ${t.doomed_objects} WHERE account_id = ${accountId} AND ${among(objects)} AND taken
    `.pipe(Effect.orDie)

  /** Brings what is left of these files' former objects forward to `dueTime`; answers how many rows that was. */
  const hasten = (accountId: AccountId, fileIds: ReadonlyArray<FileId>, dueTime: DateTime.Utc) =>
    sql<DoomedKey>`
      UPDATE ${t.doomed_objects} SET due_time = LEAST(due_time, ${DateTime.toDateUtc(dueTime)})
      WHERE account_id = ${accountId} AND file_id = ANY(${fileIds}::uuid[]) RETURNING ${keyColumns}
    `.pipe(Effect.orDie)

  /** Takes those of `objects` that are due: from now on nothing can adopt them. */
  const take = (accountId: AccountId, objects: ReadonlyArray<DoomedObject>, now: DateTime.Utc) =>
    sql<DoomedKey>`
      UPDATE ${t.doomed_objects} SET taken = TRUE
      WHERE account_id = ${accountId} AND ${among(objects)} AND due_time <= ${DateTime.toDateUtc(now)}
      RETURNING ${keyColumns}
    `.pipe(Effect.orDie)

  /** Takes the next due rows in order of key, after `after`. */
  const takeNext = (accountId: AccountId, after: DoomedKey, now: DateTime.Utc, limit: number) =>
    sql<DoomedKey>`
      UPDATE ${t.doomed_objects} SET taken = TRUE
      WHERE (bucket, store_key, storage_id) IN (
        SELECT bucket, store_key, storage_id FROM ${t.doomed_objects}
        WHERE account_id = ${accountId} AND due_time <= ${DateTime.toDateUtc(now)}
          AND (bucket, store_key, storage_id) > (${after.bucket}, ${after.storeKey}, ${after.storageId})
        ORDER BY bucket, store_key, storage_id LIMIT ${limit}::int
      )
      RETURNING ${keyColumns}
    `.pipe(Effect.orDie)

  /** Forgets rows whose objects are gone. */
  const forget = (accountId: AccountId, objects: ReadonlyArray<DoomedKey>) =>
    sql`DELETE FROM ${t.doomed_objects} WHERE account_id = ${accountId} AND ${among(objects)}`.pipe(
      Effect.asVoid,
      Effect.orDie
    )

  /** When the next row falls due, or null when there is none. */
  const nextDue = (accountId: AccountId) =>
    sql<{ readonly dueTime: Date | null }>`
      SELECT min(due_time) AS "dueTime" FROM ${t.doomed_objects} WHERE account_id = ${accountId}
    `.pipe(
      Effect.map((rows) => rows[0]?.dueTime ?? null),
      Effect.map((dueTime) => dueTime === null ? null : DateTime.fromDateUnsafe(dueTime)),
      Effect.orDie
    )

  /** Former objects of a file that are still in `bucket` although due at `now`. */
  const findDue = (accountId: AccountId, fileId: FileId, bucket: Bucket, now: DateTime.Utc) =>
    sql<DoomedKey>`
      SELECT ${keyColumns} FROM ${t.doomed_objects}
      WHERE account_id = ${accountId} AND file_id = ${fileId} AND bucket = ${bucket}
        AND due_time <= ${DateTime.toDateUtc(now)}
    `.pipe(Effect.orDie)

  return { insert, remove, reclaim, hasten, take, takeNext, forget, nextDue, findDue }
})

export class DoomedObjectsRepo extends Context.Service<DoomedObjectsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/files/DoomedObjectsRepo"
) {
  static readonly layer = Layer.effect(DoomedObjectsRepo, make)
}
