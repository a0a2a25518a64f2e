import { Effect } from "effect"
import { Database } from "../Database.ts"

/** Tags, playlists and galleries. Counts are of files in view: recorded, not in trash. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  // text keeps the spelling first written; folded is what two spellings of one tag share.
  yield* sql`
    CREATE TABLE ${t.tags} (
      id          uuid PRIMARY KEY,
      no          bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
      account_id  uuid NOT NULL REFERENCES ${t.accounts},
      text        text NOT NULL,
      folded      text COLLATE "C" NOT NULL,
      file_count  int NOT NULL DEFAULT 0 CHECK (file_count >= 0),
      insert_time timestamptz NOT NULL,
      UNIQUE (account_id, folded)
    )
  `
  // Without a key to tags: a tag is taken off its files before it is deleted, both under the account's lock.
  yield* sql`
    CREATE TABLE ${t.file_tags} (
      file_id uuid NOT NULL REFERENCES ${t.files} ON DELETE CASCADE,
      tag_id  uuid NOT NULL,
      PRIMARY KEY (file_id, tag_id)
    )
  `
  yield* sql`CREATE INDEX file_tags_tag ON ${t.file_tags} (tag_id, file_id)`

  // A playlist's cover is one of its owner's images.
  yield* sql`
    CREATE TABLE ${t.lists} (
      id             uuid PRIMARY KEY,
      account_id     uuid NOT NULL REFERENCES ${t.accounts},
      kind           text NOT NULL CHECK (kind IN ('playlist', 'gallery')),
      title          text NOT NULL,
      description    text,
      is_public      boolean NOT NULL,
      cover_id       uuid REFERENCES ${t.files} ON DELETE SET NULL,
      file_count     int NOT NULL DEFAULT 0 CHECK (file_count >= 0),
      featured_count int NOT NULL DEFAULT 0 CHECK (featured_count BETWEEN 0 AND file_count),
      insert_time    timestamptz NOT NULL
    )
  `
  yield* sql`CREATE INDEX lists_account ON ${t.lists} (account_id, kind, insert_time DESC, id DESC)`
  yield* sql`CREATE INDEX lists_cover ON ${t.lists} (cover_id) WHERE cover_id IS NOT NULL`

  // is_counted: the list's owner sees the file now, so it is part of the list's counts. A file in trash keeps its place.
  // Positions are not unique in the index: renumbering passes through doubles.
  yield* sql`
    CREATE TABLE ${t.list_items} (
      list_id     uuid NOT NULL REFERENCES ${t.lists} ON DELETE CASCADE,
      file_id     uuid NOT NULL REFERENCES ${t.files} ON DELETE CASCADE,
      position    int NOT NULL,
      is_featured boolean NOT NULL DEFAULT false,
      is_counted  boolean NOT NULL,
      PRIMARY KEY (list_id, file_id)
    )
  `
  yield* sql`CREATE INDEX list_items_position ON ${t.list_items} (list_id, position)`
  yield* sql`CREATE INDEX list_items_file ON ${t.list_items} (file_id)`

  // People a file was shared with. The account is the file's owner.
  yield* sql`
    CREATE TABLE ${t.shares} (
      file_id     uuid NOT NULL REFERENCES ${t.files} ON DELETE CASCADE,
      user_id     uuid NOT NULL,
      account_id  uuid NOT NULL REFERENCES ${t.accounts},
      insert_time timestamptz NOT NULL,
      PRIMARY KEY (file_id, user_id)
    )
  `
  yield* sql`CREATE INDEX shares_user ON ${t.shares} (user_id, insert_time DESC, file_id DESC)`
})
