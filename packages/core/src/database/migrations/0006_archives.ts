import { Effect } from "effect"
import { Database } from "../Database.ts"

/** ZIP archives of an account's choice of files, while they are built and for some days after. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  // folder_id: the folder that the call which asked for it was limited to, if it was. bytes: what the archive will have,
  // known before it is begun. parts_done: parts that are stored for good; received_bytes may be further, for showing.
  // storage_id: the upload it is made by; is_opening: an upload may be open that storage_id does not name yet.
  yield* sql`
    CREATE TABLE ${t.archives} (
      id             uuid PRIMARY KEY,
      account_id     uuid NOT NULL REFERENCES ${t.accounts},
      folder_id      uuid REFERENCES ${t.folders} ON DELETE SET NULL,
      is_limited     boolean NOT NULL,
      title          text NOT NULL,
      state          text NOT NULL CHECK (state IN ('working', 'done', 'failed')),
      error          text,
      file_count     int NOT NULL CHECK (file_count >= 0),
      bytes          bigint NOT NULL,
      part_size      bigint NOT NULL CHECK (part_size > 0),
      parts_done     int NOT NULL DEFAULT 0 CHECK (parts_done >= 0),
      received_bytes bigint NOT NULL DEFAULT 0,
      store_key      text COLLATE "C" NOT NULL UNIQUE,
      storage_id     text COLLATE "C" NOT NULL DEFAULT '',
      is_opening     boolean NOT NULL DEFAULT false,
      insert_time    timestamptz NOT NULL,
      progress_time  timestamptz NOT NULL,
      expire_time    timestamptz CHECK ((expire_time IS NULL) = (state = 'working'))
    )
  `
  yield* sql`CREATE INDEX archives_working ON ${t.archives} (account_id) WHERE state = 'working'`
  yield* sql`CREATE INDEX archives_idle ON ${t.archives} (progress_time) WHERE state = 'working'`
  yield* sql`CREATE INDEX archives_expire ON ${t.archives} (expire_time) WHERE expire_time IS NOT NULL`
  yield* sql`CREATE INDEX archives_folder ON ${t.archives} (folder_id) WHERE folder_id IS NOT NULL`

  // What was asked for, in its order. Without a key to files: what is said of one outlives it.
  // skipped: why it is left out; crc: of its bytes, once all of them are in a part that is stored.
  yield* sql`
    CREATE TABLE ${t.archive_entries} (
      archive_id    uuid NOT NULL REFERENCES ${t.archives} ON DELETE CASCADE,
      position      int NOT NULL,
      file_id       uuid NOT NULL,
      name          text,
      size          bigint,
      modified_time timestamptz,
      crc           bigint,
      skipped       text CHECK (skipped IN ('not_found', 'trashed', 'bytes_missing')),
      PRIMARY KEY (archive_id, position),
      CHECK (skipped IS NOT NULL OR (name IS NOT NULL AND size IS NOT NULL AND modified_time IS NOT NULL))
    )
  `
  yield* sql`CREATE INDEX archive_entries_skipped ON ${t.archive_entries} (archive_id, position) WHERE skipped IS NOT NULL`

  // Parts that are stored. crc: of those bytes of the entry which the part ends in that lie before the part's end.
  yield* sql`
    CREATE TABLE ${t.archive_parts} (
      archive_id  uuid NOT NULL REFERENCES ${t.archives} ON DELETE CASCADE,
      part_number int NOT NULL,
      etag        text NOT NULL,
      crc         bigint NOT NULL,
      PRIMARY KEY (archive_id, part_number)
    )
  `
})
