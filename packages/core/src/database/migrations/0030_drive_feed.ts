import { Effect } from "effect"
import { Database } from "../Database.ts"

/**
 * The feed of the whole drive: events in the order of the transactions that appended them. Those that are there already have
 * the number 0, which rewrites no row, and are read first, account by account.
 */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  yield* sql`ALTER TABLE ${t.events} ADD COLUMN order_no bigint NOT NULL DEFAULT 0`
  // Only for servers of the release before that are still running: this one names the number.
  yield* sql`ALTER TABLE ${t.events} ALTER COLUMN order_no SET DEFAULT pg_current_xact_id()::text::bigint`
  yield* sql`CREATE INDEX events_order ON ${t.events} (order_no, account_id, seq)`
  // The number of the account's last event: no later one has a lower number.
  yield* sql`ALTER TABLE ${t.accounts} ADD COLUMN event_order_no bigint NOT NULL DEFAULT 0`
  // What is added to the server's numbers of transactions; without a row nothing is: see TransactionNumbers.ts.
  yield* sql`CREATE TABLE ${t.event_numbering} (added bigint NOT NULL)`
})
