/** A migrated schema with nothing in it for each test layer. */
import { Database, DatabaseSchema, migrate } from "@filedrive/core"
import { Clock, Effect, Layer, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { schemaPrefix } from "./SharedPostgres.ts"

/** Timers of the driver are about real sockets: a test that moves its clock must not set them off. */
export const realClock = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())

let schemas = 0

/** Unlike any other test's on the same server, in this run or one that was killed. PostgreSQL takes 63 characters. */
const newName = () => `${schemaPrefix() ?? "test_"}${process.pid}_${process.hrtime.bigint().toString(36)}_${++schemas}`

const migrated = (schema: string) =>
  Effect.provide(migrate, Layer.provide(Database.layer, Layer.succeed(DatabaseSchema, schema)))

const drop = (schema: string) =>
  Effect.orDie(SqlClient.SqlClient.use((sql) => sql`DROP SCHEMA IF EXISTS ${sql(schema)} CASCADE`))

const databaseIn = <E>(schema: Effect.Effect<string, E, SqlClient.SqlClient | Scope.Scope>) =>
  Layer.unwrap(Effect.map(schema, (name) => Layer.provide(Database.layer, Layer.succeed(DatabaseSchema, name))))

/** Made for the layer and dropped with it. */
export const layerNewNoDeps = databaseIn(Effect.acquireRelease(Effect.tap(Effect.sync(newName), migrated), drop))

interface Shape {
  readonly shape: string
}

/** Everything about the schema that a test may have changed but for its rows. */
const shapeOf = Effect.fnUntraced(function*(schema: string) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<Shape>`
    WITH relations AS (SELECT oid, relname, relkind FROM pg_class WHERE relnamespace = ${schema}::regnamespace)
    SELECT md5(concat_ws(' ',
      (SELECT string_agg(concat_ws(' ', c.oid, relname, relkind, attname, atttypid, attnotnull, atthasdef), ' ' ORDER BY c.oid, attnum)
        FROM relations c JOIN pg_attribute a ON attrelid = c.oid WHERE attnum > 0),
      (SELECT string_agg(concat_ws(' ', tgrelid, tgname, tgenabled), ' ' ORDER BY t.oid)
        FROM pg_trigger t JOIN relations c ON tgrelid = c.oid),
      (SELECT string_agg(concat_ws(' ', conrelid, conname), ' ' ORDER BY t.oid)
        FROM pg_constraint t WHERE connamespace = ${schema}::regnamespace)
    )) AS shape
  `
  return found!.shape
})

/** Deletes every row, and restarts the sequences. Keys and triggers are off: so the order is free, and nothing is counted. */
const clear = Effect.fnUntraced(function*(schema: string) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = ${schema}::regnamespace AND relkind = 'r' AND relname <> 'migrations'
  `
  const deletes = tables.map(({ name }, index) => `t${index} AS (DELETE FROM "${schema}"."${name}")`)
  yield* sql.withTransaction(
    sql`SET LOCAL session_replication_role = replica`.pipe(
      Effect.andThen(sql.unsafe(`WITH ${deletes.join(", ")} SELECT 1`))
    )
  )
  yield* sql`
    SELECT setval(oid::regclass, 1, false) FROM pg_class
    WHERE relnamespace = ${schema}::regnamespace AND relkind = 'S'
  `
})

const sizeOf = Effect.fnUntraced(function*(schema: string) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly bytes: number }>`
    SELECT coalesce(sum(pg_table_size(oid)), 0)::float8 AS bytes FROM pg_class
    WHERE relnamespace = ${schema}::regnamespace AND relkind = 'r'
  `
  return found!.bytes
})

/** Which of `names` exist in the database. */
const existing = Effect.fnUntraced(function*(names: ReadonlyArray<string>) {
  if (names.length === 0) return []
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql<{ readonly name: string }>`
    SELECT nspname AS name FROM pg_namespace WHERE nspname = any(${[...names]}::text[]) ORDER BY nspname
  `
  return found.map(({ name }) => name)
})

/**
 * Reuses the schemas of earlier layers of the same database: emptying one takes a twentieth of the time of making one. A schema
 * that a test has altered is not used again. `prepared` names schemas with a drive's tables that the database may begin with.
 * `maxBytes`: one with larger tables is not used again, since pages of deleted rows cost later tests time.
 */
export const layerReusingNoDeps = (
  { maxBytes = Infinity, prepared = [] }: { readonly maxBytes?: number; readonly prepared?: ReadonlyArray<string> } = {}
) => {
  const isChanged = Effect.fnUntraced(function*({ name, shape }: { readonly name: string; readonly shape: string }) {
    if ((yield* shapeOf(name)) !== shape) return true
    return maxBytes < Infinity && (yield* sizeOf(name)) > maxBytes
  })

  const unused: Array<{ readonly name: string; readonly shape: string }> = []
  let untouched: Array<string> | undefined

  const take = Effect.gen(function*() {
    const found = unused.shift()
    if (found !== undefined) return found
    const names = yield* existing(untouched === undefined ? prepared : [])
    untouched ??= names
    const name = untouched.shift() ?? newName()
    // A prepared schema lacks the migrations that are newer than it.
    yield* migrated(name)
    return { name, shape: yield* shapeOf(name) }
  })

  return databaseIn(
    Effect.map(
      Effect.acquireRelease(take, (schema) =>
        Effect.gen(function*() {
          if (yield* isChanged(schema)) return yield* drop(schema.name)
          // Only a superuser may switch keys and triggers off.
          const isCleared = yield* Effect.match(clear(schema.name), { onSuccess: () => true, onFailure: () => false })
          if (!isCleared) return yield* drop(schema.name)
          unused.push(schema)
        }).pipe(Effect.orDie)),
      ({ name }) => name
    )
  )
}

/** {@link layerReusingNoDeps} for a database without prepared schemas. */
export const layerReusedNoDeps = layerReusingNoDeps()
