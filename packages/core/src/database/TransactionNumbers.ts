/**
 * Numbers of transactions that only grow, by which the drive's feed is read.
 *
 * A server numbers its transactions. When a dump of the database is restored into another server, which begins anew, the
 * next events would have lower numbers than those that are there, and readers would never come to them. So a number is the
 * server's with `event_numbering.added`, which is raised then.
 */
import { Effect } from "effect"
import type { Database } from "./Database.ts"

/** The number of the newest event, if this server has not come to it. */
const restored = ({ sql, tables: t }: Database["Service"]) =>
  sql<{ readonly newest: string }>`
    SELECT newest.no::text AS newest FROM (
      SELECT e.order_no AS no FROM ${t.events} e ORDER BY e.order_no DESC LIMIT 1
    ) newest
    WHERE newest.no >= coalesce((SELECT n.added FROM ${t.event_numbering} n), 0) + pg_snapshot_xmax(pg_current_snapshot())::text::bigint
  `

/** Whether events have numbers that this server has not come to. */
export const isRestored = (database: Database["Service"]) => Effect.map(restored(database), (found) => found.length > 0)

/** Raises `added` if events have numbers that this server has not come to. Runs in the transaction of the migrations. */
export const continueAfterRestore = Effect.fnUntraced(function*(database: Database["Service"]) {
  const { sql, tables: t } = database
  if ((yield* restored(database)).length === 0) return
  // Transactions that append events wait, and then append with the new number.
  yield* sql`LOCK TABLE ${t.events} IN SHARE ROW EXCLUSIVE MODE`
  const [found] = yield* restored(database)
  if (found === undefined) return
  yield* sql`DELETE FROM ${t.event_numbering}`
  yield* sql`INSERT INTO ${t.event_numbering} (added) VALUES (${found.newest}::text::bigint)`
})
