import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** Generations know the credential that began them. Of those begun before nothing is known. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  yield* sql`ALTER TABLE ${t.generations} ADD COLUMN credential text`
})
