/** Previews, and how files are encoded, in SQL. The only module that writes `previews` and `media_streams`. */
import { Context, Effect, Layer, Option, Result, Schema } from "effect"
import { Database } from "../database/Database.ts"
import type { StoredFile } from "../files/StoredFile.ts"
import type { Streams } from "../ports/MediaTools.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import type { PlayedFile, PreviewEnd, PreviewRow, PreviewStatus } from "./Preview.ts"

const Stored = Schema.fromJsonString(Schema.Struct({
  container: Schema.String,
  durationSeconds: Schema.NullOr(Schema.Number),
  video: Schema.NullOr(Schema.Struct({
    codec: Schema.String,
    pixelFormat: Schema.NullOr(Schema.String),
    width: Schema.Number,
    height: Schema.Number
  })),
  audio: Schema.NullOr(Schema.Struct({ codec: Schema.String }))
}))
const decode = Schema.decodeUnknownResult(Stored)
const encode = Schema.encodeSync(Stored)

const streamsOf = (text: string | null | undefined): Streams | null => {
  if (text == null) return null
  const read = decode(text)
  return Result.isSuccess(read) ? read.success : null
}

interface PlayedRow {
  readonly status: PreviewStatus | null
  readonly progress: number
  readonly error: string | null
  readonly missingTool: string | null
  readonly updateTime: Date
  readonly streams: string | null
  readonly previewKey: StoredFile["storeKey"] | null
  readonly previewType: string | null
  readonly previewBytes: number | null
  readonly peaksKey: StoredFile["storeKey"] | null
}

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  const find = (accountId: AccountId, fileId: FileId) =>
    sql<PreviewRow>`
      SELECT status, progress, error, missing_tool AS "missingTool", runs, upload_key AS "uploadKey",
        upload_id AS "uploadId", update_time AS "updateTime"
      FROM ${t.previews} WHERE file_id = ${fileId} AND account_id = ${accountId}
    `.pipe(Effect.map((rows) => Option.fromUndefinedOr(rows[0])), Effect.orDie)

  /** All that is known of how a file is played, in one statement. */
  const findAll = (accountId: AccountId, fileId: FileId) =>
    sql<PlayedRow>`
      SELECT p.status, p.progress, p.error, p.missing_tool AS "missingTool", p.update_time AS "updateTime", s.streams,
        made.store_key AS "previewKey", made.mime_type AS "previewType", made.size::float8 AS "previewBytes",
        peaks.store_key AS "peaksKey"
      FROM (SELECT ${fileId}::uuid AS file_id, ${accountId}::uuid AS account_id) f
      LEFT JOIN ${t.previews} p ON p.file_id = f.file_id AND p.account_id = f.account_id
      LEFT JOIN ${t.media_streams} s ON s.file_id = f.file_id AND s.account_id = f.account_id
      LEFT JOIN ${t.files} made ON made.derivative_of = f.file_id AND made.account_id = f.account_id
        AND made.derivative_kind = 'preview'
      LEFT JOIN ${t.files} peaks ON peaks.derivative_of = f.file_id AND peaks.account_id = f.account_id
        AND peaks.derivative_kind = 'peaks'
    `.pipe(
      Effect.map(([row]): PlayedFile => ({
        row: row?.status == null ? undefined : { ...row, status: row.status },
        streams: streamsOf(row?.streams),
        preview: row?.previewKey == null
          ? null
          : { storeKey: row.previewKey, mimeType: row.previewType!, sizeBytes: row.previewBytes! },
        peaksKey: row?.peaksKey ?? null
      })),
      Effect.orDie
    )

  /** Marks a preview as wanted: a new one, or one that failed. Not of a file that exists no longer, or of another account. */
  const want = (accountId: AccountId, fileId: FileId, now: Date) =>
    sql`
      INSERT INTO ${t.previews} AS p (file_id, account_id, status, update_time)
      SELECT f.id, f.account_id, 'working', ${now} FROM ${t.files} f
      WHERE f.id = ${fileId} AND f.account_id = ${accountId} AND f.derivative_of IS NULL
      ON CONFLICT (file_id) DO UPDATE SET status = 'working', error = NULL, missing_tool = NULL, runs = 0,
        update_time = excluded.update_time
      WHERE p.status = 'failed'
      RETURNING 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** Begins a run. Returns the row as it was; none when no preview is wanted any longer. */
  const begin = (accountId: AccountId, fileId: FileId, runId: string, now: Date) =>
    sql<PreviewRow>`
      WITH before AS MATERIALIZED (
        SELECT * FROM ${t.previews}
        WHERE file_id = ${fileId} AND account_id = ${accountId} AND status = 'working' FOR UPDATE
      )
      UPDATE ${t.previews} AS p SET run_id = ${runId}::uuid, runs = p.runs + 1, upload_key = NULL, upload_id = NULL,
        update_time = ${now}
      FROM before WHERE p.file_id = before.file_id
      RETURNING before.status, before.progress, before.error, before.missing_tool AS "missingTool", before.runs,
        before.upload_key AS "uploadKey", before.upload_id AS "uploadId", before.update_time AS "updateTime"
    `.pipe(Effect.map((rows) => Option.fromUndefinedOr(rows[0])), Effect.orDie)

  /** Condition that a run is still the one that is at it. */
  const isAt = (accountId: AccountId, fileId: FileId, runId: string) =>
    sql`file_id = ${fileId} AND account_id = ${accountId} AND status = 'working' AND run_id = ${runId}::uuid`

  /** Names the upload of a run; without an id it is about to be opened. False when the run is no longer at it. */
  const setUpload = (
    accountId: AccountId,
    fileId: FileId,
    runId: string,
    upload: { readonly key: string; readonly id: string | null }
  ) =>
    sql`
      UPDATE ${t.previews} SET upload_key = ${upload.key}, upload_id = ${upload.id}
      WHERE ${isAt(accountId, fileId, runId)} RETURNING 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** Saves the progress of a run, which never goes back. False when the run is no longer at it. */
  const setProgress = (accountId: AccountId, fileId: FileId, runId: string, progress: number, now: Date) =>
    sql`
      UPDATE ${t.previews} SET progress = GREATEST(progress, ${progress}::float8), update_time = ${now}
      WHERE ${isAt(accountId, fileId, runId)} RETURNING 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** The run ended without a result, and not by its file: it doesn't count. */
  const giveBack = (accountId: AccountId, fileId: FileId, runId: string) =>
    sql`
      UPDATE ${t.previews} SET run_id = NULL, runs = runs - 1
      WHERE ${isAt(accountId, fileId, runId)}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Ends a run with its result. False when the run is no longer at it. */
  const end = (
    accountId: AccountId,
    fileId: FileId,
    runId: string,
    { error, missingTool, status }: PreviewEnd,
    now: Date
  ) =>
    sql`
      UPDATE ${t.previews} SET status = ${status}, error = ${error ?? null}, missing_tool = ${missingTool ?? null},
        progress = CASE WHEN ${status}::text = 'done' THEN 1 ELSE progress END, run_id = NULL, upload_key = NULL,
        upload_id = NULL, update_time = ${now}
      WHERE ${isAt(accountId, fileId, runId)} RETURNING 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** Null: not known. What another version of the drive wrote and this one can't read counts as not known. */
  const findStreams = (accountId: AccountId, fileId: FileId) =>
    sql<{ readonly streams: string }>`
      SELECT streams FROM ${t.media_streams} WHERE file_id = ${fileId} AND account_id = ${accountId}
    `.pipe(
      Effect.map((rows) => streamsOf(rows[0]?.streams)),
      Effect.orDie
    )

  const setStreams = (accountId: AccountId, fileId: FileId, streams: Streams) =>
    sql`
      INSERT INTO ${t.media_streams} (file_id, account_id, streams)
      SELECT f.id, f.account_id, ${encode(streams)} FROM ${t.files} f
      WHERE f.id = ${fileId} AND f.account_id = ${accountId}
      ON CONFLICT (file_id) DO UPDATE SET streams = excluded.streams
    `.pipe(Effect.asVoid, Effect.orDie)

  return { find, findAll, want, begin, setUpload, setProgress, giveBack, end, findStreams, setStreams }
})

export class PreviewsRepo extends Context.Service<PreviewsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/media/PreviewsRepo"
) {
  static readonly layer = Layer.effect(PreviewsRepo, make)
}
