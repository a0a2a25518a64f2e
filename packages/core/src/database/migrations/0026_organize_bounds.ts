import { Effect } from "effect"
import { Database } from "../Database.ts"

/**
 * What keeps calls that organize to what they may see, and each of their statements to some rows.
 *
 * A list knows the folder that the call which made it was limited to: such calls see it before it holds a file. Without a
 * key: an id that no folder has any longer lets nobody in.
 */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  yield* sql`ALTER TABLE ${t.lists} ADD COLUMN folder_id uuid`
  yield* sql`CREATE INDEX lists_folder ON ${t.lists} (account_id) WHERE folder_id IS NOT NULL`

  // Of a folder that is elsewhere since just now: what is inside it follows from there.
  yield* sql`ALTER TABLE ${t.folders} ADD COLUMN former_path text, ADD COLUMN former_folded_path text COLLATE "C"`
  yield* sql`CREATE INDEX folders_moving ON ${t.folders} (account_id) WHERE former_path IS NOT NULL`

  // Listed page by page, by what never changes.
  yield* sql`CREATE INDEX folders_account ON ${t.folders} (account_id, id)`
  yield* sql`CREATE INDEX tags_account ON ${t.tags} (account_id, id)`
})
