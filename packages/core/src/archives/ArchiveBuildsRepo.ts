/**
 * How far archives are built, in SQL: the only module that changes `archives` while they are worked on.
 *
 * Every change names the state it continues from, so a builder whose archive another has taken up, or which has ended,
 * changes nothing.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import * as Column from "../database/Column.ts"
import { Database } from "../database/Database.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import type { Archive, SkipReason } from "./Archive.ts"
import type { FinishedEntry, LostEntry, PlannedEntry, StoredEntry } from "./ArchiveEntry.ts"

interface FoundRow {
  readonly position: number
  readonly name: string
  readonly sizeBytes: number
  readonly modifiedTime: Date
  readonly isPublic: boolean | null
  readonly storeKey: string | null
  readonly reason: SkipReason | null
}

const encoder = new TextEncoder()

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database
  const date = DateTime.toDateUtc
  const changed = Effect.map((rows: ReadonlyArray<unknown>) => rows.length > 0)

  /** The archive, if its row is still what `archive` says. */
  const asKnown = (archive: Archive) =>
    sql`
      id = ${archive.id} AND account_id = ${archive.accountId} AND state = 'working' AND store_key = ${archive.storeKey}
      AND storage_id = ${archive.storageId} AND parts_done = ${archive.partsDone}::int
      AND file_count = ${archive.fileCount}::int
    `

  const update = (archive: Archive, set: Statement.Fragment) =>
    sql`UPDATE ${t.archives} SET ${set} WHERE ${asKnown(archive)} RETURNING 1`.pipe(changed, Effect.orDie)

  /** Records that an upload is about to be opened. */
  const setOpening = (archive: Archive) => update(archive, sql`is_opening = TRUE`)

  const setStorageId = (archive: Archive, storageId: string) =>
    update(archive, sql`storage_id = ${storageId}, is_opening = FALSE`)

  /** For showing. */
  const setReceived = (archive: Archive, receivedBytes: number, now: DateTime.Utc) =>
    update(archive, sql`received_bytes = ${receivedBytes}::bigint, progress_time = ${date(now)}`)

  /** Records that a file could not be read although it exists. Returns how often that happened since the last part. */
  const noteUnread = (archive: Archive, position: number) =>
    sql<{ readonly count: number }>`
      UPDATE ${t.archive_entries} e SET unread = e.unread + 1
      WHERE e.position = ${position}::int AND e.archive_id IN (SELECT id FROM ${t.archives} WHERE ${asKnown(archive)})
      RETURNING e.unread AS count
    `.pipe(Effect.map((rows) => rows[0]?.count ?? 0), Effect.orDie)

  const dropParts = (archive: Archive, after: number) =>
    sql`
      DELETE FROM ${t.archive_parts} WHERE part_number > ${after}::int
        AND archive_id IN (SELECT id FROM ${t.archives} WHERE id = ${archive.id} AND account_id = ${archive.accountId})
    `.pipe(Effect.orDie)

  /**
   * Notes entries that are finished with the next part, before that is said to be stored: they are many where files are
   * small. If that is never said, they are finished again and noted in the same way.
   */
  const noteFinished = (archive: Archive, finished: ReadonlyArray<FinishedEntry>) =>
    sql`
      UPDATE ${t.archive_entries} e SET crc = done.crc, unread = 0
      FROM unnest(
        ${Column.of(finished.map(({ position }) => position))}::text::int[],
        ${Column.of(finished.map(({ crc }) => crc))}::text::bigint[]
      ) AS done (position, crc)
      WHERE e.archive_id IN (SELECT id FROM ${t.archives} WHERE ${asKnown(archive)}) AND e.position = done.position
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Records that the next part is stored, and what is known with it; `current` is the entry that it ends in. */
  const advance = Effect.fnUntraced(
    function*(archive: Archive, part: {
      readonly etag: string
      readonly crc: number
      readonly receivedBytes: number
      readonly current: number | undefined
    }, now: DateTime.Utc) {
      const partNumber = archive.partsDone + 1
      const set = sql`
        parts_done = ${partNumber}::int, received_bytes = ${part.receivedBytes}::bigint, progress_time = ${date(now)}
      `
      if (!(yield* update(archive, set))) return false
      yield* sql`
        INSERT INTO ${t.archive_parts} (archive_id, part_number, etag, crc)
        VALUES (${archive.id}, ${partNumber}::int, ${part.etag}, ${part.crc}::bigint)
      `
      if (part.current !== undefined) {
        yield* sql`
          UPDATE ${t.archive_entries} SET unread = 0
          WHERE archive_id = ${archive.id} AND position = ${part.current}::int AND unread > 0
        `
      }
      return true
    },
    Effect.orDie
  )

  /** Goes back to the end of part `partsDone`. */
  const rewind = Effect.fnUntraced(function*(archive: Archive, partsDone: number, receivedBytes: number) {
    const set = sql`parts_done = ${partsDone}::int, received_bytes = ${receivedBytes}::bigint`
    if (yield* update(archive, set)) yield* dropParts(archive, partsDone)
  })

  /** Leaves files out, which makes the archive smaller and goes back to the end of part `partsDone`. */
  const leaveOut = Effect.fnUntraced(
    function*(
      archive: Archive,
      lost: ReadonlyArray<LostEntry>,
      left: Pick<Archive, "fileCount" | "bytes" | "partsDone" | "receivedBytes">
    ) {
      const set = sql`
        file_count = ${left.fileCount}::int, bytes = ${left.bytes}::bigint, parts_done = ${left.partsDone}::int,
        received_bytes = ${left.receivedBytes}::bigint
      `
      if (!(yield* update(archive, set))) return false
      yield* dropParts(archive, left.partsDone)
      yield* sql`
        UPDATE ${t.archive_entries} e SET skipped = lost.reason
        FROM unnest(
          ${Column.of(lost.map(({ position }) => position))}::text::int[],
          ${Column.of(lost.map(({ reason }) => reason))}::text::text[]
        ) AS lost (position, reason)
        WHERE e.archive_id = ${archive.id} AND e.position = lost.position
      `
      return true
    },
    Effect.orDie
  )

  /** Makes the archive begin again under a fresh key. */
  const restart = Effect.fnUntraced(function*(archive: Archive, storeKey: string) {
    const set = sql`
      store_key = ${storeKey}, storage_id = '', is_opening = FALSE, parts_done = 0, received_bytes = 0
    `
    const begun = yield* update(archive, set)
    if (begun) yield* dropParts(archive, 0)
    return begun
  })

  /** The position of the archive's last entry, one that is left out too; -1 when it has none. */
  const lastPosition = (archive: Archive) =>
    sql<{ readonly last: number | null }>`
      SELECT (SELECT max(e.position) FROM ${t.archive_entries} e WHERE e.archive_id = a.id)::int AS last
      FROM ${t.archives} a WHERE a.id = ${archive.id} AND a.account_id = ${archive.accountId}
    `.pipe(Effect.map((rows) => rows[0]?.last ?? -1), Effect.orDie)

  /** What is to be in the archive from position `first` to `last`, in its order. A range, so that no plan reads all for a few. */
  const entries = (archive: Archive, first: number, last: number) =>
    sql<PlannedEntry>`
      SELECT e.position, octet_length(e.name) AS "nameBytes", e.size::float8 AS "sizeBytes", e.crc::float8 AS crc
      FROM ${t.archive_entries} e JOIN ${t.archives} a ON a.id = e.archive_id
      WHERE a.id = ${archive.id} AND a.account_id = ${archive.accountId} AND e.skipped IS NULL
        AND e.position BETWEEN ${first}::int AND ${last}::int
      ORDER BY e.position
    `.pipe(Effect.orDie)

  /** Why an entry's file can no longer be read. Of somebody else's file in trash, only that it can't be seen. */
  const reason = ({ accountId }: Archive) =>
    sql`CASE
      WHEN f.id IS NULL OR f.size <> e.size THEN 'not_found'
      WHEN f.account_id = ${accountId} THEN CASE WHEN f.trash_time IS NULL THEN NULL ELSE 'trashed' END
      WHEN f.trash_time IS NOT NULL OR NOT ${
      StoredFileSql.seenByOther(database, sql`${accountId}::uuid`)
    } THEN 'not_found'
    END`

  const between = (archive: Archive, first: number, last: number) =>
    sql`
      ${t.archive_entries} e JOIN ${t.archives} a ON a.id = e.archive_id LEFT JOIN ${t.files} f ON f.id = e.file_id
      WHERE a.id = ${archive.id} AND a.account_id = ${archive.accountId} AND e.skipped IS NULL
        AND e.position BETWEEN ${first}::int AND ${last}::int
    `

  /** Entries from position `first` to `last`, with where their files are now. */
  const entriesAt = (archive: Archive, first: number, last: number) =>
    sql<FoundRow>`
      SELECT e.position, e.name, e.size::float8 AS "sizeBytes", e.modified_time AS "modifiedTime",
        f.is_public AS "isPublic", f.store_key AS "storeKey", ${reason(archive)} AS reason
      FROM ${between(archive, first, last)} ORDER BY e.position
    `.pipe(
      Effect.map((rows) =>
        rows.map(({ isPublic, modifiedTime, name, position, reason, sizeBytes, storeKey }): StoredEntry => ({
          position,
          name: encoder.encode(name),
          sizeBytes,
          modifiedSeconds: Math.floor(modifiedTime.getTime() / 1000),
          at: { bucket: isPublic === true ? "public" : "private", key: storeKey ?? "" },
          reason
        }))
      ),
      Effect.orDie
    )

  /** Those of these entries whose files can no longer be read. */
  const lost = (archive: Archive, first: number, last: number) =>
    sql<LostEntry>`
      SELECT * FROM (SELECT e.position, ${reason(archive)} AS reason FROM ${between(archive, first, last)}) found
      WHERE reason IS NOT NULL ORDER BY position
    `.pipe(Effect.orDie)

  /** The parts that are stored, in order. */
  const parts = (archive: Archive) =>
    sql<{ readonly partNumber: number; readonly etag: string; readonly crc: number }>`
      SELECT p.part_number AS "partNumber", p.etag, p.crc::float8 AS crc
      FROM ${t.archive_parts} p JOIN ${t.archives} a ON a.id = p.archive_id
      WHERE a.id = ${archive.id} AND a.account_id = ${archive.accountId} ORDER BY p.part_number
    `.pipe(Effect.orDie)

  /** The CRC that part `partNumber` ended with; 0 before the first. */
  const crcAt = (archive: Archive, partNumber: number) =>
    sql<{ readonly crc: number }>`
      SELECT p.crc::float8 AS crc FROM ${t.archive_parts} p JOIN ${t.archives} a ON a.id = p.archive_id
      WHERE a.id = ${archive.id} AND a.account_id = ${archive.accountId} AND p.part_number = ${partNumber}::int
    `.pipe(Effect.map((rows) => rows[0]?.crc ?? 0), Effect.orDie)

  /** The parts of an archive that has ended. */
  const forget = (archive: Archive) => Effect.asVoid(dropParts(archive, 0))

  return {
    setOpening,
    setStorageId,
    setReceived,
    noteUnread,
    noteFinished,
    advance,
    rewind,
    leaveOut,
    restart,
    lastPosition,
    entries,
    entriesAt,
    lost,
    parts,
    crcAt,
    forget
  }
})

export class ArchiveBuildsRepo extends Context.Service<ArchiveBuildsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/archives/ArchiveBuildsRepo"
) {
  static readonly layer = Layer.effect(ArchiveBuildsRepo, make)
}
