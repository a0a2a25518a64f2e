/** Webhooks of tasks in SQL, and what is still to be delivered. The only module that writes `agent_webhooks` and `agent_deliveries`. */
import { Context, DateTime, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { AccountId, ApiTokenId, TaskId, WebhookId } from "../shared/Ids.ts"
import type { StoredTask } from "./StoredTask.ts"
import type { PendingReport, StoredWebhook } from "./StoredWebhook.ts"

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  const columns = sql.literal(`w.id, w.task_id AS "taskId", w.name, w.url, w.token, w.scheme, w.credentials`)

  /** Removes the one of this name, with what was to be delivered to it. */
  const remove = (accountId: AccountId, taskId: TaskId, name: string) =>
    sql`DELETE FROM ${t.agent_webhooks} WHERE account_id = ${accountId} AND task_id = ${taskId} AND name = ${name} RETURNING 1`
      .pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  const insert = (accountId: AccountId, webhook: StoredWebhook) =>
    sql`
      INSERT INTO ${t.agent_webhooks} (id, account_id, task_id, name, url, token, scheme, credentials)
      VALUES (${webhook.id}, ${accountId}, ${webhook.taskId}, ${webhook.name}, ${webhook.url}, ${webhook.token},
        ${webhook.scheme}, ${webhook.credentials})
    `.pipe(Effect.asVoid, Effect.orDie)

  const list = (accountId: AccountId, taskId: TaskId) =>
    sql<StoredWebhook>`
      SELECT ${columns} FROM ${t.agent_webhooks} w WHERE w.account_id = ${accountId} AND w.task_id = ${taskId} ORDER BY w.name
    `.pipe(Effect.orDie)

  const find = (accountId: AccountId, id: WebhookId) =>
    sql<StoredWebhook>`SELECT ${columns} FROM ${t.agent_webhooks} w WHERE w.account_id = ${accountId} AND w.id = ${id}`
      .pipe(
        Effect.map(([row]) => row ?? null),
        Effect.orDie
      )

  /** Removes those of all tasks of a credential (null: of every one), with what is to be delivered. */
  const removeAll = (accountId: AccountId, credentialId: ApiTokenId | null) =>
    sql`
      DELETE FROM ${t.agent_webhooks} w USING ${t.agent_tasks} t
      WHERE w.account_id = ${accountId} AND t.id = w.task_id AND t.account_id = ${accountId}
        AND (${credentialId}::uuid IS NULL OR t.credential_id = ${credentialId}::uuid)
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Notes a change for each webhook of the task, and returns their ids. */
  const note = (task: StoredTask, now: DateTime.Utc) =>
    sql<{ readonly id: WebhookId }>`
      INSERT INTO ${t.agent_deliveries} (webhook_id, no, account_id, task, due_time)
      SELECT w.id, ${task.reports}, ${task.accountId}, ${JSON.stringify(task)}::jsonb, ${DateTime.toDateUtc(now)}
      FROM ${t.agent_webhooks} w WHERE w.account_id = ${task.accountId} AND w.task_id = ${task.id}
      RETURNING webhook_id AS id
    `.pipe(Effect.map((rows) => rows.map(({ id }) => id)), Effect.orDie)

  /** What is to be delivered, the oldest first. */
  const pending = (accountId: AccountId, id: WebhookId) =>
    sql<PendingReport>`
      SELECT no, task, attempts, due_time AS "dueTime" FROM ${t.agent_deliveries}
      WHERE account_id = ${accountId} AND webhook_id = ${id} ORDER BY no
    `.pipe(Effect.orDie)

  /** The change `no` is sent: older ones, each of which was tried before, are not sent any more. */
  const forgetOlder = (accountId: AccountId, id: WebhookId, no: number) =>
    sql`DELETE FROM ${t.agent_deliveries} WHERE account_id = ${accountId} AND webhook_id = ${id} AND no < ${no}`.pipe(
      Effect.asVoid,
      Effect.orDie
    )

  const failed = (
    accountId: AccountId,
    id: WebhookId,
    { attempts, dueTime, no }: Pick<PendingReport, "no" | "attempts" | "dueTime">
  ) =>
    sql`
      UPDATE ${t.agent_deliveries} SET attempts = ${attempts}, due_time = ${dueTime}
      WHERE account_id = ${accountId} AND webhook_id = ${id} AND no = ${no}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** It was delivered, or is given up. */
  const forget = (accountId: AccountId, id: WebhookId, no: number) =>
    sql`DELETE FROM ${t.agent_deliveries} WHERE account_id = ${accountId} AND webhook_id = ${id} AND no = ${no}`.pipe(
      Effect.asVoid,
      Effect.orDie
    )

  return { remove, removeAll, insert, list, find, note, pending, forgetOlder, failed, forget }
})

export class WebhooksRepo extends Context.Service<WebhooksRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/tasks/WebhooksRepo"
) {
  static readonly layer = Layer.effect(WebhooksRepo, make)
}
