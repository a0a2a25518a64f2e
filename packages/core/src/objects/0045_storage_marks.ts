import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** How far the database knows storage, and which pending deletions wait because the two are of different times. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  yield* sql`
    CREATE TABLE ${t.storage_marks} (
      id          int PRIMARY KEY CHECK (id = 1),
      epoch       uuid NOT NULL,
      time        timestamptz NOT NULL,
      -- The last time that storage has confirmed.
      stored_time timestamptz,
      -- Since when nothing is removed; null: removals go on.
      held_time   timestamptz
    )
  `
  yield* sql`CREATE TABLE ${t.storage_gaps} (from_time timestamptz NOT NULL, to_time timestamptz NOT NULL)`
  yield* sql`ALTER TABLE ${t.pending_deletions} ADD COLUMN is_held boolean NOT NULL DEFAULT FALSE`
})
