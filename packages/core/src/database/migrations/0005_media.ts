import { Effect } from "effect"
import { Database } from "../Database.ts"

/** What media work keeps. */
export default Effect.gen(function*() {
  const { schema, sql, tables: t } = yield* Database

  // A file is shown by one picture at most, whoever gives it one at the same time. Records look it up by this.
  yield* sql`DROP INDEX ${sql(`${schema}.files_derivatives`)}`
  yield* sql`
    CREATE UNIQUE INDEX files_derivatives ON ${t.files} (derivative_of) WHERE derivative_of IS NOT NULL
  `
})
