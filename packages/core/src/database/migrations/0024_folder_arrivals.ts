import { Effect } from "effect"
import { Database } from "../Database.ts"

/**
 * How often files have come to a folder: what tells the call that deletes it whether it has been through all of them.
 *
 * Files lose their key to folders. A file comes to a folder, and a folder goes, only under their account's lock, by whoever
 * has looked. The key looked once more, at the places in its index of all files that had left the folder.
 */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  yield* sql`ALTER TABLE ${t.folders} ADD COLUMN arrivals bigint NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE ${t.files} DROP CONSTRAINT files_folder_id_fkey`
})
