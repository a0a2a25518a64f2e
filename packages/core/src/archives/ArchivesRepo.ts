/** Archives as their owners ask for and see them, in SQL: the only module that makes and removes rows of `archives`. */
import { Array as Arr, Context, DateTime, Effect, Layer, Option } from "effect"
import { credentialOf, type CurrentAccount, type Limits, may } from "../accounts/CurrentAccount.ts"
import * as Column from "../database/Column.ts"
import { Database } from "../database/Database.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import type { LiveKeysQuery } from "../objects/LiveKeys.ts"
import type { AccountId, ArchiveId, FileId } from "../shared/Ids.ts"
import type { Archive, ArchiveStatus, NewArchive, SkippedFile } from "./Archive.ts"
import type { NewEntry, RequestedFile } from "./ArchiveEntry.ts"
import type { KeptArchive } from "./KeptArchive.ts"

/** Rows that one statement reads. */
const batchSize = 1_000

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database
  const date = DateTime.toDateUtc

  const columns = sql.literal(`
    a.id, a.account_id AS "accountId", a.credential, a.title, a.state AS status, a.error, a.file_count AS "fileCount",
    a.bytes::float8 AS bytes, a.part_size::float8 AS "partSizeBytes", a.parts_done AS "partsDone",
    a.received_bytes::float8 AS "receivedBytes", a.store_key AS "storeKey", a.storage_id AS "storageId",
    a.is_opening AS "isOpening", a.progress_time AS "progressTime", a.expire_time AS "expireTime"
  `)

  /** A call that is limited to a folder sees what was asked for with such a limit, in that folder or inside it. */
  const seen = ({ folderId }: Limits) =>
    folderId === null ? sql`TRUE` : sql`(a.is_limited AND ${StoredFileSql.isFolderWithin(database, "a", folderId)})`

  /**
   * Those of the files that a call sees, in the order asked: the account's own, in trash too, and others' that are public
   * or shared with it. A call limited to a folder takes that folder's and no other's.
   */
  const candidates = (accountId: AccountId, limits: Limits, ids: ReadonlyArray<FileId>) => {
    const own = sql`(f.account_id = ${accountId} AND ${StoredFileSql.within(database, limits)})`
    const others = limits.folderId === null
      ? sql`(f.account_id <> ${accountId} AND f.trash_time IS NULL
          AND ${StoredFileSql.seenByOther(database, sql`${accountId}::uuid`)})`
      : sql`FALSE`
    const some = (ids: ReadonlyArray<FileId>) =>
      sql<RequestedFile>`
      SELECT f.id, f.file_name AS "fileName", f.size::float8 AS "sizeBytes", f.insert_time AS "insertTime",
        d.path AS "folderPath", f.trash_time IS NOT NULL AS "isTrashed"
      FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS asked (id, place)
      JOIN ${t.files} f ON f.id = asked.id
      LEFT JOIN ${t.folders} d ON d.id = f.folder_id AND d.account_id = ${accountId} AND f.account_id = ${accountId}
      WHERE f.derivative_of IS NULL AND (${own} OR ${others})
      ORDER BY asked.place
    `
    return Effect.forEach(Arr.chunksOf(ids, batchSize), some).pipe(Effect.map(Arr.flatten), Effect.orDie)
  }

  const countWorking = (accountId: AccountId) =>
    sql<{ readonly count: number }>`
      SELECT count(*)::int AS count FROM ${t.archives} WHERE account_id = ${accountId} AND state = 'working'
    `.pipe(Effect.map((rows) => rows[0]!.count), Effect.orDie)

  /** Those that are kept or will be: not those that have failed or lapsed. */
  const isKept = (now: DateTime.Utc) =>
    sql`a.state <> 'failed' AND (a.expire_time IS NULL OR a.expire_time > ${date(now)})`

  /** What all of them have, or will have when they are done. */
  const keptBytes = (accountId: AccountId, now: DateTime.Utc) =>
    sql<{ readonly bytes: number }>`
      SELECT coalesce(sum(a.bytes), 0)::float8 AS bytes FROM ${t.archives} a
      WHERE a.account_id = ${accountId} AND ${isKept(now)}
    `.pipe(Effect.map((rows) => rows[0]!.bytes), Effect.orDie)

  /** The largest of them that the caller may delete. */
  const largestKept = (caller: CurrentAccount["Service"], now: DateTime.Utc, count: number) =>
    sql<Pick<Archive, "id" | "bytes">>`
      SELECT a.id, a.bytes::float8 AS bytes FROM ${t.archives} a
      WHERE a.account_id = ${caller.id} AND ${isKept(now)} AND ${seen(caller.limits)}
        AND ${may(caller, "delete") ? sql`TRUE` : sql`a.credential = ${credentialOf(caller)}`}
      ORDER BY a.bytes DESC, a.id LIMIT ${count}::int
    `.pipe(Effect.orDie)

  /** The newest of them that was asked for by the same request and has lost no file on the way. */
  const equal = ({ accountId, bytes, fileCount, request }: NewArchive, now: DateTime.Utc) =>
    sql<Archive>`
      SELECT ${columns} FROM ${t.archives} a
      WHERE a.account_id = ${accountId} AND ${isKept(now)} AND a.request = ${request}
        AND a.file_count = ${fileCount}::int AND a.bytes = ${bytes}::bigint
      ORDER BY a.insert_time DESC LIMIT 1
    `.pipe(Effect.map((rows) => Option.fromUndefinedOr(rows[0])), Effect.orDie)

  /**
   * Inserts an archive that nobody sees yet: as a failed one, which the sweep removes at `until` if its call is interrupted. Its
   * entries follow, and {@link publish}.
   */
  const draft = (archive: NewArchive, now: DateTime.Utc, until: DateTime.Utc) =>
    sql`
        INSERT INTO ${t.archives} (id, account_id, credential, folder_id, is_limited, title, state, file_count, bytes, part_size,
          store_key, request, insert_time, progress_time, expire_time)
        VALUES (${archive.id}, ${archive.accountId}, ${archive.credential}, ${archive.folderId}, ${
      archive.folderId !== null
    }, ${archive.title},
          'failed', ${archive.fileCount}::int, ${archive.bytes}::bigint, ${archive.partSizeBytes}::bigint,
          ${archive.storeKey}, ${archive.request}, ${date(now)}, ${date(now)}, ${date(until)})
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Adds entries to a draft. */
  const insertEntries = ({ accountId, id }: NewArchive, entries: ReadonlyArray<NewEntry>) => {
    const column = (name: keyof NewEntry) => Column.of(entries.map((entry) => entry[name]))
    return sql`
      INSERT INTO ${t.archive_entries} (archive_id, position, file_id, name, size, modified_time, skipped)
      SELECT a.id, e.* FROM ${t.archives} a, unnest(
        ${column("position")}::text::int[], ${column("fileId")}::text::uuid[], ${column("name")}::text::text[],
        ${column("sizeBytes")}::text::bigint[], ${column("modifiedTime")}::text::timestamptz[],
        ${column("skipped")}::text::text[]
      ) AS e
      WHERE a.id = ${id} AND a.account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)
  }

  /** Makes a draft an archive that is being built; false when it was swept. */
  const publish = ({ accountId, id }: NewArchive, now: DateTime.Utc) =>
    sql`
      UPDATE ${t.archives} SET state = 'working', expire_time = NULL, progress_time = ${date(now)}
      WHERE id = ${id} AND account_id = ${accountId} AND state = 'failed' AND expire_time > ${date(now)} RETURNING 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  const find = (accountId: AccountId, id: ArchiveId) =>
    sql<Archive>`
      SELECT ${columns} FROM ${t.archives} a WHERE a.id = ${id} AND a.account_id = ${accountId}
    `.pipe(Effect.map((rows) => Option.fromUndefinedOr(rows[0])), Effect.orDie)

  /** Those of the archives that a call sees, in the order asked. */
  const select = (accountId: AccountId, limits: Limits, ids: ReadonlyArray<ArchiveId>) =>
    sql<Archive>`
      SELECT ${columns} FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS asked (id, place)
      JOIN ${t.archives} a ON a.id = asked.id
      WHERE a.account_id = ${accountId} AND ${seen(limits)} ORDER BY asked.place
    `.pipe(Effect.orDie)

  /** The ids of those that a call sees and that have not lapsed, newest first. */
  const newest = (accountId: AccountId, limits: Limits, now: Date, limit: number) =>
    sql<{ readonly id: ArchiveId }>`
      SELECT a.id FROM ${t.archives} a
      WHERE a.account_id = ${accountId} AND ${seen(limits)} AND (a.expire_time IS NULL OR a.expire_time > ${now})
      ORDER BY a.id DESC LIMIT ${limit}::int
    `.pipe(Effect.map((rows) => rows.map(({ id }) => id)), Effect.orDie)

  /** What is left out of each of these archives, the first `limit` of it. */
  const skipped = (accountId: AccountId, ids: ReadonlyArray<ArchiveId>, limit: number) =>
    sql<SkippedFile & { readonly archiveId: ArchiveId }>`
      SELECT a.id AS "archiveId", e.file_id AS id, e.reason
      FROM ${t.archives} a CROSS JOIN LATERAL (
        SELECT file_id, skipped AS reason, position FROM ${t.archive_entries}
        WHERE archive_id = a.id AND skipped IS NOT NULL ORDER BY position LIMIT ${limit}::int
      ) e
      WHERE a.account_id = ${accountId} AND a.id = ANY(${ids}::uuid[]) ORDER BY a.id, e.position
    `.pipe(Effect.orDie)

  /** Records how an archive ended; false when it had ended before, or is made elsewhere by now. */
  const end = (
    archive: Archive,
    as: { readonly status: ArchiveStatus; readonly error: string | null; readonly expireTime: Date },
    now: DateTime.Utc
  ) =>
    sql`
      UPDATE ${t.archives} SET state = ${as.status}, error = ${as.error}, expire_time = ${as.expireTime},
        storage_id = '', progress_time = ${date(now)},
        received_bytes = CASE WHEN ${as.status} = 'done' THEN bytes ELSE 0 END
      WHERE id = ${archive.id} AND account_id = ${archive.accountId} AND state = 'working'
        AND store_key = ${archive.storeKey} AND storage_id = ${archive.storageId}
      RETURNING 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** Ends an archive, however far it is, as one that has lapsed: nobody sees it any longer, and its builder stops. */
  const lapse = ({ accountId, id }: Pick<Archive, "accountId" | "id">, now: DateTime.Utc) =>
    sql`
      UPDATE ${t.archives} SET state = CASE WHEN state = 'done' THEN 'done' ELSE 'failed' END,
        expire_time = ${date(now)}, storage_id = ''
      WHERE id = ${id} AND account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Takes entries from an archive that has ended, the last first; of one that is kept, not those that tell what was left out. Returns how many. */
  const clear = (
    { accountId, id }: Pick<Archive, "accountId" | "id">,
    which: "all" | "built",
    limit: number
  ) =>
    sql`
      DELETE FROM ${t.archive_entries} WHERE archive_id = ${id} AND position IN (
        SELECT e.position FROM ${t.archive_entries} e JOIN ${t.archives} a ON a.id = e.archive_id
        WHERE a.id = ${id} AND a.account_id = ${accountId} AND a.state <> 'working'
          AND ${which === "all" ? sql`TRUE` : sql`e.skipped IS NULL`}
        ORDER BY e.position DESC LIMIT ${limit}::int
      ) RETURNING 1
    `.pipe(Effect.map((rows) => rows.length), Effect.orDie)

  /** Deletes an archive that has ended; false when it was deleted already. */
  const remove = ({ accountId, id }: Pick<Archive, "accountId" | "id">) =>
    sql`
      DELETE FROM ${t.archives} WHERE id = ${id} AND account_id = ${accountId} AND state <> 'working' RETURNING 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** Archives, of any account, that have lapsed or have not moved since `idleSince`. */
  const overdue = (now: DateTime.Utc, idleSince: DateTime.Utc, limit: number) =>
    sql<Archive>`
      (SELECT ${columns} FROM ${t.archives} a WHERE a.expire_time <= ${date(now)} ORDER BY a.expire_time
        LIMIT ${limit}::int)
      UNION ALL
      (SELECT ${columns} FROM ${t.archives} a WHERE a.state = 'working' AND a.progress_time <= ${date(idleSince)}
        ORDER BY a.progress_time LIMIT ${limit}::int)
    `.pipe(Effect.orDie)

  /** The next archives of all accounts that are done, in order of id. */
  const keptAfter = (id: ArchiveId | null, limit: number) =>
    sql<KeptArchive>`
      SELECT id, account_id AS "accountId", store_key AS "storeKey", bytes::float8 AS bytes FROM ${t.archives}
      WHERE state = 'done' AND ${id === null ? sql`TRUE` : sql`id > ${id}::uuid`}
      ORDER BY id LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  /** Whether an archive that was done is kept as it was. */
  const isThere = ({ accountId, id, storeKey }: KeptArchive) =>
    sql`
      SELECT 1 FROM ${t.archives}
      WHERE id = ${id} AND account_id = ${accountId} AND store_key = ${storeKey} AND state = 'done'
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** What archives that have not failed have in the private bucket, or will have. */
  const liveKeys: LiveKeysQuery = (_, storeKeys) =>
    sql`SELECT store_key AS key FROM ${t.archives} WHERE store_key = ANY(${storeKeys}::text[]) AND state <> 'failed'`

  return {
    liveKeys,
    candidates,
    countWorking,
    keptBytes,
    largestKept,
    equal,
    draft,
    insertEntries,
    publish,
    find,
    select,
    newest,
    skipped,
    end,
    lapse,
    clear,
    remove,
    overdue,
    keptAfter,
    isThere
  }
})

export class ArchivesRepo extends Context.Service<ArchivesRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/archives/ArchivesRepo"
) {
  static readonly layer = Layer.effect(ArchivesRepo, make)
}
