import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** What senders deliver to file requests, and what their forms and uploads belong to. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  // No reference to the request: a drop that is under way when its request is deleted can still be finished.
  yield* sql`
    CREATE TABLE ${t.drops} (
      id              uuid PRIMARY KEY,
      account_id      uuid NOT NULL REFERENCES ${t.accounts},
      request_id      uuid NOT NULL,
      -- Of the request when it was deleted; null while it exists.
      former_title    text,
      token_hash      bytea NOT NULL UNIQUE,
      sender_name     text NOT NULL,
      note            text,
      -- The folder that its last file went to.
      folder_id       uuid,
      file_count      int NOT NULL DEFAULT 0 CHECK (file_count >= 0),
      viewed          boolean NOT NULL DEFAULT false,
      insert_time     timestamptz NOT NULL,
      -- The last sign of life, or somewhat before it.
      active_time     timestamptz NOT NULL,
      expire_time     timestamptz NOT NULL,
      finish_time     timestamptz
    )
  `
  yield* sql`CREATE INDEX drops_sent ON ${t.drops} (request_id, insert_time, id) WHERE file_count > 0`
  yield* sql`CREATE INDEX drops_under_way ON ${t.drops} (request_id, active_time) WHERE finish_time IS NULL`
  yield* sql`CREATE INDEX drops_idle ON ${t.drops} (active_time) WHERE finish_time IS NULL`
  yield* sql`
    CREATE INDEX drops_forgotten ON ${t.drops} (expire_time) WHERE file_count = 0 OR former_title IS NOT NULL
  `

  // A row stays when its file is deleted, so that a repeated call is still understood.
  yield* sql`
    CREATE TABLE ${t.drop_files} (
      drop_id     uuid NOT NULL REFERENCES ${t.drops} ON DELETE CASCADE,
      client_key  text COLLATE "C" NOT NULL,
      account_id  uuid NOT NULL,
      file_id     uuid NOT NULL,
      -- As the sender named it.
      file_name   text NOT NULL,
      size        bigint NOT NULL CHECK (size >= 0),
      -- Taken back by the sender: counted and listed nowhere, and gone as soon as the file is.
      is_removed  boolean NOT NULL DEFAULT false,
      insert_time timestamptz NOT NULL,
      PRIMARY KEY (drop_id, client_key)
    )
  `
  yield* sql`CREATE INDEX drop_files_removed ON ${t.drop_files} (drop_id) WHERE is_removed`
  yield* sql`CREATE INDEX drop_files_file ON ${t.drop_files} (file_id)`

  yield* sql`ALTER TABLE ${t.upload_forms} ADD COLUMN request_id uuid, ADD COLUMN drop_id uuid`
  yield* sql`ALTER TABLE ${t.uploads} ADD COLUMN request_id uuid, ADD COLUMN drop_id uuid, ADD COLUMN client_key text`
  yield* sql`
    CREATE INDEX upload_forms_request ON ${t.upload_forms} (request_id) WHERE request_id IS NOT NULL AND state = 'open'
  `
  yield* sql`
    CREATE INDEX uploads_request ON ${t.uploads} (request_id)
    WHERE request_id IS NOT NULL AND state IN ('open', 'complete') AND file_id IS NULL
  `
})
