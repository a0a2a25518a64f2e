/** What senders do, in SQL: `drops` and `drop_files`, and of `file_requests` the bytes received and the folder that was made again. */
import { Context, DateTime, Effect, Layer } from "effect"
import * as Column from "../database/Column.ts"
import { Database } from "../database/Database.ts"
import type { DroppedFile } from "../events/DriveEvent.ts"
import type { AccountId, DropId, FileId, FolderId, RequestId } from "../shared/Ids.ts"
import type { Delivered, DeliveryIds } from "../uploads/Delivery.ts"
import type { Drop, RemovedFile, SentFile } from "./Drop.ts"
import type { CountedDrop, RequestOfDrop } from "./DropState.ts"

interface DropRow extends Omit<Drop, "activeTime" | "expireTime" | "finishTime"> {
  readonly activeTime: Date
  readonly expireTime: Date
  readonly finishTime: Date | null
}

interface RequestOfDrops {
  readonly request: RequestOfDrop
  readonly drops: ReadonlyArray<CountedDrop>
  readonly folder: { readonly id: FolderId | null; readonly path: string }
}

interface RequestRow {
  readonly isThere: boolean
  readonly closeTime: Date | null
  readonly requestExpireTime: Date | null
  readonly maxBytes: number | null
  readonly receivedBytes: number
}

const utc = (date: Date | null) => date && DateTime.fromDateUnsafe(date)

const dropOf = (
  { accountId, activeTime, expireTime, fileCount, finishTime, id, note, requestId, senderName }: DropRow
) => ({
  id,
  accountId,
  requestId,
  senderName,
  note,
  fileCount,
  activeTime: DateTime.fromDateUnsafe(activeTime),
  expireTime: DateTime.fromDateUnsafe(expireTime),
  finishTime: utc(finishTime)
})

const requestOf = ({ closeTime, isThere, maxBytes, receivedBytes, requestExpireTime }: RequestRow): RequestOfDrop =>
  isThere
    ? { closeTime: utc(closeTime), expireTime: utc(requestExpireTime), maxBytes, receivedBytes }
    : null

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  const columns = sql.literal(`
    p.id, p.account_id AS "accountId", p.request_id AS "requestId", p.sender_name AS "senderName", p.note,
    p.file_count AS "fileCount", p.active_time AS "activeTime", p.expire_time AS "expireTime", p.finish_time AS "finishTime"
  `)
  const requestColumns = sql.literal(`
    r.id IS NOT NULL AS "isThere", r.close_time AS "closeTime", r.expire_time AS "requestExpireTime",
    r.max_bytes::float8 AS "maxBytes", r.received_bytes::float8 AS "receivedBytes"
  `)

  /**
   * The drop of a token that has not expired, its request, and the file that it has by this key. The token is the secret, so
   * the row is found by it alone.
   */
  const findByToken = (tokenHash: Uint8Array, clientKey: string | null, now: DateTime.Utc) =>
    sql<
      DropRow & RequestRow & {
        readonly sentId: FileId | null
        readonly sentName: string
        readonly sentBytes: number
      }
    >`
      SELECT ${columns}, ${requestColumns}, s.file_id AS "sentId", s.file_name AS "sentName", s.size::float8 AS "sentBytes"
      FROM ${t.drops} p
      LEFT JOIN ${t.file_requests} r ON r.id = p.request_id AND r.account_id = p.account_id
      LEFT JOIN ${t.drop_files} s ON s.drop_id = p.id AND s.client_key = ${clientKey}
      WHERE p.token_hash = ${tokenHash} AND p.expire_time > ${DateTime.toDateUtc(now)}
    `.pipe(
      Effect.map(([row]) =>
        row === undefined ? undefined : {
          drop: dropOf(row) satisfies Drop,
          request: requestOf(row),
          sent: row.sentId === null || clientKey === null
            ? null
            : { id: row.sentId, clientKey, fileName: row.sentName, sizeBytes: row.sentBytes } satisfies SentFile
        }
      ),
      Effect.orDie
    )

  /**
   * The request, those of the drops that are its own, and where its files go: `folderId` is null when that folder is gone, and for the
   * top of the drive.
   */
  const state = (accountId: AccountId, requestId: RequestId, dropIds: ReadonlyArray<DropId>) =>
    sql<DropRow & RequestRow & { readonly folderId: FolderId | null; readonly folderPath: string | null }>`
      SELECT ${columns}, ${requestColumns}, d.id AS "folderId", r.folder_path AS "folderPath" FROM ${t.drops} p
      LEFT JOIN ${t.file_requests} r ON r.id = p.request_id AND r.account_id = p.account_id
      LEFT JOIN ${t.folders} d ON d.id = r.folder_id AND d.account_id = r.account_id
      WHERE p.account_id = ${accountId} AND p.request_id = ${requestId} AND p.id = ANY(${dropIds}::uuid[])
    `.pipe(
      Effect.map((rows): RequestOfDrops => {
        const [first] = rows
        return {
          request: first === undefined ? null : requestOf(first),
          drops: rows.map(dropOf),
          folder: { id: first?.folderId ?? null, path: first?.folderPath ?? "/" }
        }
      }),
      Effect.orDie
    )

  /** The drops under way that were started from the address of one of these: by drop, what those of one address have in common. */
  const networks = (accountId: AccountId, requestId: RequestId, dropIds: ReadonlyArray<DropId>) =>
    sql<{ readonly id: DropId; readonly network: string }>`
      SELECT id, encode(network_hash, 'hex') AS network FROM ${t.drops}
      WHERE account_id = ${accountId} AND request_id = ${requestId} AND finish_time IS NULL AND network_hash IN (
        SELECT p.network_hash FROM ${t.drops} p
        WHERE p.account_id = ${accountId} AND p.request_id = ${requestId} AND p.id = ANY(${dropIds}::uuid[])
      )
    `.pipe(
      Effect.map((rows): ReadonlyMap<DropId, string> => new Map(rows.map(({ id, network }) => [id, network]))),
      Effect.orDie
    )

  const insert = (
    drop: Omit<Drop, "fileCount" | "finishTime">,
    { networkHash, tokenHash }: { readonly networkHash: Uint8Array | null; readonly tokenHash: Uint8Array }
  ) =>
    sql`
      INSERT INTO ${t.drops} (id, account_id, request_id, token_hash, network_hash, sender_name, note, insert_time, active_time, expire_time)
      VALUES (${drop.id}, ${drop.accountId}, ${drop.requestId}, ${tokenHash}, ${networkHash}, ${drop.senderName}, ${drop.note},
        ${DateTime.toDateUtc(drop.activeTime)}, ${DateTime.toDateUtc(drop.activeTime)}, ${
      DateTime.toDateUtc(drop.expireTime)
    })
    `.pipe(Effect.asVoid, Effect.orDie)

  /** The drops of a request that are under way, and those of them from an address. */
  const countUnderWay = (accountId: AccountId, requestId: RequestId, networkHash: Uint8Array | null) =>
    sql<{ readonly all: number; readonly fromAddress: number }>`
      SELECT count(*)::int AS "all", count(*) FILTER (WHERE network_hash = ${networkHash})::int AS "fromAddress" FROM ${t.drops}
      WHERE account_id = ${accountId} AND request_id = ${requestId} AND finish_time IS NULL
    `.pipe(Effect.map(([row]) => row ?? { all: 0, fromAddress: 0 }), Effect.orDie)

  /**
   * Deletes the drop of a request, or of those from an address, that is idle for longest among those that have no file and nothing open.
   * False when there is none.
   */
  const deleteIdlest = (accountId: AccountId, requestId: RequestId, networkHash: Uint8Array | null) =>
    sql`
      DELETE FROM ${t.drops} WHERE account_id = ${accountId} AND id = (
        SELECT p.id FROM ${t.drops} p
        WHERE p.account_id = ${accountId} AND p.request_id = ${requestId} AND p.finish_time IS NULL AND p.file_count = 0
          AND (${networkHash}::bytea IS NULL OR p.network_hash = ${networkHash}::bytea)
          AND NOT EXISTS (SELECT 1 FROM ${t.upload_forms} f WHERE f.request_id = p.request_id AND f.drop_id = p.id AND f.state = 'open')
          AND NOT EXISTS (
            SELECT 1 FROM ${t.uploads} u WHERE u.request_id = p.request_id AND u.drop_id = p.id
              AND u.state IN ('open', 'complete') AND u.file_id IS NULL
          )
        ORDER BY p.active_time LIMIT 1
      ) RETURNING id
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** The folder of a request that was made again. */
  const setFolder = (accountId: AccountId, requestId: RequestId, folderId: FolderId) =>
    sql`
      UPDATE ${t.file_requests} SET folder_id = ${folderId} WHERE account_id = ${accountId} AND id = ${requestId}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Notes files that were recorded, of drops of one request. */
  const addFiles = (
    accountId: AccountId,
    requestId: RequestId,
    files: ReadonlyArray<Delivered>,
    now: Date
  ) =>
    sql`
      WITH sent AS MATERIALIZED (
        SELECT * FROM unnest(
          ${Column.of(files.map(({ ids }) => ids.dropId))}::text::uuid[],
          ${Column.of(files.map(({ ids }) => ids.clientKey))}::text::text[],
          ${Column.of(files.map(({ fileId }) => fileId))}::text::uuid[],
          ${Column.of(files.map(({ fileName }) => fileName))}::text::text[],
          ${Column.of(files.map(({ sizeBytes }) => sizeBytes))}::text::bigint[]
        ) s (drop_id, client_key, file_id, file_name, size)
      ), listed AS (
        INSERT INTO ${t.drop_files} (drop_id, client_key, account_id, file_id, file_name, size, insert_time)
        SELECT s.drop_id, s.client_key, ${accountId}::uuid, s.file_id, s.file_name, s.size, ${now}::timestamptz FROM sent s
      ), counted AS (
        UPDATE ${t.drops} p SET file_count = p.file_count + n.count,
          folder_id = (SELECT f.folder_id FROM ${t.files} f WHERE f.id = n.file_id AND f.account_id = p.account_id),
          active_time = GREATEST(p.active_time, ${now}::timestamptz)
        FROM (
          SELECT s.drop_id, count(*)::int AS count, (array_agg(s.file_id))[1] AS file_id FROM sent s GROUP BY s.drop_id
        ) n
        WHERE p.id = n.drop_id AND p.account_id = ${accountId}
      )
      UPDATE ${t.file_requests} SET received_bytes = received_bytes + (SELECT sum(s.size) FROM sent s)
      WHERE account_id = ${accountId} AND id = ${requestId}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Takes a file out of a drop that is not finished, and makes room for another. False when it has none of this id. */
  const takeOut = ({ accountId, id, requestId }: Pick<Drop, "accountId" | "id" | "requestId">, fileId: FileId) =>
    sql<{ readonly removed: number }>`
      WITH removed AS (
        UPDATE ${t.drop_files} s SET is_removed = true FROM ${t.drops} p
        WHERE s.drop_id = ${id} AND s.file_id = ${fileId} AND s.account_id = ${accountId} AND NOT s.is_removed
          AND p.id = s.drop_id AND p.finish_time IS NULL
        RETURNING s.size
      ), counted AS (
        UPDATE ${t.drops} SET file_count = file_count - (SELECT count(*)::int FROM removed)
        WHERE id = ${id} AND account_id = ${accountId} AND EXISTS (SELECT 1 FROM removed)
      ), returned AS (
        UPDATE ${t.file_requests} SET received_bytes = received_bytes - (SELECT sum(size) FROM removed)
        WHERE id = ${requestId} AND account_id = ${accountId} AND EXISTS (SELECT 1 FROM removed)
      )
      SELECT count(*)::int AS removed FROM removed
    `.pipe(Effect.map(([row]) => (row?.removed ?? 0) > 0), Effect.orDie)

  /** Whether a file that was taken out may still be there, and whether its drop is finished. */
  const removal = ({ accountId, dropId, fileId }: RemovedFile) =>
    sql<{ readonly isLeft: boolean; readonly finishTime: Date | null }>`
      SELECT p.finish_time AS "finishTime", EXISTS (
        SELECT 1 FROM ${t.drop_files} s
        WHERE s.drop_id = p.id AND s.file_id = ${fileId} AND s.account_id = p.account_id AND s.is_removed
      ) AS "isLeft"
      FROM ${t.drops} p WHERE p.id = ${dropId} AND p.account_id = ${accountId}
    `.pipe(
      Effect.map(([row]) => row && { isLeft: row.isLeft, finishTime: utc(row.finishTime) }),
      Effect.orDie
    )

  const forgetRemoved = ({ accountId, dropId, fileId }: RemovedFile) =>
    sql`
      DELETE FROM ${t.drop_files}
      WHERE drop_id = ${dropId} AND file_id = ${fileId} AND account_id = ${accountId} AND is_removed
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Files of any account that were taken back and may still be there. */
  const removed = (limit: number) =>
    sql<RemovedFile>`
      SELECT account_id AS "accountId", drop_id AS "dropId", file_id AS "fileId" FROM ${t.drop_files}
      WHERE is_removed ORDER BY drop_id LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  /** Those of the keys by which their drops have files. */
  const sentKeys = (accountId: AccountId, ids: ReadonlyArray<DeliveryIds>) =>
    sql<Pick<DeliveryIds, "dropId" | "clientKey">>`
      SELECT s.drop_id AS "dropId", s.client_key AS "clientKey"
      FROM unnest(
        ${Column.of(ids.map(({ dropId }) => dropId))}::text::uuid[],
        ${Column.of(ids.map(({ clientKey }) => clientKey))}::text::text[]
      ) k (drop_id, client_key)
      JOIN ${t.drop_files} s ON s.drop_id = k.drop_id AND s.client_key = k.client_key AND s.account_id = ${accountId}
    `.pipe(Effect.orDie)

  /** What the sender sent, in that order. */
  const sentFiles = ({ accountId, id }: Pick<Drop, "accountId" | "id">) =>
    sql<SentFile>`
      SELECT s.file_id AS id, s.client_key AS "clientKey", s.file_name AS "fileName", s.size::float8 AS "sizeBytes"
      FROM ${t.drop_files} s WHERE s.drop_id = ${id} AND s.account_id = ${accountId} AND NOT s.is_removed
      ORDER BY s.insert_time, s.client_key
    `.pipe(Effect.orDie)

  /** Those of a drop's files that are still in the drive and not in trash, in the order sent, as they are now. */
  const presentFiles = ({ accountId, id }: Pick<Drop, "accountId" | "id">) =>
    sql<DroppedFile>`
      SELECT f.id, f.type, f.file_name AS "fileName", f.size::float8 AS "fileSize", f.mime_type AS "mimeType"
      FROM ${t.drop_files} s JOIN ${t.files} f ON f.id = s.file_id AND f.account_id = s.account_id
      WHERE s.drop_id = ${id} AND s.account_id = ${accountId} AND NOT s.is_removed AND f.trash_time IS NULL
      ORDER BY s.insert_time, s.client_key
    `.pipe(Effect.orDie)

  /** Ends a drop that is under way; nothing when it is finished. */
  const finish = (accountId: AccountId, id: DropId, now: DateTime.Utc) =>
    sql<{ readonly folderId: FolderId | null; readonly title: string }>`
      UPDATE ${t.drops} p SET finish_time = ${DateTime.toDateUtc(now)}
      WHERE p.id = ${id} AND p.account_id = ${accountId} AND p.finish_time IS NULL
      RETURNING p.folder_id AS "folderId", coalesce(
        (SELECT r.title FROM ${t.file_requests} r WHERE r.id = p.request_id AND r.account_id = p.account_id), p.former_title, ''
      ) AS title
    `.pipe(Effect.map(([row]) => row), Effect.orDie)

  const setActive = (accountId: AccountId, id: DropId, time: DateTime.Utc) =>
    sql`
      UPDATE ${t.drops} SET active_time = GREATEST(active_time, ${DateTime.toDateUtc(time)})
      WHERE id = ${id} AND account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Keeps the title of a request that is being deleted for the events of its drops. */
  const keepTitle = (accountId: AccountId, requestId: RequestId, title: string) =>
    sql`
      UPDATE ${t.drops} SET former_title = ${title} WHERE account_id = ${accountId} AND request_id = ${requestId}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Drops of any account that are under way and were last active before `before`, from the longest idle. */
  const idleSince = (before: DateTime.Utc, limit: number) =>
    sql<DropRow>`
      SELECT ${columns} FROM ${t.drops} p WHERE p.finish_time IS NULL AND p.active_time <= ${DateTime.toDateUtc(before)}
      ORDER BY p.active_time LIMIT ${limit}::int
    `.pipe(Effect.map((rows): ReadonlyArray<Drop> => rows.map(dropOf)), Effect.orDie)

  /** Deletes some drops whose token has expired, and that nobody lists: they have no file, or their request is gone. */
  const forgetExpired = (now: DateTime.Utc, limit: number) =>
    sql`
      DELETE FROM ${t.drops} WHERE id IN (
        SELECT id FROM ${t.drops}
        WHERE (file_count = 0 OR former_title IS NOT NULL) AND finish_time IS NOT NULL AND expire_time <= ${
      DateTime.toDateUtc(now)
    }
        ORDER BY expire_time LIMIT ${limit}::int
      ) RETURNING id
    `.pipe(Effect.map((rows) => rows.length), Effect.orDie)

  /** The request, for its job. */
  const request = (accountId: AccountId, requestId: RequestId) =>
    sql<RequestRow>`
      SELECT ${requestColumns} FROM ${t.file_requests} r WHERE r.account_id = ${accountId} AND r.id = ${requestId}
    `.pipe(Effect.map(([row]) => row === undefined ? null : requestOf(row)), Effect.orDie)

  return {
    findByToken,
    state,
    networks,
    insert,
    countUnderWay,
    deleteIdlest,
    setFolder,
    addFiles,
    takeOut,
    removal,
    sentKeys,
    forgetRemoved,
    removed,
    sentFiles,
    presentFiles,
    finish,
    setActive,
    keepTitle,
    idleSince,
    forgetExpired,
    request
  }
})

export class DropsRepo extends Context.Service<DropsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/requests/DropsRepo"
) {
  static readonly layer = Layer.effect(DropsRepo, make)
}
