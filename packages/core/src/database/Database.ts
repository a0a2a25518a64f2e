/**
 * The database as the repositories see it: the host's `SqlClient`, and our own
 * tables by name in the schema the host chose.
 */
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient, type Statement } from "effect/sql"

/** The schema our tables live in. Set by the host; default `filedrive`. */
export const DatabaseSchema = Context.Reference<string>("@filedrive/core/database/DatabaseSchema", {
  defaultValue: () => "filedrive"
})

/** The name of a table, with its schema, as statements take it. */
export type Table = Statement.Identifier

/**
 * The drive's tables by name. Each feature adds its own, in the file that lists them as `tables`
 * ({@link "../Feature.ts"}): so no list of all tables is kept here, and a name that no feature owns doesn't compile.
 */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface Tables {}

export type TableName = keyof Tables

const make = Effect.gen(function*() {
  // The host owns the client; its column-name transforms are not ours to rely on.
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const schema = yield* DatabaseSchema
  const named = new Map<string, Table>()
  const tables = new Proxy({} as Tables, {
    get: (_, name: string) => {
      const table = named.get(name) ?? sql(`${schema}.${name}`)
      named.set(name, table)
      return table
    }
  })
  /** Whether this runs inside a transaction: what it sees may never be committed, so it must not be cached. */
  const isInTransaction = Effect.map(Effect.serviceOption(sql.transactionService), Option.isSome)
  /** Whether the database takes changes: a standby doesn't, nor does one whose transactions are set to be read-only. Fails when it is away. */
  const takesChanges = Effect.map(
    sql<{ readonly isReadOnly: string }>`SELECT current_setting('transaction_read_only') AS ${sql("isReadOnly")}`,
    ([found]) => found?.isReadOnly !== "on"
  )
  return { sql, schema, tables, isInTransaction, takesChanges }
})

export class Database extends Context.Service<Database, Effect.Success<typeof make>>()(
  "@filedrive/core/database/Database"
) {
  static readonly layer = Layer.effect(Database, make)
}
