import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** A used code stays when its grant ends, so that its page is not answered again. An account keeps a bounded number of codes. */
export default Effect.gen(function*() {
  const { schema, sql, tables: t } = yield* Database

  yield* sql`ALTER TABLE ${t.oauth_codes} DROP CONSTRAINT oauth_codes_grant_id_fkey`
  yield* sql`DROP INDEX ${sql(`${schema}.oauth_codes_grant`)}`
  yield* sql`CREATE INDEX oauth_codes_account ON ${t.oauth_codes} (account_id, expire_time)`
})
