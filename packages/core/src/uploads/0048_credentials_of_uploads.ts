import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** Forms and uploads know the API token that began them, with which they end. Of those begun before nothing is known: they lapse. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  // Without a key to tokens: those end first, and what was begun with them in the same transaction.
  yield* sql`ALTER TABLE ${t.upload_forms} ADD COLUMN api_token_id uuid`
  yield* sql`ALTER TABLE ${t.uploads} ADD COLUMN api_token_id uuid`
})
