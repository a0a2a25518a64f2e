import { Effect } from "effect"
import { Database } from "../Database.ts"

/** What the call might do that opened a file's upload: a call that may not read is told of its own uploads' files only. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  // Null for everything, and for files from before this was noted.
  yield* sql`ALTER TABLE ${t.files} ADD COLUMN added_permissions text[]`
})
