import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** File reviews and the notes on them. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  // file_id without a key: a review stays when its file is deleted, and what it says of the file is then what it last was.
  // change_no counts all changes of its notes: those who follow the review continue by it. With room, because every note
  // changes the row, and then no index has to be changed.
  yield* sql`
    CREATE TABLE ${t.file_reviews} (
      id             uuid PRIMARY KEY,
      account_id     uuid NOT NULL REFERENCES ${t.accounts},
      file_id        uuid NOT NULL,
      file_type      text NOT NULL,
      file_name      text NOT NULL,
      frame_rate     text,
      message        text,
      is_open        boolean NOT NULL,
      allow_download boolean NOT NULL,
      expire_time    timestamptz,
      password_hash  text,
      note_count     int NOT NULL DEFAULT 0,
      held_notes     int NOT NULL DEFAULT 0,
      text_bytes     bigint NOT NULL DEFAULT 0,
      change_no      bigint NOT NULL DEFAULT 0,
      insert_time    timestamptz NOT NULL
    ) WITH (fillfactor = 50)
  `
  yield* sql`CREATE INDEX file_reviews_account ON ${t.file_reviews} (account_id, insert_time DESC, id DESC)`
  yield* sql`CREATE INDEX file_reviews_file ON ${t.file_reviews} (file_id)`

  // A reply has reply_to, and no place of its own. Of a note that was deleted the row stays for a day, without its text, so
  // that followers are told. reviewer_hash is null where the owner wrote it. bytes: of a note with its replies.
  yield* sql`
    CREATE TABLE ${t.review_notes} (
      id              uuid PRIMARY KEY,
      account_id      uuid NOT NULL,
      review_id       uuid NOT NULL REFERENCES ${t.file_reviews} ON DELETE CASCADE,
      reply_to        uuid REFERENCES ${t.review_notes} ON DELETE CASCADE,
      reviewer_hash   bytea,
      author_name     text NOT NULL,
      place           float8 NOT NULL,
      end_seconds     float8,
      text            text NOT NULL,
      bytes           int NOT NULL,
      insert_time     timestamptz NOT NULL,
      edit_time       timestamptz,
      delete_time     timestamptz,
      is_resolved     boolean NOT NULL DEFAULT false,
      reviewer_replies int NOT NULL DEFAULT 0,
      owner_replies   int NOT NULL DEFAULT 0,
      change_no       bigint NOT NULL
    )
  `
  // The edit list.
  yield* sql`
    CREATE INDEX review_notes_list ON ${t.review_notes} (review_id, place, insert_time, id)
    WHERE reply_to IS NULL AND delete_time IS NULL
  `
  yield* sql`CREATE INDEX review_notes_replies ON ${t.review_notes} (reply_to, insert_time, id) WHERE reply_to IS NOT NULL`
  yield* sql`CREATE INDEX review_notes_changes ON ${t.review_notes} (review_id, change_no) WHERE reply_to IS NULL`
  // Without it, deleting a review would look through all replies there are.
  yield* sql`CREATE INDEX review_notes_review ON ${t.review_notes} (review_id) WHERE reply_to IS NOT NULL`
  yield* sql`CREATE INDEX review_notes_deleted ON ${t.review_notes} (delete_time) WHERE delete_time IS NOT NULL`
})
