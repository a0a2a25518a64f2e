/**
 * File requests in SQL, as their owners make and change them. What senders change of them (bytes received, a folder made again) is in
 * {@link "./DropsRepo.ts"}.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import type { AccountId, DropId, FolderId, RequestId } from "../shared/Ids.ts"
import type { ListedItem } from "../shared/NewestFirst.ts"
import type { ChangedRequest, NewStoredRequest, StoredRequest } from "./Request.ts"

interface Row extends Omit<StoredRequest, "folder" | "closeTime" | "expireTime"> {
  readonly folderId: FolderId | null
  readonly folderPath: string
  readonly closeTime: Date | null
  readonly expireTime: Date | null
}

const utc = (date: Date | null) => date && DateTime.fromDateUnsafe(date)
const dateOf = (time: DateTime.Utc | null) => time && DateTime.toDateUtc(time)

const stored = ({ closeTime, expireTime, folderId, folderPath, ...row }: Row): StoredRequest => ({
  ...row,
  folder: { id: folderId, path: folderPath },
  closeTime: utc(closeTime),
  expireTime: utc(expireTime)
})

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database

  const columns = sql.literal(`
    r.id, r.account_id AS "accountId", r.title, r.message, d.id AS "folderId",
    coalesce(d.path, r.folder_path) AS "folderPath", r.close_time AS "closeTime", r.expire_time AS "expireTime",
    r.max_bytes::float8 AS "maxBytes", r.received_bytes::float8 AS "receivedBytes", r.password_hash AS "passwordHash",
    r.insert_time AS "insertTime"
  `)

  /** Requests as `r`, with their folder, while it is there, as `d`. */
  const from = sql`
    ${t.file_requests} r LEFT JOIN ${t.folders} d ON d.id = r.folder_id AND d.account_id = r.account_id
  `

  /** Condition on requests that a call sees: all, or those whose files land in its folder or inside it. */
  const seen = ({ folderId }: Limits) =>
    folderId === null ? sql`TRUE` : sql`(
      ${StoredFileSql.isFolderWithin(database, "r", folderId)} OR d.id IS NULL AND EXISTS (
        SELECT 1 FROM ${t.folders} top WHERE top.id = ${folderId} AND top.account_id = r.account_id
          AND starts_with(r.folded_path, top.folded_path || '/')
      )
    )`

  /** Condition on requests that their files land in the folder of this folded path or inside it; also where it is deleted now. */
  const inPath = (foldedPath: string | null) =>
    foldedPath === null ?
      sql`TRUE` :
      sql`CASE WHEN d.id IS NOT NULL THEN ${
        StoredFileSql.isInsidePath(database, foldedPath)
      } ELSE r.folded_path = ${foldedPath}::text OR starts_with(r.folded_path, ${foldedPath}::text || '/') END`

  const rows = (select: Effect.Effect<ReadonlyArray<Row>, unknown>) =>
    Effect.orDie(Effect.map(select, (found): ReadonlyArray<StoredRequest> => found.map(stored)))

  /** The request whose link has this id, whoever's it is. */
  const findByLink = (id: RequestId) =>
    Effect.map(rows(sql<Row>`SELECT ${columns} FROM ${from} WHERE r.id = ${id}`), ([row]) => row ?? null)

  /** The account's request, when the call sees it. */
  const find = (accountId: AccountId, limits: Limits, id: RequestId) =>
    Effect.map(
      rows(sql<Row>`
        SELECT ${columns} FROM ${from} WHERE r.account_id = ${accountId} AND r.id = ${id} AND ${seen(limits)}
      `),
      ([row]) => row
    )

  /**
   * Those that a call sees, newest first; of `ids` only, only those with files that land inside the path, and only those after an item,
   * where these are given.
   */
  const list = (
    accountId: AccountId,
    limits: Limits,
    { after, foldedPath, ids, limit }: {
      readonly after: ListedItem | null
      readonly ids: ReadonlyArray<RequestId> | null
      readonly foldedPath: string | null
      readonly limit: number
    }
  ) =>
    rows(sql<Row>`
      SELECT ${columns} FROM ${from}
      WHERE r.account_id = ${accountId} AND ${ids === null ? sql`TRUE` : sql`r.id = ANY(${ids}::uuid[])`}
        AND ${seen(limits)} AND ${inPath(foldedPath)} AND ${
      after === null ? sql`TRUE` : sql`(r.insert_time, r.id) < (${after.insertTime}::timestamptz, ${after.id}::uuid)`
    }
      ORDER BY r.insert_time DESC, r.id DESC LIMIT ${limit}::int
    `)

  /** Whether the account has so many requests. Reads as many entries of an index, and no rows. */
  const hasAtLeast = (accountId: AccountId, count: number) =>
    sql`SELECT 1 FROM ${t.file_requests} WHERE account_id = ${accountId} OFFSET ${count - 1}::int LIMIT 1`.pipe(
      Effect.map((found) => found.length > 0),
      Effect.orDie
    )

  const insert = (
    { accountId, expireTime, folder, foldedPath, id, insertTime, maxBytes, message, passwordHash, title }:
      NewStoredRequest
  ) =>
    sql`
      INSERT INTO ${t.file_requests} (
        id, account_id, title, message, folder_id, folder_path, folded_path, expire_time, max_bytes, password_hash, insert_time
      ) VALUES (
        ${id}, ${accountId}, ${title}, ${message}, ${folder.id}, ${folder.path}, ${foldedPath}, ${dateOf(expireTime)},
        ${maxBytes}, ${passwordHash}, ${insertTime}
      )
    `.pipe(Effect.asVoid, Effect.orDie)

  const change = (
    accountId: AccountId,
    id: RequestId,
    { closeTime, expireTime, maxBytes, message, passwordHash, title }: ChangedRequest
  ) =>
    sql`
      UPDATE ${t.file_requests} SET title = ${title}, message = ${message}, close_time = ${dateOf(closeTime)},
        expire_time = ${dateOf(expireTime)}, max_bytes = ${maxBytes}, password_hash = ${passwordHash}
      WHERE account_id = ${accountId} AND id = ${id}
    `.pipe(Effect.asVoid, Effect.orDie)

  const remove = (accountId: AccountId, id: RequestId) =>
    sql`DELETE FROM ${t.file_requests} WHERE account_id = ${accountId} AND id = ${id}`.pipe(Effect.asVoid, Effect.orDie)

  /** Notes where folders were that are about to be deleted: there they are made again. */
  const folderRemoving = (accountId: AccountId, folderIds: ReadonlyArray<FolderId>) =>
    sql`
      UPDATE ${t.file_requests} AS r SET folder_id = NULL, folder_path = d.path, folded_path = d.folded_path
      FROM ${t.folders} d
      WHERE r.account_id = ${accountId} AND r.folder_id = ANY(${folderIds}::uuid[])
        AND d.id = r.folder_id AND d.account_id = r.account_id
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Those of the drops that were sent to requests which the call sees. */
  const dropsSeen = (accountId: AccountId, limits: Limits, ids: ReadonlyArray<DropId>) =>
    sql<{ readonly id: DropId }>`
      SELECT p.id FROM ${t.drops} p
      JOIN (${from}) ON r.id = p.request_id AND r.account_id = p.account_id
      WHERE p.account_id = ${accountId} AND p.id = ANY(${ids}::uuid[]) AND ${seen(limits)}
    `.pipe(Effect.map((found) => found.map(({ id }) => id)), Effect.orDie)

  return { findByLink, find, list, hasAtLeast, insert, change, remove, folderRemoving, dropsSeen }
})

export class RequestsRepo extends Context.Service<RequestsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/requests/RequestsRepo"
) {
  static readonly layer = Layer.effect(RequestsRepo, make)
}
