/** Generations and the months' counts in SQL. The only module that reads or writes `generations` and `image_months`. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { Statement } from "effect/sql"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { byIds } from "../database/ByIds.ts"
import { Database } from "../database/Database.ts"
import type { StoredFile } from "../files/StoredFile.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import type { LiveKeysQuery } from "../objects/LiveKeys.ts"
import type { AccountId, FileId, GenerationId } from "../shared/Ids.ts"
import type { Generation, NewGeneration, ShownGeneration } from "./Generation.ts"

type Times = "failTime" | "submitTime" | "successTime" | "insertTime" | "endTime"

/** A row as the client reads it. It is not decoded by a schema: this module alone writes it, and a list decodes thousands a second. */
type Row = Omit<Generation, Times | "stored"> & {
  readonly failTime: Date | null
  readonly submitTime: Date | null
  readonly successTime: Date | null
  readonly insertTime: Date
  readonly endTime: Date | null
  readonly storeKey: string | null
  readonly mimeType: string | null
  readonly sizeBytes: number | null
}

const time = (date: Date | null) => date === null ? null : DateTime.fromDateUnsafe(date)

const decode = ({ mimeType, sizeBytes, storeKey, ...row }: Row): Generation => ({
  ...row,
  failTime: time(row.failTime),
  submitTime: time(row.submitTime),
  successTime: time(row.successTime),
  insertTime: DateTime.fromDateUnsafe(row.insertTime),
  endTime: time(row.endTime),
  stored: storeKey === null || mimeType === null || sizeBytes === null ? null : { storeKey, mimeType, sizeBytes }
})

/** How many values of a row come before those of the file. */
const ownValues = 10

/** A row of what is shown, as values: in the order of the statement. */
const shownOf = (values: ReadonlyArray<unknown>): ShownGeneration => {
  const [id, model, prompt, aspectRatio, quality, state, code, insertTime, successTime, isWithin] = values as readonly [
    GenerationId,
    Generation["model"],
    string,
    Generation["aspectRatio"],
    Generation["quality"],
    Generation["state"],
    Generation["code"],
    Date,
    Date | null,
    boolean | null
  ]
  const image = isWithin === null ? null : StoredFileSql.ofValues(values, ownValues)
  return {
    id,
    model,
    prompt,
    aspectRatio,
    quality,
    state,
    code,
    insertTime,
    successTime: time(successTime),
    image,
    isWithin: isWithin === true
  }
}

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database
  const date = (time: DateTime.Utc | null) => time === null ? null : DateTime.toDateUtc(time)
  // As `f`, like files: so that what a call sees of files holds for generations too.
  const columns = sql.literal(`
    f.id, f.account_id AS "accountId", f.model, f.prompt, f.aspect_ratio AS "aspectRatio", f.quality,
    f.folder_id AS "folderId", f.limit_id AS "limitId", f.credential, f.month::text AS month, f.state, f.job, f.failures, f.fail_time AS "failTime", f.run,
    f.submit_time AS "submitTime", f.success_time AS "successTime", f.store_key AS "storeKey",
    f.mime_type AS "mimeType", f.size::float8 AS "sizeBytes", f.file_id AS "fileId", f.code,
    f.insert_time AS "insertTime", f.end_time AS "endTime"
  `)
  const first = ([row]: ReadonlyArray<Row>): Option.Option<Generation> =>
    row === undefined ? Option.none() : Option.some(decode(row))

  /** How many are under way, and how many the month has. */
  const counts = (accountId: AccountId, month: string) =>
    sql<{ readonly underWay: number; readonly used: number }>`
      SELECT
        (SELECT count(*)::int FROM ${t.generations} WHERE account_id = ${accountId} AND end_time IS NULL) AS "underWay",
        coalesce((SELECT used FROM ${t.image_months} WHERE account_id = ${accountId} AND month = ${month}::date), 0) AS used
    `.pipe(Effect.map((rows) => rows[0]!), Effect.orDie)

  /** Records a generation and takes it from its month. */
  const insert = (one: NewGeneration) =>
    sql`
      WITH taken AS (
        INSERT INTO ${t.image_months} AS m (account_id, month, used) VALUES (${one.accountId}, ${one.month}::date, 1)
        ON CONFLICT (account_id, month) DO UPDATE SET used = m.used + 1
      )
      INSERT INTO ${t.generations} (id, account_id, model, prompt, aspect_ratio, quality, folder_id, limit_id, credential, month, state, insert_time)
      VALUES (${one.id}, ${one.accountId}, ${one.model}, ${one.prompt}, ${one.aspectRatio}, ${one.quality}, ${one.folderId},
        ${one.limitId}, ${one.credential}, ${one.month}::date, 'waiting', ${date(one.insertTime)})
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Gives an image back to the month it was taken from. */
  const giveBack = ({ accountId, month }: Generation) =>
    sql`
      UPDATE ${t.image_months} SET used = used - 1 WHERE account_id = ${accountId} AND month = ${month}::date
    `.pipe(Effect.asVoid, Effect.orDie)

  const find = (accountId: AccountId, id: GenerationId) =>
    sql<Row>`SELECT ${columns} FROM ${t.generations} f WHERE f.account_id = ${accountId} AND f.id = ${id}`.pipe(
      Effect.map(first),
      Effect.orDie
    )

  /** Records what a run changes. */
  const save = (one: Generation) =>
    sql`
      UPDATE ${t.generations} SET state = ${one.state}, job = ${one.job}, failures = ${one.failures}::int,
        fail_time = ${date(one.failTime)}, run = ${one.run}::int, submit_time = ${date(one.submitTime)},
        success_time = ${date(one.successTime)}, store_key = ${one.stored?.storeKey ?? null},
        mime_type = ${one.stored?.mimeType ?? null}, size = ${one.stored?.sizeBytes ?? null}::bigint,
        folder_id = ${one.folderId}::uuid, file_id = ${one.fileId}, code = ${one.code}, end_time = ${date(one.endTime)}
      WHERE account_id = ${one.accountId} AND id = ${one.id}
    `.pipe(Effect.asVoid, Effect.orDie)

  /**
   * Whether a call with `limits` sees where a generation is saved: by its folder, or, once that was deleted, by the folder of the
   * token that asked, which the image is saved in then.
   */
  const seen = (limits: Limits) =>
    limits.folderId === null ? sql`TRUE` : sql`(
      ${StoredFileSql.within(database, limits)}
      OR (f.limit_id = ${limits.folderId}::uuid AND f.end_time IS NULL
        AND NOT EXISTS (SELECT 1 FROM ${t.folders} d WHERE d.account_id = f.account_id AND d.id = f.folder_id))
    )`

  /** The account's generation, if it is saved where a call with `limits` sees. */
  const findSeen = (accountId: AccountId, limits: Limits, id: GenerationId) =>
    sql<Row>`
      SELECT ${columns} FROM ${t.generations} f WHERE f.account_id = ${accountId} AND f.id = ${id} AND ${seen(limits)}
    `.pipe(Effect.map(first), Effect.orDie)

  /** What is shown of generations `f`, with their images, in no order. One statement: its rows are the answer. */
  const shown = (accountId: AccountId, limits: Limits, which: Statement.Fragment) =>
    Effect.map(
      sql`
        SELECT g.id, g.model, g.prompt, g.aspect_ratio, g.quality, g.state, g.code, g.insert_time, g.success_time,
          i."isWithin", i.*
        FROM (SELECT f.* FROM ${t.generations} f WHERE ${which}) g
        LEFT JOIN LATERAL (
          SELECT ${StoredFileSql.columns(database)}, ${StoredFileSql.within(database, limits)} AS "isWithin"
          FROM ${StoredFileSql.from(database)}
          -- No index has the account beside the id, so each image is read by its id. See "database/ByIds.ts".
          WHERE f.id = g.file_id AND f.account_id IS NOT DISTINCT FROM ${accountId}::uuid
        ) i ON TRUE
      `.values,
      (rows) => rows.map(shownOf)
    ).pipe(Effect.orDie)

  /** Those of the generations that are the account's and are saved where a call with `limits` sees. */
  const select = (accountId: AccountId, limits: Limits, ids: ReadonlyArray<GenerationId>) =>
    shown(accountId, limits, sql`${byIds(database, "f", accountId, ids)} AND ${seen(limits)}`)

  /** The account's generations before one (null: from the newest), newest first, that a call with `limits` sees. */
  const page = (accountId: AccountId, limits: Limits, before: GenerationId | null, count: number) =>
    Effect.map(
      shown(
        accountId,
        limits,
        sql`
          f.account_id = ${accountId} AND ${before === null ? sql`TRUE` : sql`f.id < ${before}::uuid`} AND ${
          seen(limits)
        }
          ORDER BY f.id DESC LIMIT ${count}::int
        `
      ),
      (found) => found.toSorted((a, b) => (a.id < b.id ? 1 : -1))
    )

  /** The file of an image, in trash or not. */
  const image = (accountId: AccountId, fileId: FileId) =>
    sql<StoredFile>`
      SELECT ${StoredFileSql.columns(database)} FROM ${StoredFileSql.from(database)}
      WHERE f.id = ${fileId} AND f.account_id = ${accountId}
    `.pipe(Effect.orDie)

  /** Forgets those that ended before a time and have no image. Their images may be in trash. */
  const forgetEnded = (before: DateTime.Utc) =>
    sql`
      DELETE FROM ${t.generations} g
      WHERE g.end_time <= ${date(before)}
        AND NOT EXISTS (SELECT 1 FROM ${t.files} f WHERE f.id = g.file_id AND f.account_id = g.account_id)
    `.pipe(Effect.asVoid, Effect.orDie)

  /** What generations under way store, in the private bucket. */
  const liveKeys: LiveKeysQuery = (_, storeKeys) =>
    sql`SELECT store_key AS key FROM ${t.generations} WHERE store_key = ANY(${storeKeys}::text[]) AND state = 'storing'`

  return { liveKeys, counts, insert, giveBack, find, findSeen, save, select, page, image, forgetEnded }
})

export class GenerationsRepo extends Context.Service<GenerationsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/generations/GenerationsRepo"
) {
  static readonly layer = Layer.effect(GenerationsRepo, make)
}
