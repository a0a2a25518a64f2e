import { Effect } from "effect"
import { Database } from "../Database.ts"

/** Counts the transactions that changed anything of an account, so that what was read of it can be remembered. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  yield* sql`ALTER TABLE ${t.accounts} ADD COLUMN revision bigint NOT NULL DEFAULT 0`
})
