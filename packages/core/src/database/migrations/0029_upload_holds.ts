import { Effect } from "effect"
import { Database } from "../Database.ts"

/** An upload knows what it holds against the quota: of those opened before, the size they have now is all that is known. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  yield* sql`ALTER TABLE ${t.uploads} ADD COLUMN held bigint CHECK (held >= 0)`
  yield* sql`UPDATE ${t.uploads} SET held = CASE WHEN state <> 'gone' AND file_id IS NULL THEN size ELSE 0 END`
  yield* sql`ALTER TABLE ${t.uploads} ALTER COLUMN held SET NOT NULL`
})
