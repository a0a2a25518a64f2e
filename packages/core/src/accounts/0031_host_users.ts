import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** The host's own id (any text) of a user whose account id is made of that text. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  yield* sql`CREATE TABLE ${t.host_users} (account_id uuid PRIMARY KEY, user_id text NOT NULL)`
})
