import { Effect } from "effect"
import { Database } from "../Database.ts"

/**
 * The first tables. Times are always given by the application; sizes are bytes.
 *
 * `accounts` is the drive's own row for each of the host's users: the row every
 * mutating transaction locks first, with the exact counts it guards.
 */
export default Effect.gen(function*() {
  const { schema, sql, tables: t } = yield* Database

  yield* sql`
    CREATE TABLE ${t.accounts} (
      id          uuid PRIMARY KEY,
      no          int GENERATED ALWAYS AS IDENTITY UNIQUE,
      used_bytes  bigint NOT NULL DEFAULT 0 CHECK (used_bytes >= 0),
      held_bytes  bigint NOT NULL DEFAULT 0 CHECK (held_bytes >= 0),
      event_seq   bigint NOT NULL DEFAULT 0
    ) WITH (fillfactor = 50)
  `
  // The default Accounts layer's users; a host with its own leaves this empty.
  yield* sql`
    CREATE TABLE ${t.profiles} (
      user_id        uuid PRIMARY KEY,
      handle         text UNIQUE,
      display_name   text,
      plan           text CHECK (plan IN ('basic', 'pro')),
      quota_bytes    bigint CHECK (quota_bytes >= 0),
      monthly_images int CHECK (monthly_images >= 0),
      shows_views    boolean NOT NULL DEFAULT true,
      suspend_time   timestamptz,
      insert_time    timestamptz NOT NULL
    )
  `
  // Names and paths as first written, and folded for comparing. With room for a count that changes, which then touches no index.
  yield* sql`
    CREATE TABLE ${t.folders} (
      id          uuid PRIMARY KEY,
      no          bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
      account_id  uuid NOT NULL REFERENCES ${t.accounts},
      parent_id   uuid REFERENCES ${t.folders},
      name        text NOT NULL,
      folded_name text COLLATE "C" NOT NULL,
      path        text COLLATE "C" NOT NULL,
      folded_path text COLLATE "C" NOT NULL,
      depth       smallint NOT NULL CHECK (depth BETWEEN 1 AND 32),
      insert_time timestamptz NOT NULL,
      UNIQUE NULLS NOT DISTINCT (account_id, parent_id, folded_name)
    ) WITH (fillfactor = 70)
  `
  // The beginning only: 32 names of 255 characters are more than an index entry holds.
  yield* sql`CREATE INDEX folders_path ON ${t.folders} (account_id, left(folded_path, 400))`
  // Without it, deleting one folder would look through everybody's for those below it.
  yield* sql`CREATE INDEX folders_parent ON ${t.folders} (parent_id) WHERE parent_id IS NOT NULL`
  yield* sql`
    CREATE TABLE ${t.api_tokens} (
      id          uuid PRIMARY KEY,
      account_id  uuid NOT NULL REFERENCES ${t.accounts},
      name        text NOT NULL,
      token_hash  bytea NOT NULL UNIQUE,
      permissions text[],
      folder_id   uuid REFERENCES ${t.folders} ON DELETE CASCADE,
      insert_time timestamptz NOT NULL,
      expire_time timestamptz,
      last_used_time timestamptz
    )
  `
  yield* sql`CREATE INDEX api_tokens_account ON ${t.api_tokens} (account_id, insert_time DESC)`
  yield* sql`CREATE INDEX api_tokens_folder ON ${t.api_tokens} (folder_id) WHERE folder_id IS NOT NULL`
  yield* sql`
    CREATE TABLE ${t.sessions} (
      token_hash   bytea PRIMARY KEY,
      account_id   uuid NOT NULL REFERENCES ${t.accounts},
      api_token_id uuid REFERENCES ${t.api_tokens} ON DELETE CASCADE,
      permissions  text[],
      folder_id    uuid REFERENCES ${t.folders} ON DELETE CASCADE,
      insert_time  timestamptz NOT NULL,
      expire_time  timestamptz NOT NULL
    )
  `
  yield* sql`CREATE INDEX sessions_token ON ${t.sessions} (api_token_id)`
  yield* sql`CREATE INDEX sessions_folder ON ${t.sessions} (folder_id) WHERE folder_id IS NOT NULL`
  yield* sql`CREATE INDEX sessions_account ON ${t.sessions} (account_id)`
  yield* sql`CREATE INDEX sessions_expire ON ${t.sessions} (expire_time)`

  // object_key is the caller's name of the object; store_key is ours, and what storage knows.
  // Without a key to accounts: a file is only recorded under the lock of its account's row, and none is ever deleted.
  yield* sql`
    CREATE TABLE ${t.files} (
      id              uuid PRIMARY KEY,
      account_id      uuid NOT NULL,
      folder_id       uuid REFERENCES ${t.folders},
      type            text NOT NULL,
      file_name       text NOT NULL,
      description     text,
      mime_type       text NOT NULL,
      size            bigint NOT NULL CHECK (size >= 0),
      object_key      text COLLATE "C" NOT NULL,
      is_public       boolean NOT NULL DEFAULT false,
      store_key       text COLLATE "C" NOT NULL UNIQUE,
      etag            text NOT NULL,
      derivative_of   uuid REFERENCES ${t.files} ON DELETE CASCADE,
      metadata_status text NOT NULL DEFAULT 'done' CHECK (metadata_status IN ('pending', 'done', 'failed')),
      insert_time     timestamptz NOT NULL,
      trash_time      timestamptz,
      UNIQUE (account_id, object_key)
    )
  `
  yield* sql`
    CREATE INDEX files_live ON ${t.files} (account_id, insert_time DESC, id DESC)
    WHERE trash_time IS NULL AND derivative_of IS NULL
  `
  yield* sql`
    CREATE INDEX files_trash ON ${t.files} (account_id, trash_time DESC, id DESC)
    WHERE trash_time IS NOT NULL AND derivative_of IS NULL
  `
  yield* sql`CREATE INDEX files_folder ON ${t.files} (folder_id, id) WHERE folder_id IS NOT NULL`
  yield* sql`CREATE INDEX files_derivatives ON ${t.files} (derivative_of) WHERE derivative_of IS NOT NULL`

  // One row a form: kept until the form has lapsed, because until then bytes may arrive under its key.
  yield* sql`
    CREATE TABLE ${t.upload_forms} (
      id          uuid PRIMARY KEY,
      account_id  uuid NOT NULL REFERENCES ${t.accounts},
      object_key  text COLLATE "C" NOT NULL,
      store_key   text COLLATE "C" NOT NULL UNIQUE,
      size        bigint NOT NULL,
      insert_time timestamptz NOT NULL,
      expire_time timestamptz NOT NULL
    )
  `
  yield* sql`CREATE INDEX upload_forms_key ON ${t.upload_forms} (account_id, object_key, insert_time DESC)`
  yield* sql`CREATE INDEX upload_forms_expire ON ${t.upload_forms} (expire_time)`

  yield* sql`
    CREATE TABLE ${t.uploads} (
      id             uuid PRIMARY KEY,
      account_id     uuid NOT NULL REFERENCES ${t.accounts},
      object_key     text COLLATE "C" NOT NULL,
      store_key      text COLLATE "C" NOT NULL UNIQUE,
      storage_id     text NOT NULL,
      state          text NOT NULL CHECK (state IN ('open', 'complete', 'gone')),
      file_name      text NOT NULL,
      type           text NOT NULL,
      mime_type      text NOT NULL,
      size           bigint NOT NULL CHECK (size > 0),
      insert_time    timestamptz NOT NULL,
      last_part_time timestamptz NOT NULL,
      parts_mark     text,
      end_time       timestamptz,
      file_id        uuid
    )
  `
  yield* sql`
    CREATE UNIQUE INDEX uploads_current ON ${t.uploads} (account_id, object_key)
    WHERE state IN ('open', 'complete') AND file_id IS NULL
  `
  yield* sql`CREATE INDEX uploads_idle ON ${t.uploads} (last_part_time) WHERE state = 'open'`
  yield* sql`CREATE INDEX uploads_ended ON ${t.uploads} (end_time) WHERE state <> 'open'`
  yield* sql`
    CREATE TABLE ${t.upload_tokens} (
      token_hash  bytea PRIMARY KEY,
      upload_id   uuid NOT NULL REFERENCES ${t.uploads} ON DELETE CASCADE,
      expire_time timestamptz NOT NULL
    )
  `
  yield* sql`CREATE INDEX upload_tokens_upload ON ${t.upload_tokens} (upload_id)`

  // Stored objects nothing may need after due_time. A row here outlives every crash until the bytes are gone.
  // taken: their removal has begun, nothing may adopt them any longer. file_id: the file whose former object this is.
  yield* sql`
    CREATE TABLE ${sql(`${schema}.doomed_objects`)} (
      bucket     text COLLATE "C" NOT NULL CHECK (bucket IN ('private', 'public')),
      store_key  text COLLATE "C" NOT NULL,
      storage_id text COLLATE "C" NOT NULL DEFAULT '',
      account_id uuid NOT NULL REFERENCES ${t.accounts},
      file_id    uuid,
      due_time   timestamptz NOT NULL,
      taken      boolean NOT NULL DEFAULT false,
      PRIMARY KEY (bucket, store_key, storage_id)
    )
  `
  yield* sql`CREATE INDEX doomed_objects_due ON ${sql(`${schema}.doomed_objects`)} (account_id, due_time)`
  yield* sql`CREATE INDEX doomed_objects_file ON ${sql(`${schema}.doomed_objects`)} (file_id) WHERE file_id IS NOT NULL`

  // A large file on its way to the other bucket; storage_id is empty until the upload it is copied by is open.
  yield* sql`
    CREATE TABLE ${sql(`${schema}.file_moves`)} (
      file_id     uuid PRIMARY KEY REFERENCES ${t.files} ON DELETE CASCADE,
      account_id  uuid NOT NULL REFERENCES ${t.accounts},
      to_public   boolean NOT NULL,
      store_key   text COLLATE "C" NOT NULL UNIQUE,
      storage_id  text NOT NULL,
      parts_done  int NOT NULL DEFAULT 0,
      part_count  int NOT NULL,
      insert_time timestamptz NOT NULL
    )
  `

  // While a worker holds the lease, run_time is when that ends: what is due is always run_time <= now.
  yield* sql`
    CREATE TABLE ${t.jobs} (
      id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      kind        text COLLATE "C" NOT NULL,
      key         text COLLATE "C" NOT NULL,
      run_time    timestamptz NOT NULL,
      attempts    int NOT NULL DEFAULT 0,
      lease       uuid,
      rerun_time  timestamptz CHECK (rerun_time IS NULL OR lease IS NOT NULL),
      last_error  text,
      insert_time timestamptz NOT NULL,
      UNIQUE (kind, key)
    )
  `
  yield* sql`CREATE INDEX jobs_due ON ${t.jobs} (kind, run_time)`
  yield* sql`CREATE INDEX jobs_failing ON ${t.jobs} (attempts DESC, id) WHERE last_error IS NOT NULL`
})
