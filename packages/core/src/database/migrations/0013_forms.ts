import { Effect } from "effect"
import { Database } from "../Database.ts"

/**
 * Forms hold their bytes from issue: one open form a key, closed when it was used, superseded, cancelled or has expired.
 * Uploads and forms know the limits of who opened them; nothing is known of those opened before, so only a caller without
 * limits continues with them.
 */
export default Effect.gen(function*() {
  const { schema, sql, tables: t } = yield* Database

  // A closed form's row stays until storage refuses it or has removed what came on it.
  yield* sql`
    ALTER TABLE ${t.upload_forms}
      ADD COLUMN state text COLLATE "C" NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')),
      ADD COLUMN permissions text[],
      ADD COLUMN folder_id uuid
  `
  yield* sql`ALTER TABLE ${t.uploads} ADD COLUMN permissions text[], ADD COLUMN folder_id uuid`
  yield* sql`
    UPDATE ${t.upload_forms} f SET state = 'closed'
    WHERE EXISTS (SELECT 1 FROM ${t.files} g WHERE g.account_id = f.account_id AND g.object_key = f.object_key)
      OR EXISTS (
        SELECT 1 FROM ${t.upload_forms} newer
        WHERE newer.account_id = f.account_id AND newer.object_key = f.object_key
          AND (newer.insert_time, newer.id) > (f.insert_time, f.id)
      )
  `
  yield* sql`
    UPDATE ${t.accounts} a SET held_bytes = a.held_bytes + f.bytes
    FROM (SELECT account_id, sum(size) AS bytes FROM ${t.upload_forms} WHERE state = 'open' GROUP BY account_id) f
    WHERE a.id = f.account_id
  `
  yield* sql`DROP INDEX ${sql(`${schema}.upload_forms_key`)}`
  yield* sql`DROP INDEX ${sql(`${schema}.upload_forms_expire`)}`
  yield* sql`
    CREATE UNIQUE INDEX upload_forms_open ON ${t.upload_forms} (account_id, object_key) WHERE state = 'open'
  `
  yield* sql`CREATE INDEX upload_forms_expire ON ${t.upload_forms} (expire_time) WHERE state = 'open'`
  yield* sql`CREATE INDEX upload_forms_closed ON ${t.upload_forms} (id) WHERE state = 'closed'`
})
