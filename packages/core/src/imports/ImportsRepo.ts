/** Imports in SQL. The only module that reads or writes `imports`. */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { byIds } from "../database/ByIds.ts"
import { Database } from "../database/Database.ts"
import type { StoredFile } from "../files/StoredFile.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import type { LiveKeysQuery } from "../objects/LiveKeys.ts"
import { FileType } from "../shared/FileType.ts"
import { AccountId, FileId, FolderId, ImportId } from "../shared/Ids.ts"
import type { DetectedFile, Failure, Import, NewImport } from "./Import.ts"

const Row = Schema.Struct({
  id: ImportId,
  accountId: AccountId,
  url: Schema.String,
  // Checked when it was asked for.
  wantedName: Schema.NullOr(Schema.String.pipe(Schema.brand("FileName"))),
  folderId: Schema.NullOr(FolderId),
  description: Schema.NullOr(Schema.String.pipe(Schema.brand("Description"))),
  state: Schema.Literals(["working", "done", "failed"]),
  code: Schema.NullOr(Schema.String),
  error: Schema.NullOr(Schema.String),
  receivedBytes: Schema.Finite,
  totalBytes: Schema.NullOr(Schema.Finite),
  heldBytes: Schema.Finite,
  failures: Schema.Int,
  run: Schema.Int,
  storeKey: Schema.NullOr(Schema.String),
  storageId: Schema.NullOr(Schema.String),
  validator: Schema.NullOr(Schema.String),
  fileName: Schema.NullOr(Schema.String),
  type: Schema.NullOr(FileType),
  mimeType: Schema.NullOr(Schema.String),
  fileId: Schema.NullOr(FileId),
  insertTime: Schema.DateTimeUtcFromDate
})
const decodeRow = Schema.decodeUnknownSync(Row)

const decode = (row: unknown): Import => {
  const { fileName, mimeType, type, ...rest } = decodeRow(row)
  return {
    ...rest,
    found: fileName === null || type === null || mimeType === null ? null : { fileName, type, mimeType }
  }
}

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database
  const date = DateTime.toDateUtc
  // As `f`, like files: so that what a call sees of files holds for imports too.
  const columns = sql.literal(`
    f.id, f.account_id AS "accountId", f.url, f.wanted_name AS "wantedName", f.folder_id AS "folderId", f.description,
    f.state, f.code, f.error, f.received::float8 AS "receivedBytes", f.total::float8 AS "totalBytes",
    f.held::float8 AS "heldBytes", f.failures, f.run, f.store_key AS "storeKey", f.storage_id AS "storageId",
    f.validator, f.file_name AS "fileName", f.type, f.mime_type AS "mimeType", f.file_id AS "fileId",
    f.insert_time AS "insertTime"
  `)
  const first = (rows: ReadonlyArray<unknown>): Option.Option<Import> =>
    rows.length === 0 ? Option.none() : Option.some(decode(rows[0]))

  const insert = (one: NewImport) =>
    sql`
      INSERT INTO ${t.imports} (id, account_id, url, wanted_name, folder_id, description, state, insert_time)
      VALUES (${one.id}, ${one.accountId}, ${one.url}, ${one.wantedName}, ${one.folderId}, ${one.description}, 'working',
        ${date(one.insertTime)})
    `.pipe(Effect.asVoid, Effect.orDie)

  const countWorking = (accountId: AccountId) =>
    sql<{ readonly count: number }>`
      SELECT count(*)::int AS count FROM ${t.imports} WHERE account_id = ${accountId} AND state = 'working'
    `.pipe(Effect.map((rows) => rows[0]!.count), Effect.orDie)

  /** Begins a run of an import: earlier runs can no longer change it. None when it is not working. */
  const take = (accountId: AccountId, id: ImportId) =>
    sql`
      UPDATE ${t.imports} AS f SET run = run + 1
      WHERE f.account_id = ${accountId} AND f.id = ${id} AND f.state = 'working' RETURNING ${columns}
    `.pipe(Effect.map(first), Effect.orDie)

  /** The import, while it is working and this run is its latest. */
  const ofRun = ({ accountId, id, run }: Import) =>
    sql`
      SELECT ${columns} FROM ${t.imports} f
      WHERE f.account_id = ${accountId} AND f.id = ${id} AND f.state = 'working' AND f.run = ${run}::int
    `.pipe(Effect.map(first), Effect.orDie)

  /** Records what a run changes. */
  const save = (one: Import) =>
    sql`
      UPDATE ${t.imports} SET received = ${one.receivedBytes}::bigint, total = ${one.totalBytes}::bigint,
        held = ${one.heldBytes}::bigint, failures = ${one.failures}::int, store_key = ${one.storeKey},
        storage_id = ${one.storageId}, validator = ${one.validator}, file_name = ${one.found?.fileName ?? null},
        type = ${one.found?.type ?? null}, mime_type = ${one.found?.mimeType ?? null}
      WHERE account_id = ${one.accountId} AND id = ${one.id}
    `.pipe(Effect.asVoid, Effect.orDie)

  const finish = (one: Import, found: DetectedFile, fileId: FileId, sizeBytes: number, now: DateTime.Utc) =>
    sql`
      UPDATE ${t.imports} SET state = 'done', file_id = ${fileId}, received = ${sizeBytes}::bigint,
        total = ${sizeBytes}::bigint, held = 0, file_name = ${found.fileName}, type = ${found.type},
        mime_type = ${found.mimeType}, end_time = ${date(now)}
      WHERE account_id = ${one.accountId} AND id = ${one.id}
    `.pipe(Effect.asVoid, Effect.orDie)

  const fail = ({ accountId, id }: Import, failure: Failure, now: DateTime.Utc) =>
    sql`
      UPDATE ${t.imports} SET state = 'failed', code = ${failure.code}, error = ${failure.because}, held = 0,
        end_time = ${date(now)}
      WHERE account_id = ${accountId} AND id = ${id}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Those of the imports that are the account's and go to where a call with `limits` sees. */
  const select = (accountId: AccountId, limits: Limits, ids: ReadonlyArray<ImportId>) =>
    sql`
      SELECT ${columns} FROM ${t.imports} f
      WHERE ${byIds(database, "f", accountId, ids)} AND ${StoredFileSql.within(database, limits)}
    `.pipe(Effect.map((rows) => rows.map(decode)), Effect.orDie)

  /** The ids of those that a call sees, newest first. */
  const newest = (accountId: AccountId, limits: Limits, limit: number) =>
    sql<{ readonly id: ImportId }>`
      SELECT f.id FROM ${t.imports} f WHERE f.account_id = ${accountId} AND ${StoredFileSql.within(database, limits)}
      ORDER BY f.insert_time DESC, f.id DESC LIMIT ${limit}::int
    `.pipe(Effect.map((rows) => rows.map(({ id }) => id)), Effect.orDie)

  /** Those of the files that are still there, in trash or not, and that a call with `limits` sees. */
  const files = (accountId: AccountId, limits: Limits, ids: ReadonlyArray<FileId>) =>
    sql<StoredFile>`
      SELECT ${StoredFileSql.columns(database)} FROM ${StoredFileSql.from(database)}
      WHERE ${byIds(database, "f", accountId, ids)} AND ${StoredFileSql.within(database, limits)}
    `.pipe(Effect.orDie)

  const forgetEnded = (before: DateTime.Utc) =>
    sql`DELETE FROM ${t.imports} WHERE state <> 'working' AND end_time <= ${date(before)}`.pipe(
      Effect.asVoid,
      Effect.orDie
    )

  /** What imports under way store, in the private bucket. */
  const liveKeys: LiveKeysQuery = (_, storeKeys) =>
    sql`SELECT store_key AS key FROM ${t.imports} WHERE store_key = ANY(${storeKeys}::text[]) AND state = 'working'`

  return { liveKeys, insert, countWorking, take, ofRun, save, finish, fail, select, newest, files, forgetEnded }
})

export class ImportsRepo extends Context.Service<ImportsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/imports/ImportsRepo"
) {
  static readonly layer = Layer.effect(ImportsRepo, make)
}
