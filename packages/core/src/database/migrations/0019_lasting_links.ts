import { DateTime, Effect } from "effect"
import { Database } from "../Database.ts"

/**
 * Where the lasting links of public files lead whose bytes are out of strangers' reach while they are in trash. Public
 * files that are in trash already are taken there by the job asked for here.
 */
export default Effect.gen(function*() {
  const { schema, sql, tables: t } = yield* Database

  // Set only while `is_public` is false, that is while the bytes are in the private bucket.
  yield* sql`ALTER TABLE ${t.files} ADD COLUMN public_key text COLLATE "C"`
  yield* sql`
    ALTER TABLE ${t.files} ADD CONSTRAINT files_public_key_check CHECK (public_key IS NULL OR NOT is_public) NOT VALID
  `
  yield* sql`ALTER TABLE ${sql(`${schema}.file_moves`)} ADD COLUMN keeps_link boolean NOT NULL DEFAULT false`
  yield* sql`
    CREATE INDEX files_misplaced ON ${t.files} (account_id, id)
    WHERE derivative_of IS NULL
      AND ((is_public AND trash_time IS NOT NULL) OR (public_key IS NOT NULL AND trash_time IS NULL))
  `
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`
    INSERT INTO ${t.jobs} (kind, key, run_time, insert_time)
    SELECT DISTINCT 'files.links', account_id::text, ${now}::timestamptz, ${now}::timestamptz FROM ${t.files}
    WHERE derivative_of IS NULL AND is_public AND trash_time IS NOT NULL
  `
})
