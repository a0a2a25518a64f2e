/** The state of the check of stored bytes, in SQL. The only module that writes `scrubs` and `lost_files`. Goes across accounts. */
import { Context, DateTime, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { FileId } from "../shared/Ids.ts"
import type { ScrubbedFile, ScrubState } from "./ScrubState.ts"

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  const find = sql<ScrubState>`
    SELECT start_time AS "startTime", end_time AS "endTime", after_id AS "afterId", from_byte::float8 AS "fromByte",
      files::float8 AS files, bytes::float8 AS bytes
    FROM ${t.scrubs}
  `.pipe(Effect.map(([state]) => state), Effect.orDie)

  /** Begins anew, unless one is under way. */
  const begin = (now: DateTime.Utc) =>
    sql`
      INSERT INTO ${t.scrubs} AS s (id, start_time, end_time, after_id, from_byte, files, bytes)
      VALUES (1, ${DateTime.toDateUtc(now)}, NULL, NULL, 0, 0, 0)
      ON CONFLICT (id) DO UPDATE SET start_time = excluded.start_time, end_time = NULL, after_id = NULL, from_byte = 0,
        files = 0, bytes = 0
      WHERE s.end_time IS NOT NULL
    `.pipe(Effect.asVoid, Effect.orDie)

  const advance = (state: ScrubState) =>
    sql`
      UPDATE ${t.scrubs}
      SET after_id = ${state.afterId}::uuid, from_byte = ${state.fromByte}::float8::bigint,
        files = ${state.files}::float8::bigint, bytes = ${state.bytes}::float8::bigint
      WHERE end_time IS NULL AND start_time = ${state.startTime}::timestamptz
    `.pipe(Effect.asVoid, Effect.orDie)

  const end = (now: DateTime.Utc) =>
    sql`UPDATE ${t.scrubs} SET end_time = ${DateTime.toDateUtc(now)} WHERE end_time IS NULL`.pipe(
      Effect.asVoid,
      Effect.orDie
    )

  const columns = sql.literal(
    `id, account_id AS "accountId", is_public AS "isPublic", store_key AS "storeKey", file_name AS "fileName",
      size::float8 AS "sizeBytes"`
  )

  /** The next files of all accounts, derivatives and those in trash too, in order of id. */
  const after = (id: FileId | null, limit: number) =>
    sql<ScrubbedFile>`
      SELECT ${columns} FROM ${t.files} WHERE ${id === null ? sql`TRUE` : sql`id > ${id}::uuid`}
      ORDER BY id LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  /** Whether a file's bytes are still at the address that was checked. */
  const isThere = ({ accountId, id, isPublic, storeKey }: ScrubbedFile) =>
    sql`
      SELECT 1 FROM ${t.files}
      WHERE id = ${id} AND account_id = ${accountId} AND store_key = ${storeKey} AND is_public = ${isPublic}
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  const fileCount = sql<{ readonly count: number }>`SELECT count(*)::float8 AS count FROM ${t.files}`.pipe(
    Effect.map((rows) => rows[0]?.count ?? 0),
    Effect.orDie
  )

  /** Records that a file is lost, if its bytes are still at the address that was checked. Returns whether they are. */
  const setLost = ({ accountId, id, storeKey }: ScrubbedFile, now: DateTime.Utc) =>
    sql`
      INSERT INTO ${t.lost_files} (file_id, account_id, store_key, found_time)
      SELECT id, account_id, store_key, ${DateTime.toDateUtc(now)}::timestamptz FROM ${t.files}
      WHERE id = ${id} AND account_id = ${accountId} AND store_key = ${storeKey}
      ON CONFLICT (file_id) DO UPDATE SET store_key = excluded.store_key RETURNING 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  const setSound = ({ accountId, id }: ScrubbedFile) =>
    sql`DELETE FROM ${t.lost_files} WHERE file_id = ${id} AND account_id = ${accountId}`.pipe(
      Effect.asVoid,
      Effect.orDie
    )

  const lostCount = sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM ${t.lost_files}`.pipe(
    Effect.map((rows) => rows[0]?.count ?? 0),
    Effect.orDie
  )

  return { find, begin, advance, end, after, isThere, fileCount, setLost, setSound, lostCount }
})

export class ScrubRepo extends Context.Service<ScrubRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/files/ScrubRepo"
) {
  static readonly layer = Layer.effect(ScrubRepo, make)
}
