import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** Access tokens of public links with a password. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  // link_id without a key: links are rows of several tables. A row whose link has gone opens nothing, and is swept when it expires.
  yield* sql`
    CREATE TABLE ${t.link_accesses} (
      token_hash  bytea PRIMARY KEY,
      account_id  uuid NOT NULL REFERENCES ${t.accounts},
      link_id     uuid NOT NULL,
      expire_time timestamptz NOT NULL
    )
  `
  yield* sql`CREATE INDEX link_accesses_link ON ${t.link_accesses} (link_id, expire_time)`
  yield* sql`CREATE INDEX link_accesses_expire ON ${t.link_accesses} (expire_time)`
})
