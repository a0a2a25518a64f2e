import { Effect } from "effect"
import { Database } from "../Database.ts"

/** Tokens that a host's configuration names are told from others, so that one it no longer names can end. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  yield* sql`ALTER TABLE ${t.api_tokens} ADD COLUMN is_configured boolean NOT NULL DEFAULT FALSE`
  // What the example server called those of its environment until now.
  yield* sql`UPDATE ${t.api_tokens} SET is_configured = TRUE WHERE name = 'from the environment'`
  yield* sql`CREATE INDEX api_tokens_configured ON ${t.api_tokens} (account_id) WHERE is_configured`
})
