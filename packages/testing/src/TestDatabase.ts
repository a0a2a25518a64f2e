/**
 * A fresh, migrated database for each layer: PGlite in memory, or a schema of
 * its own on a PostgreSQL server when the environment says `TEST_DATABASE=postgres`.
 *
 * ```ts
 * layer(Files.layer.pipe(Layer.provide(TestDatabase.layer)))("Files", (it) => { … })
 * ```
 *
 * PGlite has one session and hides every race: what must hold under
 * concurrency is tested on {@link layerPostgres}, whatever the environment says.
 */
import { PgliteMemory } from "@filedrive/adapter-node/pglite-memory"
import { layer as postgresLayer } from "@filedrive/adapter-node/postgres"
import { Database, DatabaseSchema, migrate } from "@filedrive/core"
import { Clock, Effect, Layer } from "effect"
import { env } from "node:process"
import { sharedMemory } from "./MemoryTemplate.ts"
import { postgresUrl } from "./SharedPostgres.ts"

let schemas = 0

/** Unlike any other test's on the same server, in this run or one that was killed. */
const freshSchema = () => `test_${process.pid}_${process.hrtime.bigint()}_${++schemas}`

/** Timers of the driver are about real sockets: a test that moves its clock must not set them off. */
const realClock = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())

/** A new schema on the client, migrated, and dropped when the layer closes. */
const inFreshSchema = Layer.unwrap(Effect.sync(() => {
  const schema = freshSchema()
  const migrated = Layer.effectDiscard(Effect.gen(function*() {
    const { sql } = yield* Database
    yield* Effect.acquireRelease(migrate, () => Effect.orDie(sql`DROP SCHEMA IF EXISTS ${sql(schema)} CASCADE`))
  }))
  return migrated.pipe(Layer.provideMerge(Database.layer), Layer.provide(Layer.succeed(DatabaseSchema, schema)))
}))

/** PGlite in memory: the first in a process takes about half a second, each later one a few milliseconds. */
export const layerMemory = inFreshSchema.pipe(
  Layer.provideMerge(PgliteMemory.client),
  Layer.provide(sharedMemory),
  Layer.provide(realClock),
  Layer.fresh
)

/** A PostgreSQL server: the one of `TEST_DATABASE_URL`, else one that the test run starts when first asked. */
export const layerPostgres = inFreshSchema.pipe(
  Layer.provideMerge(Layer.unwrap(Effect.map(
    Effect.promise(postgresUrl),
    (url) => postgresLayer({ url, maxConnections: 10 })
  ))),
  Layer.provide(realClock),
  Layer.fresh
)

/** {@link layerMemory}, or {@link layerPostgres} under `TEST_DATABASE=postgres`. */
export const layer = Layer.suspend(() => env["TEST_DATABASE"] === "postgres" ? layerPostgres : layerMemory)
