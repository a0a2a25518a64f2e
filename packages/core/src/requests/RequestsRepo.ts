/** File requests in SQL. The only module that makes, changes and removes rows of `file_requests`; their counts of bytes are the drops'. */
import { Context, DateTime, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { FolderId, RequestId } from "../shared/Ids.ts"
import type { StoredRequest } from "./Request.ts"

interface Row extends Omit<StoredRequest, "folder" | "closeTime" | "expireTime"> {
  readonly folderId: FolderId | null
  readonly folderPath: string
  readonly closeTime: Date | null
  readonly expireTime: Date | null
}

const utc = (date: Date | null) => date && DateTime.fromDateUnsafe(date)

const stored = ({ closeTime, expireTime, folderId, folderPath, ...row }: Row): StoredRequest => ({
  ...row,
  folder: { id: folderId, path: folderPath },
  closeTime: utc(closeTime),
  expireTime: utc(expireTime)
})

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  /** What senders have open, as it is: a count of it would be one more thing to keep right. */
  const heldBytes = sql`(
    (SELECT coalesce(sum(f.size), 0) FROM ${t.upload_forms} f
      WHERE f.request_id = r.id AND f.account_id = r.account_id AND f.state = 'open')
    + (SELECT coalesce(sum(u.held), 0) FROM ${t.uploads} u
      WHERE u.request_id = r.id AND u.account_id = r.account_id AND u.state IN ('open', 'complete') AND u.file_id IS NULL)
  )::float8`

  const columns = sql`
    r.id, r.account_id AS "accountId", r.title, r.message, d.id AS "folderId",
    coalesce(d.path, r.folder_path) AS "folderPath", r.close_time AS "closeTime", r.expire_time AS "expireTime",
    r.max_bytes::float8 AS "maxBytes", r.received_bytes::float8 AS "receivedBytes", ${heldBytes} AS "heldBytes",
    r.password_hash AS "passwordHash", r.insert_time AS "insertTime"
  `

  const from = sql`
    ${t.file_requests} r LEFT JOIN ${t.folders} d ON d.id = r.folder_id AND d.account_id = r.account_id
  `

  /** The request whose link has this id, whoever's it is. */
  const findByLink = (id: RequestId) =>
    sql<Row>`SELECT ${columns} FROM ${from} WHERE r.id = ${id}`.pipe(
      Effect.map(([row]) => row === undefined ? null : stored(row)),
      Effect.orDie
    )

  const insert = (
    { accountId, expireTime, folder, foldedPath, id, insertTime, maxBytes, message, passwordHash, title }:
      & Omit<StoredRequest, "closeTime" | "receivedBytes" | "heldBytes">
      & { readonly foldedPath: string }
  ) =>
    sql`
      INSERT INTO ${t.file_requests} (
        id, account_id, title, message, folder_id, folder_path, folded_path, expire_time, max_bytes, password_hash, insert_time
      ) VALUES (
        ${id}, ${accountId}, ${title}, ${message}, ${folder.id}, ${folder.path}, ${foldedPath},
        ${expireTime && DateTime.toDateUtc(expireTime)}, ${maxBytes}, ${passwordHash}, ${insertTime}
      )
    `.pipe(Effect.asVoid, Effect.orDie)

  return { findByLink, insert }
})

export class RequestsRepo extends Context.Service<RequestsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/requests/RequestsRepo"
) {
  static readonly layer = Layer.effect(RequestsRepo, make)
}
