import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** Archives know the API token that requested them. Of those requested before nothing is known: nobody's token ends them by that. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  // Without a key to tokens: an archive outlives the token that requested it.
  yield* sql`ALTER TABLE ${t.archives} ADD COLUMN api_token_id uuid`
})
