/**
 * Pending deletions in SQL. The only module that reads or writes `pending_deletions`. Every query names its owner, but for those of live keys. What a
 * statement makes of a row is what `DeletionState.next` says: a test runs both.
 */
import { Context, DateTime, type Duration, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import type { Bucket } from "../ports/ObjectStore.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { lateCopyLifetime, removalLifetime, removalLongest } from "./DeletionState.ts"
import type { PendingDeletion, PendingDeletionKey } from "./PendingDeletion.ts"

/** Sorts before the names of all objects that are named from then on. */
const firstUuid = (time: DateTime.Utc): string => {
  const hex = time.epochMilliseconds.toString(16).padStart(12, "0")
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7`
}

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  const keyColumns = sql.literal(`bucket, store_key AS "storeKey", storage_id AS "storageId"`)
  const among = (objects: ReadonlyArray<PendingDeletion>) =>
    sql`(bucket, store_key, storage_id) IN (
      SELECT * FROM unnest(${objects.map((object) => object.bucket)}::text[],
        ${objects.map((object) => object.storeKey)}::text[],
        ${objects.map((object) => object.storageId ?? "")}::text[])
    )`

  const after = (time: DateTime.Utc, duration: Duration.Duration) =>
    DateTime.toDateUtc(DateTime.addDuration(time, duration))

  /**
   * An object that is listed for deletion already keeps the earlier of its two times. One whose removal has begun is removed once more
   * where an object may have been made under its key since.
   */
  const insert = (accountId: AccountId, objects: ReadonlyArray<PendingDeletion>, dueTime: DateTime.Utc) =>
    sql`
      INSERT INTO ${t.pending_deletions} AS d
        (bucket, store_key, storage_id, account_id, file_id, due_time, is_reused, again_time)
      SELECT DISTINCT ON (o.bucket, o.store_key, o.storage_id) o.bucket, o.store_key, o.storage_id, ${accountId}::uuid,
        NULLIF(o.file_id, '')::uuid, ${DateTime.toDateUtc(dueTime)}::timestamptz, o.is_reused,
        CASE WHEN o.is_reused THEN ${after(dueTime, lateCopyLifetime)}::timestamptz END
      FROM unnest(${objects.map((object) => object.bucket)}::text[],
        ${objects.map((object) => object.storeKey)}::text[],
        ${objects.map((object) => object.storageId ?? "")}::text[],
        ${objects.map((object) => object.fileId ?? "")}::text[],
        ${objects.map((object) => String(object.isReused ?? false))}::text[]::boolean[])
        AS o (bucket, store_key, storage_id, file_id, is_reused)
      ON CONFLICT (bucket, store_key, storage_id) DO UPDATE SET
        due_time = LEAST(d.due_time, EXCLUDED.due_time),
        is_reused = d.is_reused OR EXCLUDED.is_reused,
        again_time = GREATEST(d.again_time, EXCLUDED.again_time),
        is_held = FALSE
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Postpones the removal of an object that is about to be made; false when it has begun. */
  const reserve = (accountId: AccountId, object: PendingDeletion, dueTime: DateTime.Utc) =>
    sql`
      INSERT INTO ${t.pending_deletions} AS d (bucket, store_key, storage_id, account_id, due_time, is_reused)
      VALUES (${object.bucket}, ${object.storeKey}, '', ${accountId}, ${DateTime.toDateUtc(dueTime)},
        ${object.isReused ?? false})
      ON CONFLICT (bucket, store_key, storage_id) DO UPDATE SET
        due_time = GREATEST(d.due_time, EXCLUDED.due_time), is_reused = d.is_reused OR EXCLUDED.is_reused, is_held = FALSE
      WHERE NOT d.taken RETURNING 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** Deletes the rows of those of `objects` that are not taken, and returns them. */
  const remove = (accountId: AccountId, objects: ReadonlyArray<PendingDeletion>) =>
    sql<PendingDeletionKey>`
      DELETE FROM ${t.pending_deletions}
      WHERE account_id = ${accountId} AND ${among(objects)} AND NOT taken RETURNING ${keyColumns}
    `.pipe(Effect.orDie)

  /** Deletes the rows of those of `objects` that are not taken. Returns those that are. */
  const adopt = (accountId: AccountId, objects: ReadonlyArray<PendingDeletion>) =>
    sql<PendingDeletionKey>`
      WITH adopted AS (
        DELETE FROM ${t.pending_deletions} WHERE account_id = ${accountId} AND ${among(objects)} AND NOT taken
      )
      SELECT ${keyColumns} FROM ${t.pending_deletions} WHERE account_id = ${accountId} AND ${among(objects)} AND taken
    `.pipe(Effect.orDie)

  /** Advances the removal of these files' former objects to `dueTime`. Returns how many rows changed. */
  const expedite = (accountId: AccountId, fileIds: ReadonlyArray<FileId>, dueTime: DateTime.Utc) =>
    sql<PendingDeletionKey>`
      UPDATE ${t.pending_deletions} SET due_time = LEAST(due_time, ${DateTime.toDateUtc(dueTime)})
      WHERE account_id = ${accountId} AND file_id = ANY(${fileIds}::uuid[]) RETURNING ${keyColumns}
    `.pipe(Effect.orDie)

  /**
   * Objects that may be removed while removals are held: of those listed since, the public ones, whose links have to end, and those
   * named since.
   */
  const allowed = (held: DateTime.Utc | null) =>
    held === null ? sql`TRUE` : sql`(NOT is_held AND (bucket = 'public' OR (
      right(store_key, 36) ~ '^[0-9a-f]{8}-[0-9a-f]{4}-7' AND right(store_key, 36) >= ${firstUuid(held)}
    )))`

  /** Due, not held, and not being removed by another. */
  const free = (now: DateTime.Utc, held: DateTime.Utc | null) => {
    const time = DateTime.toDateUtc(now)
    return sql`(due_time <= ${time}
      AND (taken_until IS NULL OR taken_until <= ${time} OR taken_until > ${after(now, removalLongest)})
      AND ${allowed(held)})`
  }
  const taken = (now: DateTime.Utc) =>
    sql`taken = TRUE, taken_until = CASE WHEN is_reused THEN ${after(now, removalLifetime)}::timestamptz END`

  /** Takes those of `objects` that are due: from now on nothing can adopt them. A reused key is taken by one call or job at a time. */
  const take = (
    accountId: AccountId,
    objects: ReadonlyArray<PendingDeletion>,
    now: DateTime.Utc,
    held: DateTime.Utc | null = null
  ) =>
    sql<PendingDeletionKey>`
      UPDATE ${t.pending_deletions} SET ${taken(now)}
      WHERE account_id = ${accountId} AND ${among(objects)} AND ${free(now, held)}
      RETURNING ${keyColumns}
    `.pipe(Effect.orDie)

  /** Whether some of `objects` are being removed: reused keys, which one call or job takes at a time. */
  const isTaken = (accountId: AccountId, objects: ReadonlyArray<PendingDeletion>, now: DateTime.Utc) =>
    sql`
      SELECT 1 FROM ${t.pending_deletions}
      WHERE account_id = ${accountId} AND ${among(objects)} AND taken_until > ${DateTime.toDateUtc(now)}
        AND taken_until <= ${after(now, removalLongest)} LIMIT 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** Takes the next due rows in order of key, after `last`. */
  const takeNext = (
    accountId: AccountId,
    last: PendingDeletionKey,
    now: DateTime.Utc,
    limit: number,
    held: DateTime.Utc | null = null
  ) =>
    sql<PendingDeletionKey>`
      UPDATE ${t.pending_deletions} SET ${taken(now)}
      -- By their places in the table, or it might be joined from the side of all rows there are.
      WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${t.pending_deletions}
        WHERE account_id = ${accountId} AND ${free(now, held)}
          -- The account as part of the place: no other's rows are passed over.
          AND (account_id, bucket, store_key, storage_id)
            > (${accountId}::uuid, ${last.bucket}, ${last.storeKey}, ${last.storageId})
        ORDER BY account_id, bucket, store_key, storage_id LIMIT ${limit}::int
      ))
      RETURNING ${keyColumns}
    `.pipe(Effect.orDie)

  /** Deletes rows whose objects are gone, except those to be removed once more: these are no longer a file's former objects. */
  const forget = (accountId: AccountId, objects: ReadonlyArray<PendingDeletionKey>) =>
    sql`
      WITH again AS (
        UPDATE ${t.pending_deletions} SET due_time = again_time, again_time = NULL, taken = FALSE, taken_until = NULL,
          file_id = NULL
        WHERE account_id = ${accountId} AND ${among(objects)} AND again_time IS NOT NULL
      )
      DELETE FROM ${t.pending_deletions} WHERE account_id = ${accountId} AND ${among(objects)} AND again_time IS NULL
    `.pipe(Effect.asVoid, Effect.orDie)

  /**
   * Goes through the account's rows in the order of {@link takeNext}, as far as `limit` of them; outside a transaction. The
   * entries of deleted rows stay in the index until VACUUM. The first statement that meets one has to visit the row to see that it is gone,
   * and marks the entry, which then is skipped, and used again for a key that belongs there. Only a search for one row
   * at a time marks anything for certain: so it goes from one row to the next. Planned each time, because the plan of an empty
   * table would read all of a large one.
   */
  const passOver = (accountId: AccountId, limit: number) => {
    const next = (bucket: string, storeKey: string, storageId: string) =>
      sql`
        SELECT d.bucket, d.store_key, d.storage_id FROM ${t.pending_deletions} d
        WHERE d.account_id = ${accountId}
          AND (d.account_id, d.bucket, d.store_key, d.storage_id)
            > (${accountId}::uuid, ${sql.literal(bucket)}, ${sql.literal(storeKey)}, ${sql.literal(storageId)})
        ORDER BY d.account_id, d.bucket, d.store_key, d.storage_id LIMIT 1
      `
    return sql`
      WITH RECURSIVE met AS (
        (SELECT first.*, 1 AS step FROM (${next("''", "''", "''")}) first)
        UNION ALL
        SELECT next.*, met.step + 1 FROM met
        CROSS JOIN LATERAL (${next("met.bucket", "met.store_key", "met.storage_id")}) next
        WHERE met.step < ${limit}::int
      )
      SELECT count(*) FROM met
    `.unprepared.pipe(Effect.asVoid, Effect.orDie)
  }

  /** Releases taken rows, so that another call or job can take them. */
  const release = (accountId: AccountId, objects: ReadonlyArray<PendingDeletionKey>) =>
    sql`
      UPDATE ${t.pending_deletions} SET taken_until = NULL
      WHERE account_id = ${accountId} AND ${among(objects)} AND taken_until IS NOT NULL
    `.pipe(Effect.asVoid, Effect.orDie)

  /** When the next row can be taken, or null when there is none. */
  const nextDue = (accountId: AccountId, held: DateTime.Utc | null = null) =>
    sql<{ readonly dueTime: Date | null }>`
      SELECT min(GREATEST(due_time, taken_until)) AS "dueTime" FROM ${t.pending_deletions}
      WHERE account_id = ${accountId} AND ${allowed(held)}
    `.pipe(
      Effect.map((rows) => rows[0]?.dueTime ?? null),
      Effect.map((dueTime) => dueTime === null ? null : DateTime.fromDateUnsafe(dueTime)),
      Effect.orDie
    )

  /** Former objects of a file that are still in `bucket` although due at `now`. */
  const findDue = (accountId: AccountId, fileId: FileId, bucket: Bucket, now: DateTime.Utc) =>
    sql<PendingDeletionKey>`
      SELECT ${keyColumns} FROM ${t.pending_deletions}
      WHERE account_id = ${accountId} AND file_id = ${fileId} AND bucket = ${bucket}
        AND due_time <= ${DateTime.toDateUtc(now)}
    `.pipe(Effect.orDie)

  /**
   * Those of a bucket's keys, of every account, that are listed for deletion or that one of `live` selects. One statement
   * sees all of them at one moment: a key that passes from one row to another meanwhile is in either.
   */
  const listedOr = (bucket: Bucket, storeKeys: ReadonlyArray<string>, live: ReadonlyArray<Statement.Fragment>) => {
    const listed = sql`
      SELECT store_key AS key FROM ${t.pending_deletions}
      WHERE bucket = ${bucket} AND store_key = ANY(${storeKeys}::text[])
    `
    return sql<{ readonly key: string }>`${sql.join(" UNION ALL ", false)([listed, ...live])}`.pipe(
      Effect.map((rows): ReadonlySet<string> => new Set(rows.map(({ key }) => key))),
      Effect.orDie
    )
  }

  /** Holds all rows of all accounts, if the statement `begun` returns a row. */
  const holdAfter = (begun: Statement.Fragment) =>
    sql`
      WITH begun AS (${begun})
      UPDATE ${t.pending_deletions} SET is_held = TRUE WHERE EXISTS (SELECT 1 FROM begun)
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Holds no row any longer, if the statement `ended` returns a row. Returns the accounts that have some. */
  const releaseAfter = (ended: Statement.Fragment) =>
    sql<{ readonly accountId: AccountId }>`
      WITH ended AS (${ended}), released AS (
        UPDATE ${t.pending_deletions} SET is_held = FALSE WHERE is_held AND EXISTS (SELECT 1 FROM ended)
      )
      SELECT DISTINCT account_id AS "accountId" FROM ${t.pending_deletions} WHERE EXISTS (SELECT 1 FROM ended)
    `.pipe(Effect.map((rows) => rows.map(({ accountId }) => accountId)), Effect.orDie)

  return {
    holdAfter,
    releaseAfter,
    listedOr,
    insert,
    reserve,
    remove,
    adopt,
    expedite,
    take,
    isTaken,
    takeNext,
    forget,
    passOver,
    release,
    nextDue,
    findDue
  }
})

export class PendingDeletionsRepo extends Context.Service<PendingDeletionsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/objects/PendingDeletionsRepo"
) {
  static readonly layer = Layer.effect(PendingDeletionsRepo, make)
}
