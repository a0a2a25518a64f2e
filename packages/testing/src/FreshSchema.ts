/** A migrated schema with nothing in it for each test layer. */
import { Database, DatabaseSchema, migrate } from "@filedrive/core"
import { Clock, Effect, Layer, type Scope } from "effect"
import { SqlClient } from "effect/sql"

/** Timers of the driver are about real sockets: a test that moves its clock must not set them off. */
export const realClock = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())

let schemas = 0

/** Unlike any other test's on the same server, in this run or one that was killed. */
const newName = () => `test_${process.pid}_${process.hrtime.bigint()}_${++schemas}`

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
    SELECT md5(string_agg(concat_ws(' ', c.oid, c.relname, c.relkind, a.attname, a.atttypid, a.attnotnull, a.atthasdef,
      (SELECT string_agg(concat(tgname, tgenabled), ' ' ORDER BY oid) FROM pg_trigger WHERE tgrelid = c.oid),
      (SELECT string_agg(conname, ' ' ORDER BY oid) FROM pg_constraint WHERE conrelid = c.oid)
    ), ' ' ORDER BY c.oid, a.attnum)) AS shape
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = ${schema}::regnamespace AND a.attnum > 0
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
 */
export const layerReusingNoDeps = (prepared: ReadonlyArray<string> = []) => {
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
          if ((yield* shapeOf(schema.name)) !== schema.shape) return yield* drop(schema.name)
          yield* clear(schema.name)
          unused.push(schema)
        }).pipe(Effect.orDie)),
      ({ name }) => name
    )
  )
}

/** {@link layerReusingNoDeps} for a database without prepared schemas. */
export const layerReusedNoDeps = layerReusingNoDeps()
