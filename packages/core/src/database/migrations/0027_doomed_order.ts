import { Effect } from "effect"
import { Database } from "../Database.ts"

/**
 * Doomed objects are gone through account by account, in the order of their keys. By the time they are due they were gone
 * through before, or by the keys of all accounts: of those that wait, every batch read all of one or the other.
 */
export default Effect.gen(function*() {
  const { schema, sql } = yield* Database

  yield* sql`CREATE INDEX doomed_objects_account ON ${
    sql(`${schema}.doomed_objects`)
  } (account_id, bucket, store_key, storage_id)`
  yield* sql`DROP INDEX ${sql(`${schema}.doomed_objects_due`)}`
})
