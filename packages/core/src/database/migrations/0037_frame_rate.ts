import { Effect } from "effect"
import { Database } from "../Database.ts"

/** How many frames a video shows a second, as a fraction. Unknown for those of before until they are extracted again. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  yield* sql`ALTER TABLE ${t.file_media} ADD COLUMN frame_rate text`
})
