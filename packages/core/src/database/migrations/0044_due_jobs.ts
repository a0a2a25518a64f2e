import { Effect } from "effect"
import { Database } from "../Database.ts"

/**
 * Jobs that wait for their accounts' turns are marked, so that turns pass over accounts with only later jobs. A job that a former release
 * enqueues meanwhile is not marked: the next poll marks it when its time has come. And each job records when its time was decided, since a
 * clock that was ahead then has made it too late.
 */
export default Effect.gen(function*() {
  const { schema, sql, tables: t } = yield* Database

  yield* sql`ALTER TABLE ${t.jobs} ADD COLUMN is_due boolean NOT NULL DEFAULT false, ADD COLUMN set_time timestamptz`
  yield* sql`DROP INDEX ${sql(`${schema}.jobs_account`)}, ${sql(`${schema}.jobs_due`)}`
  yield* sql`CREATE INDEX jobs_account ON ${t.jobs} (kind, account, run_time) WHERE is_due`
  yield* sql`CREATE INDEX jobs_due ON ${t.jobs} (kind, run_time) WHERE NOT is_due`
})
