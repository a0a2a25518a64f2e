import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/**
 * Tokens that expire have a job at that time, which ends what they have. And a folder is only deleted after the tokens that are limited to it:
 * the key took them with it, and what they had stayed.
 */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  yield* sql`
    INSERT INTO ${t.jobs} (kind, key, run_time, insert_time)
    SELECT 'apiTokens.expire', account_id || '/' || id, expire_time, now() FROM ${t.api_tokens}
    WHERE expire_time IS NOT NULL
    ON CONFLICT (kind, key) DO NOTHING
  `
  yield* sql`
    ALTER TABLE ${t.api_tokens} DROP CONSTRAINT api_tokens_folder_id_fkey,
      ADD CONSTRAINT api_tokens_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES ${t.folders}
  `
})
