/** Waits in SQL, and what happened while tasks were at work. The only module that writes `agent_waits` and `agent_happenings`. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import * as Column from "../database/Column.ts"
import { Database } from "../database/Database.ts"
import type { AccountId, FileId, FolderId, TaskId, WaitId } from "../shared/Ids.ts"
import type { ArrivedFile, Happened, Happening, NewWait, Wait, WaitKind } from "./Wait.ts"

interface Row extends Omit<Wait, "sinceTime" | "untilTime" | "woken"> {
  readonly sinceTime: Date
  readonly untilTime: Date
  readonly woken: Happened["event"] | null
  readonly wokenNo: number | null
}

const toWait = ({ sinceTime, untilTime, woken, wokenNo, ...row }: Row): Wait => ({
  ...row,
  sinceTime: DateTime.fromDateUnsafe(sinceTime),
  untilTime: DateTime.fromDateUnsafe(untilTime),
  woken: woken === null ? null : { event: woken, no: wokenNo ?? 0 }
})

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  const columns = sql.literal(`
    w.id, w.task_id AS "taskId", w.kind, w.target_id AS "targetId", w.target_name AS "targetName",
    w.folder_path AS "folderPath", w.within_folder AS "withinFolder", w.text, w.since_time AS "sinceTime",
    w.until_time AS "untilTime", w.woken, w.woken_no::float8 AS "wokenNo"
  `)

  /** Condition that something of a folder (`d`, which may be none: the top of the drive) concerns the wait `w`. */
  const concerns = sql.literal(`
    (w.folded_path IS NULL OR w.folded_path = '' OR d.folded_path = w.folded_path
      OR starts_with(d.folded_path, w.folded_path || '/'))
    AND (w.within_folder IS NULL OR d.id = w.within_folder OR EXISTS (
  `)
  const inLimits = (accountId: AccountId) =>
    sql`SELECT FROM ${t.folders} top WHERE top.id = w.within_folder AND top.account_id = ${accountId}
      AND starts_with(d.folded_path, top.folded_path || '/')))`

  const isAbout = (accountId: AccountId, h: Statement.Fragment) =>
    sql`w.kind = ${h}.kind
      AND (w.target_id IS NOT DISTINCT FROM ${h}.target_id OR (w.kind = 'request_files' AND w.target_id IS NULL))
      AND ${concerns} ${inLimits(accountId)}`

  /** The folder of `h` as `d`, at the path that it has when the folder that is being moved has taken all inside with it. */
  const folderOf = (accountId: AccountId) =>
    sql`LEFT JOIN LATERAL (
      SELECT d.id, CASE WHEN starts_with(d.folded_path, m.former_folded_path || '/')
        THEN m.folded_path || substr(d.folded_path, length(m.former_folded_path) + 1) ELSE d.folded_path END AS folded_path
      FROM ${t.folders} d LEFT JOIN ${t.folders} m ON m.account_id = d.account_id AND m.former_path IS NOT NULL
      WHERE d.id = h.folder_id AND d.account_id = ${accountId}
    ) d ON TRUE`

  const rowsOf = (happenings: ReadonlyArray<Happening>) =>
    sql`unnest(
      ${Column.of(happenings.map(({ kind }) => kind))}::text::text[],
      ${Column.of(happenings.map(({ targetId }) => targetId))}::text::text[],
      ${Column.of(happenings.map(({ folderId }) => folderId))}::text::uuid[],
      ${Column.of(happenings.map(({ event }) => JSON.stringify(event)))}::text::jsonb[]
    ) WITH ORDINALITY AS h (kind, target_id, folder_id, event, no)`

  /** Notes what has happened, and gives each wait that one of these is about the first of them. Returns the tasks. */
  const wake = (accountId: AccountId, happenings: ReadonlyArray<Happening>, now: DateTime.Utc) =>
    sql<{ readonly taskId: TaskId }>`
      WITH h AS (
        INSERT INTO ${t.agent_happenings} (account_id, kind, target_id, folder_id, event, time)
        SELECT ${accountId}::uuid, h.kind, h.target_id, h.folder_id, h.event, ${DateTime.toDateUtc(now)}::timestamptz
        FROM ${rowsOf(happenings)} ORDER BY h.no
        RETURNING no, kind, target_id, folder_id, event
      )
      UPDATE ${t.agent_waits} waiting SET woken = found.event, woken_no = found.no
      FROM (
        SELECT DISTINCT ON (w.id) w.id, h.event, h.no
        FROM h
        ${folderOf(accountId)}
        JOIN ${t.agent_waits} w ON w.account_id = ${accountId} AND w.woken IS NULL AND ${
      isAbout(accountId, sql.literal("h"))
    }
        ORDER BY w.id, h.no
      ) found
      WHERE waiting.id = found.id RETURNING waiting.task_id AS "taskId"
    `.pipe(Effect.map((rows) => rows.map(({ taskId }) => taskId)), Effect.orDie)

  /** The number of the last thing that happened on the account. */
  const lastNo = (accountId: AccountId) =>
    sql<{ readonly no: number }>`
      SELECT coalesce(max(no), 0)::float8 AS no FROM ${t.agent_happenings} WHERE account_id = ${accountId}
    `.pipe(Effect.map(([row]) => row!.no), Effect.orDie)

  /** The first thing after a number that the wait is for. */
  const since = (accountId: AccountId, taskId: TaskId, after: number) =>
    sql<Happened>`
      SELECT h.event, h.no::float8 AS no FROM ${t.agent_happenings} h
      ${folderOf(accountId)}
      JOIN ${t.agent_waits} w ON w.account_id = ${accountId} AND w.task_id = ${taskId} AND ${
      isAbout(accountId, sql.literal("h"))
    }
      WHERE h.account_id = ${accountId} AND h.no > ${after}::bigint
      ORDER BY h.no LIMIT 1
    `.pipe(Effect.map(([row]): Happened | null => row ?? null), Effect.orDie)

  const insert = (accountId: AccountId, id: WaitId, wait: NewWait, foldedPath: string | null, now: DateTime.Utc) =>
    sql`
      INSERT INTO ${t.agent_waits} (
        id, account_id, task_id, kind, target_id, target_name, folder_path, folded_path, within_folder, text, since_time, until_time
      ) VALUES (
        ${id}, ${accountId}, ${wait.taskId}, ${wait.kind}, ${wait.targetId}, ${wait.targetName}, ${wait.folderPath},
        ${foldedPath}, ${wait.withinFolder}, ${wait.text}, ${DateTime.toDateUtc(now)}, ${
      DateTime.toDateUtc(wait.untilTime)
    }
      )
    `.pipe(Effect.asVoid, Effect.orDie)

  const setWoken = (accountId: AccountId, taskId: TaskId, { event, no }: Happened) =>
    sql`
      UPDATE ${t.agent_waits} SET woken = ${
      JSON.stringify(event)
    }::jsonb, woken_no = ${no}::bigint WHERE account_id = ${accountId} AND task_id = ${taskId}
    `.pipe(Effect.asVoid, Effect.orDie)

  const setUntil = (accountId: AccountId, taskId: TaskId, untilTime: DateTime.Utc) =>
    sql`
      UPDATE ${t.agent_waits} SET until_time = ${DateTime.toDateUtc(untilTime)}
      WHERE account_id = ${accountId} AND task_id = ${taskId}
    `.pipe(Effect.asVoid, Effect.orDie)

  const find = (accountId: AccountId, taskId: TaskId) =>
    sql<Row>`SELECT ${columns} FROM ${t.agent_waits} w WHERE w.account_id = ${accountId} AND w.task_id = ${taskId}`
      .pipe(
        Effect.map(([row]) => row === undefined ? null : toWait(row)),
        Effect.orDie
      )

  const list = (accountId: AccountId) =>
    sql<Row>`
      SELECT ${columns} FROM ${t.agent_waits} w WHERE w.account_id = ${accountId} ORDER BY w.since_time, w.id
    `.pipe(Effect.map((rows) => rows.map(toWait)), Effect.orDie)

  const remove = (accountId: AccountId, taskId: TaskId) =>
    sql`DELETE FROM ${t.agent_waits} WHERE account_id = ${accountId} AND task_id = ${taskId} RETURNING 1`.pipe(
      Effect.map((rows) => rows.length > 0),
      Effect.orDie
    )

  /** The tasks that wait for one of these. */
  const tasksOn = (accountId: AccountId, kinds: ReadonlyArray<WaitKind>, targetIds: ReadonlyArray<string>) =>
    sql<{ readonly taskId: TaskId }>`
      SELECT task_id AS "taskId" FROM ${t.agent_waits}
      WHERE account_id = ${accountId} AND woken IS NULL AND kind = ANY(${kinds}::text[]) AND target_id = ANY(${targetIds}::text[])
    `.pipe(Effect.map((rows) => rows.map(({ taskId }) => taskId)), Effect.orDie)

  /** Ends the waits for files in one of these folders, because it is deleted. Returns the tasks. */
  const endOnFolders = (accountId: AccountId, folderIds: ReadonlyArray<FolderId>) =>
    sql<{ readonly taskId: TaskId }>`
      UPDATE ${t.agent_waits} w SET woken = jsonb_build_object('kind', w.kind, 'ended', 'deleted', 'folder', d.path),
        woken_no = (SELECT coalesce(max(h.no), 0) FROM ${t.agent_happenings} h WHERE h.account_id = ${accountId})
      FROM ${t.folders} d
      WHERE d.account_id = ${accountId} AND d.id = ANY(${folderIds}::uuid[]) AND w.account_id = ${accountId}
        AND w.kind = 'folder_files' AND w.woken IS NULL AND w.folded_path = d.folded_path
      RETURNING w.task_id AS "taskId"
    `.pipe(Effect.map((rows) => rows.map(({ taskId }) => taskId)), Effect.orDie)

  const files = (accountId: AccountId, ids: ReadonlyArray<FileId>) =>
    sql<ArrivedFile>`
      SELECT id, type, file_name AS "fileName", folder_id AS "folderId" FROM ${t.files}
      WHERE account_id = ${accountId} AND id = ANY(${ids}::uuid[]) AND trash_time IS NULL ORDER BY id
    `.pipe(Effect.orDie)

  const forget = (before: DateTime.Utc) =>
    sql`DELETE FROM ${t.agent_happenings} WHERE time < ${DateTime.toDateUtc(before)}`.pipe(Effect.asVoid, Effect.orDie)

  /** Files of a folder and inside it, at most so many, each with the number of all. */
  const filesInside = (accountId: AccountId, foldedPath: string, limit: number) =>
    sql<ArrivedFile & { readonly count: number }>`
      SELECT f.id, f.type, f.file_name AS "fileName", f.folder_id AS "folderId", count(*) OVER ()::int AS count
      FROM ${t.folders} d JOIN ${t.files} f ON f.account_id = d.account_id AND f.folder_id = d.id
      WHERE d.account_id = ${accountId} AND (d.folded_path = ${foldedPath} OR starts_with(d.folded_path, ${foldedPath} || '/'))
        AND f.trash_time IS NULL
      ORDER BY f.id LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  /** The folders inside one that have files of their own, at most so many; of each the first files, with the number of all. */
  const foldersInside = (accountId: AccountId, foldedPath: string, limit: number, filesLimit: number) =>
    sql<ArrivedFile & { readonly folderId: FolderId; readonly count: number }>`
      SELECT f.id, f.type, f.file_name AS "fileName", d.id AS "folderId", d.file_count::int AS count
      FROM (
        SELECT d.id, d.file_count, d.folded_path FROM ${t.folders} d
        WHERE d.account_id = ${accountId} AND starts_with(d.folded_path, ${foldedPath} || '/') AND d.file_count > 0
        ORDER BY d.folded_path LIMIT ${limit}::int
      ) d CROSS JOIN LATERAL (
        SELECT f.id, f.type, f.file_name FROM ${t.files} f
        WHERE f.account_id = ${accountId} AND f.folder_id = d.id AND f.trash_time IS NULL ORDER BY f.id LIMIT ${filesLimit}::int
      ) f ORDER BY d.folded_path, f.id
    `.pipe(Effect.orDie)

  /** The folders inside one that are waited for, which need not exist. */
  const pathsInside = (accountId: AccountId, foldedPath: string) =>
    sql<{ readonly path: string }>`
      SELECT DISTINCT folded_path AS path FROM ${t.agent_waits}
      WHERE account_id = ${accountId} AND woken IS NULL AND kind = 'folder_files' AND starts_with(folded_path, ${foldedPath} || '/')
    `.pipe(Effect.map((rows) => rows.map(({ path }) => path)), Effect.orDie)

  return {
    wake,
    lastNo,
    since,
    insert,
    setWoken,
    setUntil,
    find,
    list,
    remove,
    tasksOn,
    endOnFolders,
    files,
    filesInside,
    foldersInside,
    pathsInside,
    forget
  }
})

export class WaitsRepo extends Context.Service<WaitsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/waits/WaitsRepo"
) {
  static readonly layer = Layer.effect(WaitsRepo, make)
}
