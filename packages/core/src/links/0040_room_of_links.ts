import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** Who takes the room that a file request and a review have for people at their links. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  // From where a drop was started, as a hash with the request's id; null where nobody knows the address, and for drops that were there
  // before.
  yield* sql`ALTER TABLE ${t.drops} ADD COLUMN network_hash bytea`
  yield* sql`
    CREATE INDEX drops_network ON ${t.drops} (request_id, network_hash)
    WHERE finish_time IS NULL AND network_hash IS NOT NULL
  `

  // Whether what remains of a deleted note counts as one that its review holds. Not where the owner deleted it.
  yield* sql`ALTER TABLE ${t.review_notes} ADD COLUMN keeps_place boolean NOT NULL DEFAULT true`
})
