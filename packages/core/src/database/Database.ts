/**
 * The database as the repositories see it: the host's `SqlClient`, and our own
 * tables by name in the schema the host chose.
 */
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"

/** The schema our tables live in. Set by the host; default `filedrive`. */
export const DatabaseSchema = Context.Reference<string>("@filedrive/core/database/DatabaseSchema", {
  defaultValue: () => "filedrive"
})

const names = [
  "accounts",
  "profiles",
  "api_tokens",
  "sessions",
  "folders",
  "files",
  "upload_forms",
  "uploads",
  "upload_tokens",
  "pending_deletions",
  "bucket_transfers",
  "jobs",
  "file_media",
  "soundprints",
  "search_indexes",
  "search_docs",
  "search_segments",
  "search_pages",
  "tags",
  "file_tags",
  "lists",
  "list_items",
  "shares",
  "events",
  "event_numbering",
  "file_views",
  "file_view_days",
  "file_viewers",
  "view_salts",
  "archives",
  "archive_entries",
  "archive_parts",
  "imports",
  "usage_counts",
  "scrubs",
  "lost_files"
] as const

export type TableName = typeof names[number]

const make = Effect.gen(function*() {
  // The host owns the client; its column-name transforms are not ours to rely on.
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const schema = yield* DatabaseSchema
  const tables = Object.fromEntries(names.map((name) => [name, sql(`${schema}.${name}`)])) as {
    readonly [name in TableName]: ReturnType<typeof sql>
  }
  /** What a transaction sees may be its own, and never committed: not to be remembered. */
  const isInTransaction = Effect.map(Effect.serviceOption(sql.transactionService), Option.isSome)
  /** Succeeds when the database answers. */
  const ping = Effect.asVoid(sql`SELECT 1`)
  return { sql, schema, tables, isInTransaction, ping }
})

export class Database extends Context.Service<Database, Effect.Success<typeof make>>()(
  "@filedrive/core/database/Database"
) {
  static readonly layer = Layer.effect(Database, make)
}
