import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** Generated images, and how many an account has taken of each month's allowance. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  // month is the first day of the month, in UTC, whose allowance the image is taken from. run counts the runs of its job.
  // limit_id is the folder that the token is limited to which asked for the image.
  yield* sql`
    CREATE TABLE ${t.generations} (
      id           uuid PRIMARY KEY,
      account_id   uuid NOT NULL REFERENCES ${t.accounts},
      model        text NOT NULL,
      prompt       text NOT NULL,
      aspect_ratio text NOT NULL,
      quality      text,
      folder_id    uuid,
      limit_id     uuid,
      month        date NOT NULL,
      state        text NOT NULL
        CHECK (state IN ('waiting', 'asking', 'submitted', 'storing', 'done', 'failed', 'cancelled')),
      job          text,
      failures     int NOT NULL DEFAULT 0,
      fail_time    timestamptz,
      run          int NOT NULL DEFAULT 0,
      submit_time  timestamptz,
      success_time timestamptz,
      store_key    text,
      mime_type    text,
      size         bigint,
      file_id      uuid,
      code         text,
      insert_time  timestamptz NOT NULL,
      end_time     timestamptz,
      CHECK ((state IN ('done', 'failed', 'cancelled')) = (end_time IS NOT NULL)),
      CHECK ((state IN ('failed', 'cancelled')) = (code IS NOT NULL)),
      CHECK ((state = 'done') = (file_id IS NOT NULL)),
      CHECK (state <> 'submitted' OR (job IS NOT NULL AND submit_time IS NOT NULL)),
      CHECK (state <> 'storing' OR (store_key IS NOT NULL AND success_time IS NOT NULL))
    ) WITH (fillfactor = 70)
  `
  yield* sql`CREATE INDEX generations_account ON ${t.generations} (account_id, id)`
  yield* sql`CREATE INDEX generations_under_way ON ${t.generations} (account_id) WHERE end_time IS NULL`
  // Which objects the sweep must leave alone.
  yield* sql`CREATE INDEX generations_store_key ON ${t.generations} (store_key) WHERE state = 'storing'`
  yield* sql`CREATE INDEX generations_ended ON ${t.generations} (end_time) WHERE end_time IS NOT NULL`
  yield* sql`
    CREATE TABLE ${t.image_months} (
      account_id uuid NOT NULL REFERENCES ${t.accounts},
      month      date NOT NULL,
      used       int NOT NULL CHECK (used >= 0),
      PRIMARY KEY (account_id, month)
    )
  `
})
