import { Effect } from "effect"
import { Database } from "../database/Database.ts"

export default Effect.gen(function*() {
  const { schema, sql, tables: t } = yield* Database

  // Null is the picture of a file, as in all rows there are: so none has to be rewritten.
  yield* sql`
    ALTER TABLE ${t.files} ADD COLUMN derivative_kind text
    CHECK (derivative_kind IN ('preview', 'peaks'))
  `
  yield* sql`DROP INDEX ${sql(`${schema}.files_derivatives`)}`
  yield* sql`
    CREATE UNIQUE INDEX files_derivatives ON ${t.files} (derivative_of, COALESCE(derivative_kind, ''))
    WHERE derivative_of IS NOT NULL
  `

  // How tracks and videos are encoded, as JSON of what the tools answered.
  yield* sql`
    CREATE TABLE ${t.media_streams} (
      file_id    uuid PRIMARY KEY REFERENCES ${t.files} ON DELETE CASCADE,
      account_id uuid NOT NULL,
      streams    text NOT NULL
    )
  `

  yield* sql`
    CREATE TABLE ${t.previews} (
      file_id       uuid PRIMARY KEY REFERENCES ${t.files} ON DELETE CASCADE,
      account_id    uuid NOT NULL,
      -- 'none': the job found that browsers play the file themselves, or that there is nothing to play.
      status        text NOT NULL CHECK (status IN ('none', 'working', 'done', 'failed')),
      progress      float8 NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
      error         text,
      -- The tool that was missing when it failed.
      missing_tool  text,
      -- The run that is at it: one that lost its lease changes nothing any longer.
      run_id        uuid,
      -- Runs that were begun and did not end, as when their process was killed.
      runs          integer NOT NULL DEFAULT 0,
      -- The upload that the run stores to; the next one abandons it.
      upload_key    text,
      upload_id     text,
      update_time   timestamptz NOT NULL
    )
  `
})
