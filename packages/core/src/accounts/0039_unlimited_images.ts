import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** Users without a limit of images. One with neither this nor monthly_images has the allowance of the plan. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  yield* sql`ALTER TABLE ${t.profiles} ADD COLUMN unlimited_images boolean NOT NULL DEFAULT false`
})
