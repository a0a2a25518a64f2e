import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** What tasks of the agent's wait for. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  // Counted in the row that every transaction locks: so a drive without tasks pays nothing for them.
  yield* sql`
    ALTER TABLE ${t.accounts}
      ADD COLUMN tasks_active int NOT NULL DEFAULT 0 CHECK (tasks_active >= 0),
      ADD COLUMN tasks_waiting int NOT NULL DEFAULT 0 CHECK (tasks_waiting >= 0)
  `

  // One for each task that waits. It stays, woken, until the task has read what happened.
  yield* sql`
    CREATE TABLE ${t.agent_waits} (
      id            uuid PRIMARY KEY,
      account_id    uuid NOT NULL REFERENCES ${t.accounts},
      task_id       uuid NOT NULL UNIQUE,
      kind          text NOT NULL,
      target_id     text,
      target_name   text,
      folder_path   text,
      -- As folders.folded_path; empty for the whole drive.
      folded_path   text,
      within_folder uuid,
      text          text NOT NULL,
      since_time    timestamptz NOT NULL,
      until_time    timestamptz NOT NULL,
      woken         jsonb,
      -- Its number among what happened.
      woken_no      bigint
    )
  `
  yield* sql`CREATE INDEX agent_waits_account ON ${t.agent_waits} (account_id, kind, target_id) WHERE woken IS NULL`

  // What happened while some task of the account had not ended: it may be about to wait for it.
  yield* sql`
    CREATE TABLE ${t.agent_happenings} (
      account_id uuid NOT NULL,
      no         bigint GENERATED ALWAYS AS IDENTITY,
      kind       text NOT NULL,
      target_id  text,
      folder_id  uuid,
      event      jsonb NOT NULL,
      time       timestamptz NOT NULL,
      PRIMARY KEY (account_id, no)
    )
  `
  yield* sql`CREATE INDEX agent_happenings_time ON ${t.agent_happenings} (time)`
})
