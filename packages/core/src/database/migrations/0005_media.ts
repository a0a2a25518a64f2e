import { Effect } from "effect"
import { Database } from "../Database.ts"

/** What media work keeps. */
export default Effect.gen(function*() {
  const { schema, sql, tables: t } = yield* Database

  // A file is shown by one picture at most, whoever gives it one at the same time. Records look it up by this.
  yield* sql`DROP INDEX ${sql(`${schema}.files_derivatives`)}`
  yield* sql`
    CREATE UNIQUE INDEX files_derivatives ON ${t.files} (derivative_of) WHERE derivative_of IS NOT NULL
  `

  // How tracks sound. print: 32-bit numbers, little-endian; null: listened to, nothing to compare. keys: some of them, mixed
  // with the account, by which candidates are found.
  yield* sql`
    CREATE TABLE ${t.soundprints} (
      file_id    uuid PRIMARY KEY REFERENCES ${t.files} ON DELETE CASCADE,
      account_id uuid NOT NULL,
      print      bytea,
      keys       int[] NOT NULL
    )
  `
  // Numbers as random as these don't compress.
  yield* sql`ALTER TABLE ${t.soundprints} ALTER COLUMN print SET STORAGE EXTERNAL`
  // Without a list of what is still to be entered: every look would read all of that, and one search looks by a hundred keys.
  yield* sql`CREATE INDEX soundprints_keys ON ${t.soundprints} USING gin (keys) WITH (fastupdate = off)`
})
