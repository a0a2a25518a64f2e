import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** Tasks of the agent's, what was said in them, what was called, and where they are reported. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  // credential_id without a key: an account's owner sees the tasks of a token that was revoked.
  // run: a run of the job is outdated once another has begun. reports: how many changes were told.
  yield* sql`
    CREATE TABLE ${t.agent_tasks} (
      id              uuid PRIMARY KEY,
      account_id      uuid NOT NULL REFERENCES ${t.accounts},
      credential_id   uuid NOT NULL,
      credential_name text NOT NULL,
      context_id      text COLLATE "C" NOT NULL,
      phase           text NOT NULL,
      status_time     timestamptz NOT NULL,
      -- The message of the status, which is not part of the history yet.
      status_message  jsonb,
      artifacts       jsonb NOT NULL DEFAULT '[]',
      metadata        jsonb,
      -- When it came into its queue.
      queue_time      timestamptz NOT NULL,
      insert_time     timestamptz NOT NULL,
      run             int NOT NULL DEFAULT 0,
      steps           int NOT NULL DEFAULT 0,
      tokens          bigint NOT NULL DEFAULT 0,
      messages        int NOT NULL DEFAULT 0,
      entries         int NOT NULL DEFAULT 0,
      reports         int NOT NULL DEFAULT 0,
      webhooks        int NOT NULL DEFAULT 0,
      -- What happened up to here is nothing that it waits for.
      happened_no     bigint NOT NULL DEFAULT 0
    )
  `
  yield* sql`CREATE INDEX agent_tasks_listed ON ${t.agent_tasks} (account_id, credential_id, status_time DESC, id DESC)`
  yield* sql`CREATE INDEX agent_tasks_context ON ${t.agent_tasks} (account_id, credential_id, context_id, insert_time DESC)`
  yield* sql`CREATE INDEX agent_tasks_owned ON ${t.agent_tasks} (account_id, insert_time DESC, id DESC)`
  yield* sql`
    CREATE INDEX agent_tasks_open ON ${t.agent_tasks} (account_id, queue_time, id)
    WHERE phase IN ('queued', 'running', 'waiting', 'woken')
  `
  // The next of each conversation, and those at work, without reading the queue.
  yield* sql`
    CREATE INDEX agent_tasks_next ON ${t.agent_tasks} (account_id, credential_id, context_id, queue_time, id)
    WHERE phase IN ('queued', 'woken')
  `
  yield* sql`CREATE INDEX agent_tasks_running ON ${t.agent_tasks} (account_id, credential_id, context_id) WHERE phase = 'running'`

  // Few among many that are completed.
  yield* sql`
    CREATE INDEX agent_tasks_not_done ON ${t.agent_tasks} (account_id, credential_id, phase, status_time DESC, id DESC)
    WHERE phase IN ('failed', 'canceled')
  `

  // The history. fingerprint: of a caller's message, so that the same one sent again is the same.
  yield* sql`
    CREATE TABLE ${t.agent_messages} (
      task_id       uuid NOT NULL REFERENCES ${t.agent_tasks} ON DELETE CASCADE,
      no            int NOT NULL,
      account_id    uuid NOT NULL,
      credential_id uuid NOT NULL,
      fingerprint   bytea,
      message       jsonb NOT NULL,
      PRIMARY KEY (task_id, no)
    )
  `
  yield* sql`
    CREATE UNIQUE INDEX agent_messages_sent ON ${t.agent_messages} (credential_id, fingerprint) WHERE fingerprint IS NOT NULL
  `

  // What the brain reads: messages of callers and answers of the brain, encoded as effect's prompts.
  yield* sql`
    CREATE TABLE ${t.agent_entries} (
      task_id    uuid NOT NULL REFERENCES ${t.agent_tasks} ON DELETE CASCADE,
      no         int NOT NULL,
      account_id uuid NOT NULL,
      role       text NOT NULL CHECK (role IN ('user', 'assistant')),
      content    jsonb NOT NULL,
      PRIMARY KEY (task_id, no)
    )
  `

  // Calls of tools. asking: it may have been carried out, or not.
  yield* sql`
    CREATE TABLE ${t.agent_calls} (
      task_id    uuid NOT NULL REFERENCES ${t.agent_tasks} ON DELETE CASCADE,
      entry_no   int NOT NULL,
      no         int NOT NULL,
      account_id uuid NOT NULL,
      call_id    text NOT NULL,
      name       text NOT NULL,
      args       jsonb NOT NULL,
      state      text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'asking', 'done')),
      -- What was found before it was carried out, by which a second run tells whether the first has done it.
      before     jsonb,
      is_failure boolean,
      result     jsonb,
      PRIMARY KEY (task_id, entry_no, no)
    )
  `

  // The secrets are sealed.
  yield* sql`
    CREATE TABLE ${t.agent_webhooks} (
      id          uuid PRIMARY KEY,
      account_id  uuid NOT NULL,
      task_id     uuid NOT NULL REFERENCES ${t.agent_tasks} ON DELETE CASCADE,
      name        text COLLATE "C" NOT NULL,
      url         text NOT NULL,
      token       text,
      scheme      text,
      credentials text,
      UNIQUE (task_id, name)
    )
  `
  yield* sql`
    CREATE TABLE ${t.agent_deliveries} (
      webhook_id uuid NOT NULL REFERENCES ${t.agent_webhooks} ON DELETE CASCADE,
      no         int NOT NULL,
      account_id uuid NOT NULL,
      -- The task as it was, without its history.
      task       jsonb NOT NULL,
      attempts   int NOT NULL DEFAULT 0,
      due_time   timestamptz NOT NULL,
      PRIMARY KEY (webhook_id, no)
    )
  `
})
