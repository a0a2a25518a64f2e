import { Effect } from "effect"
import { Database } from "../Database.ts"

/** What happened on an account's drive, and who opened its files. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  // seq is the account's own count, taken under its lock: so it shows events in the order they were committed.
  // folder_id is where the thing was when it happened; nothing else changes an event either, so no row is ever updated.
  yield* sql`
    CREATE TABLE ${t.events} (
      account_id    uuid NOT NULL REFERENCES ${t.accounts},
      seq           bigint NOT NULL,
      id            uuid NOT NULL,
      kind          text NOT NULL CHECK (kind IN ('drop', 'note', 'view', 'file', 'generation')),
      time          timestamptz NOT NULL,
      folder_id     uuid,
      file_id       uuid,
      request_id    uuid,
      review_id     uuid,
      generation_id uuid,
      payload       jsonb NOT NULL,
      PRIMARY KEY (account_id, seq)
    )
  `
  yield* sql`CREATE INDEX events_time ON ${t.events} (account_id, time)`
  for (const column of ["file_id", "request_id", "review_id", "generation_id"] as const) {
    yield* sql`
      CREATE INDEX ${sql(`events_${column}`)} ON ${t.events} (${sql(column)}, seq) WHERE ${sql(column)} IS NOT NULL
    `
  }
  // Time within an account never runs backwards, whatever the clocks of its servers say.
  yield* sql`ALTER TABLE ${t.accounts} ADD COLUMN event_time timestamptz`

  // Opens of a file by anyone but its owner: in all, by day (UTC), and by day and viewer. A viewer without an account is a hash.
  yield* sql`
    CREATE TABLE ${t.file_views} (
      file_id        uuid PRIMARY KEY REFERENCES ${t.files} ON DELETE CASCADE,
      account_id     uuid NOT NULL REFERENCES ${t.accounts},
      views          bigint NOT NULL,
      last_view_time timestamptz NOT NULL
    ) WITH (fillfactor = 70)
  `
  yield* sql`CREATE INDEX file_views_account ON ${t.file_views} (account_id)`
  yield* sql`
    CREATE TABLE ${t.file_view_days} (
      account_id uuid NOT NULL REFERENCES ${t.accounts},
      day        date NOT NULL,
      file_id    uuid NOT NULL REFERENCES ${t.files} ON DELETE CASCADE,
      views      int NOT NULL,
      PRIMARY KEY (account_id, day, file_id)
    ) WITH (fillfactor = 70)
  `
  yield* sql`CREATE INDEX file_view_days_file ON ${t.file_view_days} (file_id, day)`
  yield* sql`
    CREATE TABLE ${t.file_viewers} (
      file_id uuid NOT NULL REFERENCES ${t.files} ON DELETE CASCADE,
      day     date NOT NULL,
      viewer  text COLLATE "C" NOT NULL,
      user_id uuid,
      views   int NOT NULL,
      last_view_time timestamptz NOT NULL,
      PRIMARY KEY (file_id, day, viewer)
    ) WITH (fillfactor = 70)
  `
})
