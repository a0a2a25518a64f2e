import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** The refresh token that was replaced last, whose answer may be asked for again. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  // With the token's text and the salt the tokens of that answer are made again. The salt is forgotten after half a minute.
  yield* sql`
    ALTER TABLE ${t.oauth_grants} ADD COLUMN replaced_hash bytea, ADD COLUMN replaced_salt bytea, ADD COLUMN replaced_time timestamptz
  `
})
