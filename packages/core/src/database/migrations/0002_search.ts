import { Effect } from "effect"
import { Database } from "../Database.ts"

/**
 * What files are found by. `search_files` has one narrow row for each file that
 * is in view (recorded, not in trash, no derivative), made from the tables that
 * hold the truth.
 */
export default Effect.gen(function*() {
  const { schema, sql, tables: t } = yield* Database
  const former = (name: string) => sql(`${schema}.${name}`)
  // Until step 8.
  const until8 = {
    search_files: former("search_files"),
    search_words: former("search_words"),
    search_pending: former("search_pending")
  }

  // What was found inside a file; its account is that file's, which no key checks again. Durations are seconds, tempo beats a minute, key is pitch (C = 0) * 2 + (minor ? 1 : 0).
  yield* sql`
    CREATE TABLE ${t.file_media} (
      file_id      uuid PRIMARY KEY REFERENCES ${t.files} ON DELETE CASCADE,
      account_id   uuid NOT NULL,
      title        text,
      artists      text[] NOT NULL DEFAULT '{}',
      album        text,
      genre        text,
      duration     float8 CHECK (duration >= 0),
      tempo        float8 CHECK (tempo >= 0),
      tagged_tempo float8 CHECK (tagged_tempo >= 0),
      key          smallint CHECK (key BETWEEN 0 AND 23),
      width        int,
      height       int,
      taken_time   timestamptz,
      latitude     float8 CHECK (latitude BETWEEN -90 AND 90),
      longitude    float8 CHECK (longitude BETWEEN -180 AND 180),
      camera       text,
      CHECK ((latitude IS NULL) = (longitude IS NULL))
    )
  `
  // Files in the folder itself that are in view.
  yield* sql`ALTER TABLE ${t.folders} ADD COLUMN file_count int NOT NULL DEFAULT 0 CHECK (file_count >= 0)`

  // Without a key to files: a row is looked up for each that is written, and whoever takes files out of view takes theirs.
  yield* sql`
    CREATE TABLE ${until8.search_files} (
      file_id     uuid PRIMARY KEY,
      account_no  int NOT NULL,
      type        smallint NOT NULL,
      key         smallint,
      is_public   boolean NOT NULL,
      duration    float8,
      tempo       float8,
      latitude    float8,
      longitude   float8,
      insert_time timestamptz NOT NULL,
      size        bigint NOT NULL,
      taken_time  timestamptz,
      name_key    text COLLATE "C" NOT NULL,
      lexemes     tsvector NOT NULL
    )
  `
  yield* sql`CREATE INDEX search_newest ON ${until8.search_files} (account_no, insert_time DESC, file_id DESC)`
  yield* sql`CREATE INDEX search_size ON ${until8.search_files} (account_no, size, file_id)`
  yield* sql`CREATE INDEX search_name ON ${until8.search_files} (account_no, name_key, file_id)`
  yield* sql`CREATE INDEX search_type ON ${until8.search_files} (account_no, type, insert_time DESC, file_id DESC)`
  yield* sql`
    CREATE INDEX search_taken ON ${until8.search_files} (account_no, taken_time) INCLUDE (insert_time, file_id)
    WHERE taken_time IS NOT NULL
  `
  yield* sql`CREATE INDEX search_duration ON ${until8.search_files} (account_no, duration) WHERE duration IS NOT NULL`
  yield* sql`CREATE INDEX search_tempo ON ${until8.search_files} (account_no, tempo) WHERE tempo IS NOT NULL`
  yield* sql`CREATE INDEX search_key ON ${until8.search_files} (account_no, key, tempo) WHERE key IS NOT NULL`
  yield* sql`
    CREATE INDEX search_place ON ${until8.search_files} (account_no, latitude, longitude) WHERE latitude IS NOT NULL
  `
  // A short list of rows that are still to be put in their places: those of files that come together share most lexemes,
  // so a hundred at once take half the time (measured), and reading the list adds a fraction of a millisecond to a search.
  yield* sql`
    CREATE INDEX search_lexemes ON ${until8.search_files} USING gin (lexemes)
    WITH (fastupdate = on, gin_pending_list_limit = 64)
  `

  // Every word an account's files have or had, so that the beginning of a word finds the whole ones.
  yield* sql`
    CREATE TABLE ${until8.search_words} (
      account_no int NOT NULL,
      word       text COLLATE "C" NOT NULL,
      PRIMARY KEY (account_no, word)
    )
  `
  // Files whose row still names the folders they were in: a move of more than one call can write anew. Without a key
  // to files, which would be looked up for each of many; the job takes out what is no longer there.
  yield* sql`
    CREATE TABLE ${until8.search_pending} (
      account_id uuid NOT NULL,
      file_id    uuid NOT NULL,
      PRIMARY KEY (account_id, file_id)
    )
  `

  // Where the page that an answered nextOffset stands for begins. Losing a row costs time, not truth: so unlogged. No
  // index but the key, so that saying a position again touches no index.
  yield* sql`
    CREATE UNLOGGED TABLE ${t.search_pages} (
      account_no  int NOT NULL,
      query_hash  bytea NOT NULL,
      next_offset bigint NOT NULL,
      last_key    text NOT NULL,
      last_id     uuid NOT NULL,
      insert_time timestamptz NOT NULL,
      PRIMARY KEY (account_no, query_hash, next_offset)
    ) WITH (fillfactor = 80)
  `
})
