import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** Counts of the notes that each address left on a review, so that no address fills it. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  // A hash with the review's id. Null where nobody knows the address, of the owner's replies, and of notes that were there before.
  yield* sql`ALTER TABLE ${t.review_notes} ADD COLUMN network_hash bytea`

  // One more note reads one row, however many there are. held_notes and text_bytes as in file_reviews.
  yield* sql`
    CREATE TABLE ${t.review_networks} (
      review_id    uuid NOT NULL REFERENCES ${t.file_reviews} ON DELETE CASCADE,
      network_hash bytea NOT NULL,
      account_id   uuid NOT NULL,
      held_notes   int NOT NULL,
      text_bytes   bigint NOT NULL,
      PRIMARY KEY (review_id, network_hash)
    ) WITH (fillfactor = 50)
  `
  // The notes of one reviewer, to delete them together.
  yield* sql`
    CREATE INDEX review_notes_author ON ${t.review_notes} (review_id, author_name)
    WHERE reviewer_hash IS NOT NULL
  `
})
