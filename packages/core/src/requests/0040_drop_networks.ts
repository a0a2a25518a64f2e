import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** Which drops of a request come from the same address, so that one address does not take the room of all. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  // A hash with the request's id; null where nobody knows the address, and for drops that were there before.
  yield* sql`ALTER TABLE ${t.drops} ADD COLUMN network_hash bytea`
  yield* sql`
    CREATE INDEX drops_network ON ${t.drops} (request_id, network_hash)
    WHERE finish_time IS NULL AND network_hash IS NOT NULL
  `
})
