import { Effect } from "effect"
import { Database } from "../Database.ts"

/** What an archive was asked for, by which an equal one is found; and which files of one can't be read, how often in a row. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  // request: a hash of everything that makes the archive what it is; null for those from before there was one.
  // unread: how often a file could not be read although it is there, since the last part.
  yield* sql`ALTER TABLE ${t.archives} ADD COLUMN request text COLLATE "C"`
  yield* sql`ALTER TABLE ${t.archive_entries} ADD COLUMN unread int NOT NULL DEFAULT 0`
  yield* sql`CREATE INDEX archive_entries_unread ON ${t.archive_entries} (archive_id) WHERE unread > 0`
  yield* sql`CREATE INDEX archives_kept ON ${t.archives} (account_id) WHERE state <> 'failed'`
  yield* sql`ALTER TABLE ${t.archive_entries} DROP CONSTRAINT archive_entries_skipped_check`
  yield* sql`
    ALTER TABLE ${t.archive_entries} ADD CONSTRAINT archive_entries_skipped_check
      CHECK (skipped IN ('not_found', 'trashed', 'bytes_missing', 'unreadable')) NOT VALID
  `
})
