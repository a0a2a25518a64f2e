/** What brains read of tasks, in SQL. The only module that writes `agent_entries` and `agent_calls`. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import * as Pipeline from "../database/Pipeline.ts"
import type { AccountId, TaskId } from "../shared/Ids.ts"
import type { StoredTask, TaskCall, TaskEntry } from "./StoredTask.ts"

type Of = Pick<StoredTask, "id" | "accountId">

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  const insertEntry = ({ accountId, id }: Of, { content, no, role }: TaskEntry) =>
    sql`
      INSERT INTO ${t.agent_entries} (task_id, no, account_id, role, content)
      VALUES (${id}, ${no}, ${accountId}, ${role}, ${JSON.stringify(content)}::jsonb)
    `.pipe(Effect.asVoid, Effect.orDie, Pipeline.unawaited)

  /** Several at once. */
  const insertEntries = ({ accountId, id }: Of, entries: ReadonlyArray<TaskEntry>) =>
    entries.length === 0 ? Effect.void : sql`
      INSERT INTO ${t.agent_entries} (task_id, no, account_id, role, content)
      SELECT ${id}::uuid, (e ->> 'no')::int, ${accountId}::uuid, e ->> 'role', e -> 'content'
      FROM jsonb_array_elements(${JSON.stringify(entries)}::jsonb) e
    `.pipe(Effect.asVoid, Effect.orDie, Pipeline.unawaited)

  const insertCalls = ({ accountId, id }: Of, calls: ReadonlyArray<TaskCall>) =>
    calls.length === 0 ? Effect.void : sql`
      INSERT INTO ${t.agent_calls} (task_id, account_id, entry_no, no, call_id, name, args, state, is_failure, result)
      SELECT ${id}::uuid, ${accountId}::uuid, (c ->> 'entryNo')::int, (c ->> 'no')::int, c ->> 'callId', c ->> 'name',
        coalesce(c -> 'args', 'null'::jsonb), c ->> 'state', (c ->> 'isFailure')::boolean, nullif(c -> 'result', 'null'::jsonb)
      FROM jsonb_array_elements(${JSON.stringify(calls)}::jsonb) c
    `.pipe(Effect.asVoid, Effect.orDie, Pipeline.unawaited)

  const json = (value: unknown) => value === null || value === undefined ? null : JSON.stringify(value)

  const saveCall = ({ accountId, id }: Of, { before, entryNo, isFailure, no, result, state }: TaskCall) =>
    sql`
      UPDATE ${t.agent_calls} SET state = ${state}, before = ${json(before)}::jsonb, is_failure = ${isFailure}::boolean,
        result = ${json(result)}::jsonb
      WHERE account_id = ${accountId} AND task_id = ${id} AND entry_no = ${entryNo} AND no = ${no}
    `.pipe(Effect.asVoid, Effect.orDie, Pipeline.unawaited)

  const entries = (accountId: AccountId, taskIds: ReadonlyArray<TaskId>) =>
    sql<TaskEntry & { readonly taskId: TaskId }>`
      SELECT task_id AS "taskId", no, role, content FROM ${t.agent_entries}
      WHERE account_id = ${accountId} AND task_id = ANY(${taskIds}::uuid[]) ORDER BY task_id, no
    `.pipe(Effect.orDie)

  const calls = (accountId: AccountId, taskIds: ReadonlyArray<TaskId>) =>
    sql<TaskCall & { readonly taskId: TaskId }>`
      SELECT task_id AS "taskId", entry_no AS "entryNo", no, call_id AS "callId", name, args, state, before,
        is_failure AS "isFailure", result
      FROM ${t.agent_calls} WHERE account_id = ${accountId} AND task_id = ANY(${taskIds}::uuid[])
      ORDER BY task_id, entry_no, no
    `.pipe(Effect.orDie)

  return { insertEntry, insertEntries, insertCalls, saveCall, entries, calls }
})

export class TranscriptsRepo extends Context.Service<TranscriptsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/tasks/TranscriptsRepo"
) {
  static readonly layer = Layer.effect(TranscriptsRepo, make)
}
