/**
 * Multipart uploads and their tokens in SQL. The only module that reads or
 * writes `uploads` and `upload_tokens`.
 */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { type Limits, permissions, unlimited } from "../accounts/CurrentAccount.ts"
import { isLive } from "../accounts/LiveCredential.ts"
import { byIds } from "../database/ByIds.ts"
import { Database } from "../database/Database.ts"
import type { LiveKeysQuery } from "../objects/LiveKeys.ts"
import { FileType } from "../shared/FileType.ts"
import { AccountId, type ApiTokenId, DropId, FileId, FolderId, RequestId, UploadId } from "../shared/Ids.ts"
import type { Upload } from "./Upload.ts"
import { isWithin, ofTokens } from "./UploadsSql.ts"

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
  heldBytes: Schema.Finite,
  lastPartTime: Schema.DateTimeUtcFromDate,
  partsMark: Schema.NullOr(Schema.String),
  fileId: Schema.NullOr(FileId),
  permissions: Schema.NullOr(Schema.Array(Schema.Literals(permissions))),
  folderId: Schema.NullOr(FolderId),
  deliveredTo: Schema.NullOr(Schema.Struct({ requestId: RequestId, dropId: DropId, clientKey: Schema.String })),
  isWithin: Schema.Boolean
})
const decode = Schema.decodeUnknownSync(Row)
const decodeFirst = (rows: ReadonlyArray<unknown>): Option.Option<Upload> =>
  rows.length === 0 ? Option.none() : Option.some(decode(rows[0]))

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database

  // As `f`, like files: so that what a call sees of files holds for uploads too.
  const columns = (limits: Limits) =>
    sql`
      f.id, f.account_id AS "accountId", f.object_key AS "objectKey", f.store_key AS "storeKey",
      f.storage_id AS "storageId", f.state, f.file_name AS "fileName", f.type, f.mime_type AS "mimeType",
      f.size::float8 AS "sizeBytes", f.held::float8 AS "heldBytes", f.last_part_time AS "lastPartTime", f.parts_mark AS "partsMark",
      f.file_id AS "fileId", f.permissions, f.folder_id AS "folderId",
      CASE WHEN f.request_id IS NOT NULL
        THEN json_build_object('requestId', f.request_id, 'dropId', f.drop_id, 'clientKey', f.client_key)
      END AS "deliveredTo", ${isWithin(database, limits)} AS "isWithin"
    `

  /** The uploads of these keys that are open, or complete and not a file yet; at most one for each. */
  const findCurrent = (accountId: AccountId, objectKeys: ReadonlyArray<string>, limits: Limits) =>
    sql`
      SELECT ${columns(limits)} FROM ${t.uploads} f
      WHERE f.account_id = ${accountId} AND f.object_key = ANY(${objectKeys}::text[])
        AND f.state IN ('open', 'complete') AND f.file_id IS NULL
    `.pipe(Effect.map((rows): ReadonlyArray<Upload> => rows.map((row) => decode(row))), Effect.orDie)

  /** How many of the account's own use storage and are not a file yet, without those of senders, and whether the calling token {@link isLive}. */
  const countCurrent = (accountId: AccountId, tokenId: ApiTokenId | null, now: DateTime.Utc) =>
    sql<{ readonly count: number; readonly isLive: boolean }>`
      SELECT count(*)::int AS count, ${isLive(database, accountId, tokenId, now)} AS "isLive" FROM ${t.uploads}
      WHERE account_id = ${accountId} AND state IN ('open', 'complete') AND file_id IS NULL AND request_id IS NULL
    `.pipe(Effect.map(([row]) => row!), Effect.orDie)

  /** The uploads that this token of the account opened, or with null any, and that use storage and are not a file yet. */
  const currentOfToken = (accountId: AccountId, tokenId: ApiTokenId | null) =>
    sql`
      SELECT ${columns(unlimited)} FROM ${t.uploads} f
      WHERE f.account_id = ${accountId} AND f.state IN ('open', 'complete') AND f.file_id IS NULL AND ${
      ofTokens(database, tokenId)
    }
    `.pipe(Effect.map((rows): ReadonlyArray<Upload> => rows.map((row) => decode(row))), Effect.orDie)

  const find = (accountId: AccountId, id: UploadId) =>
    sql`
      SELECT ${columns(unlimited)} FROM ${t.uploads} f WHERE f.account_id = ${accountId} AND f.id = ${id}
    `.pipe(Effect.map(decodeFirst), Effect.orDie)

  const findAll = (accountId: AccountId, ids: ReadonlyArray<UploadId>) =>
    sql`
      SELECT ${columns(unlimited)} FROM ${t.uploads} f
      WHERE ${byIds(database, "f", accountId, ids)} ORDER BY f.id
    `.pipe(Effect.map((rows): ReadonlyArray<Upload> => rows.map((row) => decode(row))), Effect.orDie)

  /** The upload a token was given for, while the token is valid and the call may continue it. */
  const findByToken = (accountId: AccountId, limits: Limits, tokenHash: Uint8Array, now: DateTime.Utc) =>
    sql`
      SELECT ${columns(limits)} FROM ${t.upload_tokens} k JOIN ${t.uploads} f ON f.id = k.upload_id
      WHERE k.token_hash = ${tokenHash} AND k.expire_time > ${DateTime.toDateUtc(now)} AND f.account_id = ${accountId}
        AND ${isWithin(database, limits)}
    `.pipe(Effect.map(decodeFirst), Effect.orDie)

  const insert = (
    upload: Omit<Upload, "state" | "partsMark" | "fileId" | "isWithin">,
    tokenId: ApiTokenId | null
  ) => {
    const now = DateTime.toDateUtc(upload.lastPartTime)
    return sql`
      INSERT INTO ${t.uploads} (id, account_id, object_key, store_key, storage_id, state, file_name, type, mime_type,
        size, held, insert_time, last_part_time, permissions, folder_id, request_id, drop_id, client_key, api_token_id)
      VALUES (${upload.id}, ${upload.accountId}, ${upload.objectKey}, ${upload.storeKey}, ${upload.storageId}, 'open',
        ${upload.fileName}, ${upload.type}, ${upload.mimeType}, ${upload.sizeBytes}::bigint, ${upload.heldBytes}::bigint,
        ${now}, ${now}, ${upload.permissions}::text[], ${upload.folderId}::uuid, ${
      upload.deliveredTo?.requestId ?? null
    }::uuid,
        ${upload.deliveredTo?.dropId ?? null}::uuid, ${upload.deliveredTo?.clientKey ?? null}::text, ${tokenId}::uuid)
    `.pipe(Effect.asVoid, Effect.orDie)
  }

  const insertToken = (uploadId: UploadId, tokenHash: Uint8Array, expireTime: DateTime.Utc) =>
    sql`
      INSERT INTO ${t.upload_tokens} (token_hash, upload_id, expire_time)
      VALUES (${tokenHash}, ${uploadId}, ${DateTime.toDateUtc(expireTime)})
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Records a resuming caller's description of the file, and the bytes reserved then. */
  const redescribe = (
    { accountId, id }: Upload,
    file: Pick<Upload, "fileName" | "type" | "mimeType" | "sizeBytes" | "heldBytes">
  ) =>
    sql`
      UPDATE ${t.uploads}
      SET file_name = ${file.fileName}, type = ${file.type}, mime_type = ${file.mimeType}, size = ${file.sizeBytes}::bigint,
        held = ${file.heldBytes}::bigint
      WHERE account_id = ${accountId} AND id = ${id}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Ends an upload; the row stays until its tokens have lapsed, so that a repeated call is still understood. */
  const end = (
    { accountId, id }: Upload,
    { heldBytes, state }: { readonly state: "complete" | "gone"; readonly heldBytes: number },
    now: DateTime.Utc
  ) =>
    sql`
      UPDATE ${t.uploads} SET state = ${state}, held = ${heldBytes}::bigint, end_time = ${DateTime.toDateUtc(now)}
      WHERE account_id = ${accountId} AND id = ${id}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** {@link end} for uploads that are gone, which reserve nothing. */
  const endAll = (accountId: AccountId, ids: ReadonlyArray<UploadId>, now: DateTime.Utc) =>
    sql`
      UPDATE ${t.uploads} SET state = 'gone', held = 0, end_time = ${DateTime.toDateUtc(now)}
      WHERE account_id = ${accountId} AND id = ANY(${ids}::uuid[])
    `.pipe(Effect.asVoid, Effect.orDie)

  /** The file now accounts for the bytes. */
  const setFile = ({ accountId, id }: Upload, fileId: FileId) =>
    sql`
      UPDATE ${t.uploads} SET file_id = ${fileId}, held = 0 WHERE account_id = ${accountId} AND id = ${id}
    `.pipe(Effect.asVoid, Effect.orDie)

  const setLastPart = ({ accountId, id }: Upload, lastPartTime: DateTime.Utc, partsMark: string) =>
    sql`
      UPDATE ${t.uploads} SET last_part_time = ${DateTime.toDateUtc(lastPartTime)}, parts_mark = ${partsMark}
      WHERE account_id = ${accountId} AND id = ${id}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Open uploads that had no part since `before`, as far as the row knows; from the longest idle. */
  const idleSince = (before: DateTime.Utc, limit: number) =>
    sql`
      SELECT ${columns(unlimited)} FROM ${t.uploads} f
      WHERE f.state = 'open' AND f.last_part_time <= ${DateTime.toDateUtc(before)}
      ORDER BY f.last_part_time LIMIT ${limit}::int
    `.pipe(Effect.map((rows) => rows.map((row): Upload => decode(row))), Effect.orDie)

  /** Uploads complete since before `before` that never became a file. */
  const unclaimedSince = (before: DateTime.Utc, limit: number) =>
    sql`
      SELECT ${columns(unlimited)} FROM ${t.uploads} f
      WHERE f.state = 'complete' AND f.file_id IS NULL AND f.end_time <= ${DateTime.toDateUtc(before)}
      ORDER BY f.end_time LIMIT ${limit}::int
    `.pipe(Effect.map((rows) => rows.map((row): Upload => decode(row))), Effect.orDie)

  /** Deletes uploads that ended before `before`, with their tokens. */
  const forgetEnded = (before: DateTime.Utc) =>
    sql`
      DELETE FROM ${t.uploads}
      WHERE end_time <= ${DateTime.toDateUtc(before)} AND (state = 'gone' OR file_id IS NOT NULL)
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Those of `storeKeys` that an upload still needs. */
  const liveKeys: LiveKeysQuery = (_, storeKeys) =>
    sql`SELECT store_key AS key FROM ${t.uploads} WHERE store_key = ANY(${storeKeys}::text[]) AND state <> 'gone'`

  return {
    findCurrent,
    countCurrent,
    currentOfToken,
    find,
    findAll,
    findByToken,
    insert,
    insertToken,
    redescribe,
    end,
    endAll,
    setFile,
    setLastPart,
    idleSince,
    unclaimedSince,
    forgetEnded,
    liveKeys
  }
})

export class UploadsRepo extends Context.Service<UploadsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/uploads/UploadsRepo"
) {
  static readonly layer = Layer.effect(UploadsRepo, make)
}
