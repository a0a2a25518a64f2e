import { Effect } from "effect"
import { Database } from "../Database.ts"

/** Tables by the words that the code has for what is in them. */
export default Effect.gen(function*() {
  const { schema, sql } = yield* Database
  const inSchema = (text: string) => sql(`${schema}.${text}`)
  const renameIndex = (from: string, to: string) => sql`ALTER INDEX ${inSchema(from)} RENAME TO ${sql(to)}`

  yield* sql`ALTER TABLE ${inSchema("doomed_objects")} RENAME TO ${sql("pending_deletions")}`
  yield* renameIndex("doomed_objects_pkey", "pending_deletions_pkey")
  yield* renameIndex("doomed_objects_account", "pending_deletions_account")
  yield* renameIndex("doomed_objects_file", "pending_deletions_file")
  yield* sql`ALTER TABLE ${inSchema("file_moves")} RENAME TO ${sql("bucket_transfers")}`
  yield* renameIndex("file_moves_pkey", "bucket_transfers_pkey")
  yield* renameIndex("file_moves_store_key_key", "bucket_transfers_store_key_key")
})
