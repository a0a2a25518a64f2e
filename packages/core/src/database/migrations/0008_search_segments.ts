import { DateTime, Effect } from "effect"
import { Database } from "../Database.ts"

/**
 * What files are found by, kept for each account as docs and segments instead of rows in indexes of the database. What
 * `search_files` held becomes docs, which a job makes segments of.
 */
export default Effect.gen(function*() {
  const { schema, sql, tables: t } = yield* Database
  const former = (name: string) => sql(`${schema}.${name}`)

  // seq numbers every change, settled_seq the last one that is in a segment; generation counts what changed besides.
  yield* sql`
    CREATE TABLE ${t.search_indexes} (
      account_no  int PRIMARY KEY,
      seq         bigint NOT NULL DEFAULT 0,
      settled_seq bigint NOT NULL DEFAULT 0,
      generation  bigint NOT NULL DEFAULT 0
    ) WITH (fillfactor = 50)
  `
  // Files that changed lately, a few hundred: their docs, or null where a file left view. time is in milliseconds.
  yield* sql`
    CREATE TABLE ${t.search_docs} (
      account_no int NOT NULL,
      file_id    uuid NOT NULL,
      seq        bigint NOT NULL,
      time       float8 NOT NULL,
      doc        json,
      PRIMARY KEY (account_no, file_id)
    )
  `
  yield* sql`CREATE INDEX search_docs_seq ON ${t.search_docs} (account_no, seq)`
  // All others, by thousands: a column for each part, of which a search reads those it needs.
  const parts = ["ids", "facts", "terms", "sizes", "names", "taken", "sound", "place", "dead", "folders"]
  yield* sql`
    CREATE TABLE ${t.search_segments} (
      account_no      int NOT NULL,
      no              bigint GENERATED ALWAYS AS IDENTITY,
      doc_count       int NOT NULL,
      dead_count      int NOT NULL,
      dead_version    int NOT NULL DEFAULT 0,
      folders_version int NOT NULL DEFAULT 0,
      extents         json NOT NULL,
      ${sql.literal(parts.map((part) => `${part} bytea NOT NULL`).join(", "))},
      PRIMARY KEY (account_no, no)
    )
  `
  // As it is: packed, it would take longer to read than it takes to send.
  for (const part of parts) {
    yield* sql`ALTER TABLE ${t.search_segments} ALTER COLUMN ${sql.literal(part)} SET STORAGE EXTERNAL`
  }

  yield* sql`
    INSERT INTO ${t.search_docs} (account_no, file_id, seq, time, doc)
    SELECT s.account_no, s.file_id, row_number() OVER (PARTITION BY s.account_no ORDER BY s.insert_time, s.file_id),
      floor(extract(epoch FROM s.insert_time) * 1000)::float8,
      json_build_object('type', s.type - 1, 'isPublic', s.is_public, 'size', s.size, 'nameKey', s.name_key,
        'folderNo', d.no, 'taken', floor(extract(epoch FROM s.taken_time) * 1000), 'duration', s.duration,
        'tempo', s.tempo, 'latitude', s.latitude, 'longitude', s.longitude, 'key', s.key,
        'lexemes', ARRAY(
          SELECT CASE WHEN left(lexeme, 1) = '#' THEN lexeme ELSE substr(lexeme, strpos(lexeme, ':') + 1) END
          FROM unnest(tsvector_to_array(s.lexemes)) AS lexeme
          WHERE lexeme LIKE '#%' OR lexeme LIKE s.account_no || ':%'
        ))
    FROM ${former("search_files")} s
    JOIN ${t.files} f ON f.id = s.file_id
    LEFT JOIN ${t.folders} d ON d.id = f.folder_id
  `
  yield* sql`
    INSERT INTO ${t.search_indexes} (account_no, seq)
    SELECT account_no, max(seq) FROM ${t.search_docs} GROUP BY account_no
  `
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`
    INSERT INTO ${t.jobs} (kind, key, run_time, insert_time)
    SELECT 'search.settle', a.id::text, ${now}, ${now} FROM ${t.search_indexes} s JOIN ${t.accounts} a ON a.no = s.account_no
    ON CONFLICT DO NOTHING
  `
  yield* sql`DROP TABLE ${former("search_files")}, ${former("search_words")}, ${former("search_pending")}`
  // Places in an order are written in another way now.
  yield* sql`TRUNCATE ${t.search_pages}`
  yield* sql`DELETE FROM ${t.jobs} WHERE kind = 'search-index'`
})
