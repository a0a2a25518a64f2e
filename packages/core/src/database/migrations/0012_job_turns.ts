import { Effect } from "effect"
import { Database } from "../Database.ts"

/** Whose a job is, by its key, so that accounts can take turns: without looking through one's thousands for another's first. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  yield* sql`
    ALTER TABLE ${t.jobs} ADD COLUMN account text COLLATE "C" NOT NULL GENERATED ALWAYS AS (split_part(key, '/', 1)) STORED
  `
  yield* sql`CREATE INDEX jobs_account ON ${t.jobs} (kind, account, run_time)`
})
