/**
 * Multipart uploads and their tokens in SQL. The only module that reads or
 * writes `uploads` and `upload_tokens`.
 */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { Database } from "../database/Database.ts"
import { FileType } from "../shared/FileType.ts"
import { AccountId, FileId, UploadId } from "../shared/Ids.ts"
import type { Upload } from "./Upload.ts"

const Row = Schema.Struct({
  id: UploadId,
  accountId: AccountId,
  objectKey: Schema.String,
  storeKey: Schema.String,
  storageId: Schema.String,
  state: Schema.Literals(["open", "complete", "gone"]),
  fileName: Schema.String,
  type: FileType,
  mimeType: Schema.String,
  sizeBytes: Schema.Finite,
  lastPartTime: Schema.DateTimeUtcFromDate,
  partsMark: Schema.NullOr(Schema.String),
  fileId: Schema.NullOr(FileId)
})
const decode = Schema.decodeUnknownSync(Row)
const decodeFirst = (rows: ReadonlyArray<unknown>): Option.Option<Upload> =>
  rows.length === 0 ? Option.none() : Option.some(decode(rows[0]))

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  const columns = sql.literal(`
    u.id, u.account_id AS "accountId", u.object_key AS "objectKey", u.store_key AS "storeKey",
    u.storage_id AS "storageId", u.state, u.file_name AS "fileName", u.type, u.mime_type AS "mimeType",
    u.size::float8 AS "sizeBytes", u.last_part_time AS "lastPartTime", u.parts_mark AS "partsMark",
    u.file_id AS "fileId"
  `)

  /** The upload of this key that is open, or complete and not a file yet. */
  const findCurrent = (accountId: AccountId, objectKey: string) =>
    sql`
      SELECT ${columns} FROM ${t.uploads} u
      WHERE u.account_id = ${accountId} AND u.object_key = ${objectKey}
        AND u.state IN ('open', 'complete') AND u.file_id IS NULL
    `.pipe(Effect.map(decodeFirst), Effect.orDie)

  const find = (accountId: AccountId, id: UploadId) =>
    sql`
      SELECT ${columns} FROM ${t.uploads} u WHERE u.account_id = ${accountId} AND u.id = ${id}
    `.pipe(Effect.map(decodeFirst), Effect.orDie)

  /** The upload a token was given for, while the token is good. */
  const findByToken = (accountId: AccountId, tokenHash: Uint8Array, now: DateTime.Utc) =>
    sql`
      SELECT ${columns} FROM ${t.upload_tokens} k JOIN ${t.uploads} u ON u.id = k.upload_id
      WHERE k.token_hash = ${tokenHash} AND k.expire_time > ${DateTime.toDateUtc(now)} AND u.account_id = ${accountId}
    `.pipe(Effect.map(decodeFirst), Effect.orDie)

  const insert = (upload: Omit<Upload, "state" | "partsMark" | "fileId">) => {
    const now = DateTime.toDateUtc(upload.lastPartTime)
    return sql`
      INSERT INTO ${t.uploads} (id, account_id, object_key, store_key, storage_id, state, file_name, type, mime_type,
        size, insert_time, last_part_time)
      VALUES (${upload.id}, ${upload.accountId}, ${upload.objectKey}, ${upload.storeKey}, ${upload.storageId}, 'open',
        ${upload.fileName}, ${upload.type}, ${upload.mimeType}, ${upload.sizeBytes}::bigint, ${now}, ${now})
    `.pipe(Effect.asVoid, Effect.orDie)
  }

  const insertToken = (uploadId: UploadId, tokenHash: Uint8Array, expireTime: DateTime.Utc) =>
    sql`
      INSERT INTO ${t.upload_tokens} (token_hash, upload_id, expire_time)
      VALUES (${tokenHash}, ${uploadId}, ${DateTime.toDateUtc(expireTime)})
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Takes over what a resuming caller says of the file now. */
  const redescribe = (
    { accountId, id }: Upload,
    file: Pick<Upload, "fileName" | "type" | "mimeType" | "sizeBytes">
  ) =>
    sql`
      UPDATE ${t.uploads}
      SET file_name = ${file.fileName}, type = ${file.type}, mime_type = ${file.mimeType}, size = ${file.sizeBytes}::bigint
      WHERE account_id = ${accountId} AND id = ${id}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Ends an upload; the row stays until its tokens have lapsed, so that a repeated call is still understood. */
  const end = ({ accountId, id }: Upload, state: "complete" | "gone", now: DateTime.Utc) =>
    sql`
      UPDATE ${t.uploads} SET state = ${state}, end_time = ${DateTime.toDateUtc(now)}
      WHERE account_id = ${accountId} AND id = ${id}
    `.pipe(Effect.asVoid, Effect.orDie)

  const setFile = ({ accountId, id }: Upload, fileId: FileId) =>
    sql`
      UPDATE ${t.uploads} SET file_id = ${fileId} WHERE account_id = ${accountId} AND id = ${id}
    `.pipe(Effect.asVoid, Effect.orDie)

  const setLastPart = ({ accountId, id }: Upload, lastPartTime: DateTime.Utc, partsMark: string) =>
    sql`
      UPDATE ${t.uploads} SET last_part_time = ${DateTime.toDateUtc(lastPartTime)}, parts_mark = ${partsMark}
      WHERE account_id = ${accountId} AND id = ${id}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Open uploads that had no part since `before`, as far as the row knows; from the longest idle. */
  const idleSince = (before: DateTime.Utc, limit: number) =>
    sql`
      SELECT ${columns} FROM ${t.uploads} u
      WHERE u.state = 'open' AND u.last_part_time <= ${DateTime.toDateUtc(before)}
      ORDER BY u.last_part_time LIMIT ${limit}::int
    `.pipe(Effect.map((rows) => rows.map((row): Upload => decode(row))), Effect.orDie)

  /** Uploads complete since before `before` that never became a file. */
  const unclaimedSince = (before: DateTime.Utc, limit: number) =>
    sql`
      SELECT ${columns} FROM ${t.uploads} u
      WHERE u.state = 'complete' AND u.file_id IS NULL AND u.end_time <= ${DateTime.toDateUtc(before)}
      ORDER BY u.end_time LIMIT ${limit}::int
    `.pipe(Effect.map((rows) => rows.map((row): Upload => decode(row))), Effect.orDie)

  /** Forgets uploads that ended before `before`, with their tokens. */
  const forgetEnded = (before: DateTime.Utc) =>
    sql`
      DELETE FROM ${t.uploads}
      WHERE end_time <= ${DateTime.toDateUtc(before)} AND (state = 'gone' OR file_id IS NOT NULL)
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Those of `storeKeys` that an upload still needs. */
  const known = (storeKeys: ReadonlyArray<string>) =>
    sql<{ readonly key: string }>`
      SELECT store_key AS key FROM ${t.uploads} WHERE store_key = ANY(${storeKeys}::text[]) AND state <> 'gone'
    `.pipe(Effect.map((rows) => new Set(rows.map((row) => row.key))), Effect.orDie)

  return {
    findCurrent,
    find,
    findByToken,
    insert,
    insertToken,
    redescribe,
    end,
    setFile,
    setLastPart,
    idleSince,
    unclaimedSince,
    forgetEnded,
    known
  }
})

export class UploadsRepo extends Context.Service<UploadsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/uploads/UploadsRepo"
) {
  static readonly layer = Layer.effect(UploadsRepo, make)
}
