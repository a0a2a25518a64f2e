import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** File requests. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  // The id is the secret of the link, so it is random as a whole. folder_id is null for the top of the drive and while the
  // folder is deleted; folder_path is where it was made, and where it was deleted, which is where it is made again.
  yield* sql`
    CREATE TABLE ${t.file_requests} (
      id             uuid PRIMARY KEY,
      account_id     uuid NOT NULL REFERENCES ${t.accounts},
      title          text NOT NULL,
      message        text,
      folder_id      uuid,
      folder_path    text NOT NULL,
      folded_path    text NOT NULL,
      close_time     timestamptz,
      expire_time    timestamptz,
      max_bytes      bigint CHECK (max_bytes > 0),
      received_bytes bigint NOT NULL DEFAULT 0 CHECK (received_bytes >= 0),
      password_hash  text,
      insert_time    timestamptz NOT NULL
    ) WITH (fillfactor = 70)
  `
  yield* sql`CREATE INDEX file_requests_account ON ${t.file_requests} (account_id, insert_time DESC, id DESC)`
  yield* sql`CREATE INDEX file_requests_folder ON ${t.file_requests} (folder_id) WHERE folder_id IS NOT NULL`
})
