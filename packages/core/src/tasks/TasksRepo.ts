/** Tasks in SQL: their rows and their messages. The only module that writes `agent_tasks` and `agent_messages`. */
import { Context, type DateTime, Effect, Layer } from "effect"
import * as LiveCredential from "../accounts/LiveCredential.ts"
import { Database } from "../database/Database.ts"
import * as Pipeline from "../database/Pipeline.ts"
import type { AccountId, ApiTokenId, TaskId } from "../shared/Ids.ts"
import type { Startable, StoredMessage, StoredTask } from "./StoredTask.ts"
import type { PagePlace } from "./TaskPageToken.ts"
import type { TaskQuery } from "./TaskQuery.ts"

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database

  const columns = sql.literal(`
    t.id, t.account_id AS "accountId", t.credential_id AS "credentialId", t.credential_name AS "credentialName",
    t.permissions,
    t.context_id AS "contextId", t.phase, t.status_time AS "statusTime", t.status_message AS "statusMessage", t.artifacts,
    t.metadata, t.queue_time AS "queueTime", t.insert_time AS "insertTime", t.run, t.steps, t.tokens::float8 AS tokens,
    t.messages, t.entries, t.reports, t.webhooks, t.happened_no::float8 AS "happenedNo"
  `)
  const json = (value: unknown) => value === null ? null : JSON.stringify(value)

  /** Adds a task with its first message. What happened on the account before is nothing that it waits for. */
  const insert = (task: Omit<StoredTask, "happenedNo">, message: StoredMessage, fingerprint: Uint8Array) =>
    sql`
      WITH task AS (
        INSERT INTO ${t.agent_tasks} (
          id, account_id, credential_id, credential_name, context_id, phase, status_time, status_message, artifacts, metadata,
          queue_time, insert_time, run, messages, entries, reports, webhooks, permissions, happened_no
        ) VALUES (
          ${task.id}, ${task.accountId}, ${task.credentialId}, ${task.credentialName}, ${task.contextId}, ${task.phase},
          ${task.statusTime}, ${json(task.statusMessage)}::jsonb, ${json(task.artifacts)}::jsonb, ${
      json(task.metadata)
    }::jsonb,
          ${task.queueTime}, ${task.insertTime}, ${task.run}, ${task.messages}, ${task.entries}, ${task.reports}, ${task.webhooks},
          ${task.permissions}::text[],
          (SELECT coalesce(max(h.no), 0) FROM ${t.agent_happenings} h WHERE h.account_id = ${task.accountId})
        )
      )
      INSERT INTO ${t.agent_messages} (task_id, no, account_id, credential_id, fingerprint, message)
      VALUES (${task.id}, 0, ${task.accountId}, ${task.credentialId}, ${fingerprint}, ${JSON.stringify(message)}::jsonb)
    `.pipe(Effect.asVoid, Effect.orDie, Pipeline.unawaited)

  /** Saves everything of a task that changes. */
  const save = (task: StoredTask) =>
    sql`
      UPDATE ${t.agent_tasks} SET phase = ${task.phase}, status_time = ${task.statusTime},
        status_message = ${json(task.statusMessage)}::jsonb, artifacts = ${json(task.artifacts)}::jsonb,
        queue_time = ${task.queueTime}, run = ${task.run}, steps = ${task.steps}, tokens = ${task.tokens}::bigint,
        messages = ${task.messages}, entries = ${task.entries}, reports = ${task.reports}, webhooks = ${task.webhooks},
        permissions = ${task.permissions}::text[], happened_no = ${task.happenedNo}::bigint
      WHERE account_id = ${task.accountId} AND id = ${task.id}
    `.pipe(Effect.asVoid, Effect.orDie, Pipeline.unawaited)

  /** Saves a run's task unless it is no longer as `before`: then nothing changes, and the answer is false. Not what it has read of waits. */
  const saveUnchanged = (before: StoredTask, task: StoredTask) =>
    sql`
      UPDATE ${t.agent_tasks} SET phase = ${task.phase}, status_time = ${task.statusTime},
        status_message = ${json(task.statusMessage)}::jsonb, artifacts = ${
      json(task.artifacts)
    }::jsonb, steps = ${task.steps},
        tokens = ${task.tokens}::bigint, messages = ${task.messages}, entries = ${task.entries}, reports = ${task.reports}
      WHERE account_id = ${task.accountId} AND id = ${task.id} AND phase = ${before.phase} AND run = ${before.run}
        AND entries = ${before.entries} AND messages = ${before.messages} AND reports = ${before.reports}
        AND webhooks = ${before.webhooks}
      RETURNING 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** Begins a run of tasks that are queued and have nothing to tell of it, and returns them. */
  const beginQueued = (accountId: AccountId, ids: ReadonlyArray<TaskId>, now: Date) =>
    sql<StoredTask>`
      UPDATE ${t.agent_tasks} t SET phase = 'running', run = t.run + 1, status_time = greatest(t.status_time, ${now}),
        reports = t.reports + 1
      WHERE t.account_id = ${accountId} AND t.id = ANY(${ids}::uuid[]) AND t.phase = 'queued'
      RETURNING ${columns}
    `.pipe(Effect.orDie)

  const find = (accountId: AccountId, id: TaskId) =>
    sql<StoredTask>`SELECT ${columns} FROM ${t.agent_tasks} t WHERE t.account_id = ${accountId} AND t.id = ${id}`.pipe(
      Effect.map(([row]) => row ?? null),
      Effect.orDie
    )

  /** The credential's task of the message with this fingerprint, or null; and whether the credential may begin another. */
  const ofMessage = (accountId: AccountId, credentialId: ApiTokenId, fingerprint: Uint8Array, now: DateTime.Utc) =>
    sql<{ readonly taskId: TaskId | null; readonly isLive: boolean }>`
      SELECT (
        SELECT task_id FROM ${t.agent_messages}
        WHERE account_id = ${accountId} AND credential_id = ${credentialId} AND fingerprint = ${fingerprint}
      ) AS "taskId", ${LiveCredential.isLive(database, accountId, credentialId, now)} AS "isLive"
    `.pipe(Effect.map(([row]) => row!), Effect.orDie)

  const isLive = (accountId: AccountId, credentialId: ApiTokenId, now: DateTime.Utc) =>
    sql<{ readonly isLive: boolean }>`
      SELECT ${LiveCredential.isLive(database, accountId, credentialId, now)} AS "isLive"
    `.pipe(Effect.map(([row]) => row!.isLive), Effect.orDie)

  /** How many tasks of an account are at work. */
  const running = (accountId: AccountId) =>
    sql`SELECT count(*)::int FROM ${t.agent_tasks} r WHERE r.account_id = ${accountId} AND r.phase = 'running'`

  /**
   * Condition that the task `q` is the next of its conversation. Each part is one look into an index, however many tasks the
   * conversation has.
   */
  const isNext = sql`
    q.id = (
      SELECT o.id FROM ${t.agent_tasks} o
      WHERE o.account_id = q.account_id AND o.credential_id = q.credential_id AND o.context_id = q.context_id
        AND o.phase IN ('queued', 'woken')
      ORDER BY o.queue_time, o.id LIMIT 1
    ) AND NOT EXISTS (
      SELECT FROM ${t.agent_tasks} o
      WHERE o.account_id = q.account_id AND o.credential_id = q.credential_id AND o.context_id = q.context_id
        AND o.phase = 'running' AND o.id <> q.id
    )
  `

  /** Tasks that may start now, in their order: no more than there are places, and of a conversation one after the other. */
  const startable = (accountId: AccountId, places: number) =>
    sql<Startable>`
      SELECT q.id, q.phase = 'queued' AND q.webhooks = 0 AND q.status_message IS NULL AS "isPlain"
      FROM ${t.agent_tasks} q
      WHERE q.account_id = ${accountId} AND q.phase IN ('queued', 'woken') AND ${isNext}
      ORDER BY q.queue_time, q.id
      LIMIT greatest(0, ${places}::int - (${running(accountId)}))
    `.pipe(Effect.orDie)

  /** Whether a task that is queued or woken may start now. Most of a long queue may not, which is told without reading the queue. */
  const isStartable = Effect.fnUntraced(
    function*({ accountId, id }: Pick<StoredTask, "accountId" | "id">, places: number) {
      const [mayBe] = yield* sql`
      SELECT FROM ${t.agent_tasks} q
      WHERE q.account_id = ${accountId} AND q.id = ${id} AND ${isNext} AND (${running(accountId)}) < ${places}::int
    `.pipe(Effect.orDie)
      return mayBe !== undefined && (yield* startable(accountId, places)).some((found) => found.id === id)
    }
  )

  /** Cancels a credential's tasks (null: every one's) that wait for their first turn, and returns their ids. */
  const cancelQueued = (
    accountId: AccountId,
    credentialId: ApiTokenId | null,
    message: StoredMessage,
    now: Date
  ) =>
    sql<{ readonly id: TaskId }>`
      UPDATE ${t.agent_tasks} t SET phase = 'canceled', status_time = greatest(t.status_time, ${now}),
        status_message = ${JSON.stringify(message)}::jsonb, reports = t.reports + 1, webhooks = 0
      WHERE t.account_id = ${accountId} AND t.phase = 'queued'
        AND (${credentialId}::uuid IS NULL OR t.credential_id = ${credentialId}::uuid)
      RETURNING t.id
    `.pipe(Effect.map((rows) => rows.map(({ id }) => id)), Effect.orDie)

  /** A credential's tasks (null: every one's) that have begun and not ended. */
  const begun = (accountId: AccountId, credentialId: ApiTokenId | null) =>
    sql<StoredTask>`
      SELECT ${columns} FROM ${t.agent_tasks} t
      WHERE t.account_id = ${accountId} AND t.phase IN ('running', 'waiting', 'woken')
        AND (${credentialId}::uuid IS NULL OR t.credential_id = ${credentialId}::uuid)
      ORDER BY t.id
    `.pipe(Effect.orDie)

  const insertMessage = (
    task: Pick<StoredTask, "id" | "accountId" | "credentialId">,
    no: number,
    message: StoredMessage,
    fingerprint: Uint8Array | null
  ) =>
    sql`
      INSERT INTO ${t.agent_messages} (task_id, no, account_id, credential_id, fingerprint, message)
      VALUES (${task.id}, ${no}, ${task.accountId}, ${task.credentialId}, ${fingerprint}, ${
      JSON.stringify(message)
    }::jsonb)
    `.pipe(Effect.asVoid, Effect.orDie, Pipeline.unawaited)

  /** The messages of tasks, oldest first; the last `length` of each. */
  const messages = (accountId: AccountId, taskIds: ReadonlyArray<TaskId>, length: number | null) =>
    sql<{ readonly taskId: TaskId; readonly message: StoredMessage }>`
      SELECT m.task_id AS "taskId", m.message FROM ${t.agent_messages} m
      JOIN ${t.agent_tasks} t ON t.id = m.task_id
      WHERE m.account_id = ${accountId} AND m.task_id = ANY(${taskIds}::uuid[])
        AND (${length}::int IS NULL OR m.no >= t.messages - ${length}::int)
      ORDER BY m.task_id, m.no
    `.pipe(Effect.map((rows) => Map.groupBy(rows, ({ taskId }) => taskId)), Effect.orDie)

  /** The message that each task began with. */
  const firstMessages = (accountId: AccountId, taskIds: ReadonlyArray<TaskId>) =>
    sql<{ readonly taskId: TaskId; readonly message: StoredMessage }>`
      SELECT m.task_id AS "taskId", m.message FROM ${t.agent_messages} m
      WHERE m.account_id = ${accountId} AND m.task_id = ANY(${taskIds}::uuid[]) AND m.no = 0
    `.pipe(Effect.map((rows) => new Map(rows.map(({ message, taskId }) => [taskId, message]))), Effect.orDie)

  const condition = ({ accountId, after, contextId, credentialId, phases }: TaskQuery) =>
    sql.and([
      sql`t.account_id = ${accountId} AND t.credential_id = ${credentialId}`,
      ...(contextId === null ? [] : [sql`t.context_id = ${contextId}`]),
      // As literals, by which the planner knows the partial indexes.
      ...(phases === null ? [] : [sql.literal(`t.phase IN (${phases.map((phase) => `'${phase}'`).join()})`)]),
      ...(after === null ? [] : [sql`t.status_time >= ${after}`])
    ])

  const list = (query: TaskQuery, from: PagePlace | null, limit: number) =>
    sql<StoredTask>`
      SELECT ${columns} FROM ${t.agent_tasks} t
      WHERE ${condition(query)} AND ${
      from === null ? sql`TRUE` : sql`(t.status_time, t.id) < (${from.time}::timestamptz, ${from.id}::uuid)`
    }
      ORDER BY t.status_time DESC, t.id DESC LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  /** How many there are, counted up to `most`. */
  const count = (query: TaskQuery, most: number) =>
    sql<{ readonly count: number }>`
      SELECT count(*)::float8 AS count FROM (SELECT FROM ${t.agent_tasks} t WHERE ${
      condition(query)
    } LIMIT ${most}::int) counted
    `.pipe(Effect.map(([row]) => row!.count), Effect.orDie)

  /** The account's tasks of all credentials, the newest first. */
  const listAll = (accountId: AccountId, from: PagePlace | null, limit: number) =>
    sql<StoredTask>`
      SELECT ${columns} FROM ${t.agent_tasks} t WHERE t.account_id = ${accountId} AND ${
      from === null ? sql`TRUE` : sql`(t.insert_time, t.id) < (${from.time}::timestamptz, ${from.id}::uuid)`
    }
      ORDER BY t.insert_time DESC, t.id DESC LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  const byIds = (accountId: AccountId, ids: ReadonlyArray<TaskId>) =>
    sql<StoredTask>`
      SELECT ${columns} FROM ${t.agent_tasks} t WHERE t.account_id = ${accountId} AND t.id = ANY(${ids}::uuid[])
    `.pipe(Effect.orDie)

  /** Earlier tasks of the same conversation, the newest first. */
  const earlier = (task: StoredTask, limit: number) =>
    sql<StoredTask>`
      SELECT ${columns} FROM ${t.agent_tasks} t
      WHERE t.account_id = ${task.accountId} AND t.credential_id = ${task.credentialId} AND t.context_id = ${task.contextId}
        AND (t.insert_time, t.id) < (${task.insertTime}, ${task.id}) AND t.phase IN ('completed', 'failed', 'canceled', 'waiting')
      ORDER BY t.insert_time DESC, t.id DESC LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  return {
    insert,
    save,
    saveUnchanged,
    beginQueued,
    find,
    ofMessage,
    isLive,
    startable,
    isStartable,
    cancelQueued,
    begun,
    insertMessage,
    messages,
    firstMessages,
    list,
    count,
    listAll,
    byIds,
    earlier
  }
})

export class TasksRepo extends Context.Service<TasksRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/tasks/TasksRepo"
) {
  static readonly layer = Layer.effect(TasksRepo, make)
}
