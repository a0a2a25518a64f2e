import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** Archives know the credential that requested them. Of those requested before nothing is known. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  // Without a key to tokens: an archive outlives the token that requested it.
  yield* sql`ALTER TABLE ${t.archives} ADD COLUMN credential text`
})
