import { Effect } from "effect"
import { Database } from "../Database.ts"

/** Files that are brought in from links. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  // folder_id and file_id without keys: an import outlives both. What is held is part of the account's held_bytes.
  yield* sql`
    CREATE TABLE ${t.imports} (
      id          uuid PRIMARY KEY,
      account_id  uuid NOT NULL REFERENCES ${t.accounts},
      url         text NOT NULL,
      wanted_name text,
      folder_id   uuid,
      description text,
      state       text NOT NULL CHECK (state IN ('working', 'done', 'failed')),
      code        text,
      error       text,
      received    bigint NOT NULL DEFAULT 0,
      total       bigint,
      held        bigint NOT NULL DEFAULT 0,
      failures    int NOT NULL DEFAULT 0,
      run         int NOT NULL DEFAULT 0,
      store_key   text,
      storage_id  text,
      validator   text,
      file_name   text,
      type        text,
      mime_type   text,
      file_id     uuid,
      insert_time timestamptz NOT NULL,
      end_time    timestamptz,
      CHECK ((state = 'working') = (end_time IS NULL)),
      CHECK (held >= 0 AND (state = 'working' OR held = 0))
    ) WITH (fillfactor = 70)
  `
  yield* sql`CREATE INDEX imports_working ON ${t.imports} (account_id) WHERE state = 'working'`
  // Whether an object in storage is that of an import under way.
  yield* sql`CREATE INDEX imports_store_key ON ${t.imports} (store_key) WHERE state = 'working'`
  yield* sql`CREATE INDEX imports_ended ON ${t.imports} (end_time) WHERE state <> 'working'`
})
