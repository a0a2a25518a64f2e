import { Effect } from "effect"
import { Database } from "../Database.ts"

/** How far the check of stored bytes is, and which files it found lost or damaged. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  yield* sql`
    CREATE TABLE ${t.scrubs} (
      id         int PRIMARY KEY CHECK (id = 1),
      start_time timestamptz NOT NULL,
      end_time   timestamptz,
      after_id   uuid,
      from_byte  bigint NOT NULL,
      files      bigint NOT NULL,
      bytes      bigint NOT NULL
    )
  `
  yield* sql`
    CREATE TABLE ${t.lost_files} (
      file_id    uuid PRIMARY KEY REFERENCES ${t.files} ON DELETE CASCADE,
      account_id uuid NOT NULL,
      store_key  text COLLATE "C" NOT NULL,
      found_time timestamptz NOT NULL
    )
  `
})
