import { Effect } from "effect"
import { Database } from "../Database.ts"

/** What happened on an account's drive, and who opened its files. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  // seq is the account's own count, taken under its lock: so it shows events in the order they were committed.
  // folder_id is where the thing was when it happened; nothing else changes an event either, so no row is ever updated.
  // Without a key to accounts: appending takes the number from that very row.
  yield* sql`
    CREATE TABLE ${t.events} (
      account_id    uuid NOT NULL,
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
  // Where a time begins, among events of one time too.
  yield* sql`CREATE INDEX events_time ON ${t.events} (account_id, time, seq)`
  // What the feed can be narrowed to, each by the one kind that is meant: so most inserts touch none of these.
  for (
    const [kind, column] of [
      ["view", "file_id"],
      ["drop", "request_id"],
      ["note", "review_id"],
      ["generation", "generation_id"]
    ] as const
  ) {
    yield* sql`
      CREATE INDEX ${sql(`events_${column}`)} ON ${t.events} (${sql(column)}, seq) WHERE kind = ${
      sql.literal(`'${kind}'`)
    }
    `
  }
  // Time within an account never runs backwards, whatever the clocks of its servers say.
  yield* sql`ALTER TABLE ${t.accounts} ADD COLUMN event_time timestamptz`

  // Opens of a file by anyone but its owner: in all, by day (UTC), and by day and viewer. A viewer is a hash that nobody
  // can retrace once its day's salt is gone; user_id is there for those that may be named, and only they are kept.
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
  yield* sql`CREATE INDEX file_viewers_named ON ${t.file_viewers} (file_id, day) WHERE user_id IS NOT NULL`
  yield* sql`CREATE INDEX file_viewers_unnamed ON ${t.file_viewers} (day) WHERE user_id IS NULL`
  yield* sql`CREATE TABLE ${t.view_salts} (day date PRIMARY KEY, salt bytea NOT NULL)`
})
