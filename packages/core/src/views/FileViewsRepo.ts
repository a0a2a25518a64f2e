/** Opens of files, in SQL. The only module that writes `file_views`, `file_view_days`, `file_viewers` and `view_salts`. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import type { FileOpen } from "./FileOpen.ts"

/** Rows that one statement of the sweep deletes. */
const sweepBatch = 10_000

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  /** The day's salt: `fresh`, unless there is one already. */
  const salt = Effect.fnUntraced(function*(day: string, fresh: Effect.Effect<Uint8Array>) {
    const read = sql<{ readonly salt: Uint8Array }>`SELECT salt FROM ${t.view_salts} WHERE day = ${day}::text::date`
    const [found] = yield* read
    if (found !== undefined) return found.salt
    yield* sql`
      INSERT INTO ${t.view_salts} (day, salt) VALUES (${day}::text::date, ${yield* fresh}) ON CONFLICT (day) DO NOTHING
    `
    return (yield* read)[0]!.salt
  }, Effect.orDie)

  /** Whether the file is shared with the user. */
  const isShared = (fileId: FileId, userId: AccountId) =>
    sql`SELECT 1 FROM ${t.shares} WHERE file_id = ${fileId} AND user_id = ${userId}`.pipe(
      Effect.map((rows) => rows.length > 0),
      Effect.orDie
    )

  /**
   * Counts an open: in all, by day, by day and viewer. Returns how many the viewer's are on that day, none where the file
   * does not exist (any longer); each statement
   * reads from the one before, so that all calls lock the three rows in this order, after the file's own: so there is no
   * deadlock, also with a call that deletes the file.
   */
  const count = ({ accountId, day, fileId, time, userId, viewer }: FileOpen, condition = sql`TRUE`) =>
    sql<{ readonly views: number }>`
      WITH file AS MATERIALIZED (
        SELECT f.id, f.account_id FROM ${t.files} f WHERE f.id = ${fileId} AND f.account_id = ${accountId}
          AND f.derivative_of IS NULL AND ${condition}
        FOR KEY SHARE
      ), in_all AS (
        INSERT INTO ${t.file_views} AS v (file_id, account_id, views, last_view_time)
        SELECT id, account_id, 1, ${time}::timestamptz FROM file
        ON CONFLICT (file_id) DO UPDATE
        SET views = v.views + 1, last_view_time = GREATEST(v.last_view_time, excluded.last_view_time)
        RETURNING v.file_id, v.account_id
      ), of_day AS (
        INSERT INTO ${t.file_view_days} AS v (account_id, day, file_id, views)
        SELECT account_id, ${day}::text::date, file_id, 1 FROM in_all
        ON CONFLICT (account_id, day, file_id) DO UPDATE SET views = v.views + 1
        RETURNING v.file_id, v.day
      )
      INSERT INTO ${t.file_viewers} AS v (file_id, day, viewer, user_id, views, last_view_time)
      SELECT file_id, day, ${viewer}, ${userId}::uuid, 1, ${time}::timestamptz FROM of_day
      ON CONFLICT (file_id, day, viewer) DO UPDATE
      SET views = v.views + 1, last_view_time = GREATEST(v.last_view_time, excluded.last_view_time)
      RETURNING v.views
    `.pipe(Effect.map(([row]) => row?.views ?? 0), Effect.orDie)

  /** The same, if the viewer has opened the file on that day already. Returns whether it was counted. */
  const countAgain = (open: Omit<FileOpen, "userId">) =>
    Effect.map(
      count(
        { ...open, userId: null },
        sql`EXISTS (
          SELECT 1 FROM ${t.file_viewers} k WHERE k.file_id = f.id AND k.day = ${open.day}::text::date AND k.viewer = ${open.viewer}
        )`
      ),
      (views) => views > 0
    )

  /** Deletes salts, and viewers without a name, of days before `day`; rows that another call is deleting are skipped. */
  const sweep = Effect.fnUntraced(function*(day: string) {
    yield* sql`DELETE FROM ${t.view_salts} WHERE day < ${day}::text::date`
    for (;;) {
      const swept = yield* sql`
        DELETE FROM ${t.file_viewers} WHERE (file_id, day, viewer) IN (
          SELECT file_id, day, viewer FROM ${t.file_viewers} WHERE user_id IS NULL AND day < ${day}::text::date
          LIMIT ${sweepBatch}::int FOR UPDATE SKIP LOCKED
        ) RETURNING 1
      `
      if (swept.length < sweepBatch) return
    }
  }, Effect.orDie)

  return { salt, isShared, count, countAgain, sweep }
})

export class FileViewsRepo extends Context.Service<FileViewsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/views/FileViewsRepo"
) {
  static readonly layer = Layer.effect(FileViewsRepo, make)
}
