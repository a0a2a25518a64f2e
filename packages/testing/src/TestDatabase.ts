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
import { type HostPool, layer as poolLayer } from "@filedrive/adapter-node/postgres-pool"
import type { Database } from "@filedrive/core"
import { Effect, Layer } from "effect"
import { env } from "node:process"
import * as FreshSchema from "./FreshSchema.ts"
import { sharedMemory } from "./MemoryTemplate.ts"
import { schemaNames } from "./PreparedSchemas.ts"
import { postgresUrl, schemaPrefix } from "./SharedPostgres.ts"

interface PoolLibrary {
  readonly Pool: new(options: object) => HostPool & { readonly end: () => Promise<void> }
}

const inMemory = <E, R>(schema: Layer.Layer<Database, E, R>) =>
  schema.pipe(
    Layer.provideMerge(PgliteMemory.client),
    Layer.provide(sharedMemory),
    Layer.provide(FreshSchema.realClock),
    Layer.fresh
  )

/** PGlite in memory: the first in a process takes about half a second, each later one a few milliseconds. */
export const layerMemory = inMemory(FreshSchema.layerReusingNoDeps({ prepared: schemaNames }))

/** {@link layerMemory} in a schema that no layer used before: its indexes have no pages of rows long deleted. For tests that count pages. */
export const layerMemoryNew = inMemory(FreshSchema.layerNewNoDeps)

/** The same server by a host's own `pg.Pool`, which is loaded only here: under `TEST_DATABASE=pool`. */
const onHostPool = (connectionString: string) =>
  Layer.unwrap(
    Effect.map(
      Effect.acquireRelease(
        Effect.promise(async () => {
          const name = "pg"
          const { default: pg } = await import(name) as { readonly default: PoolLibrary }
          return new pg.Pool({ connectionString, max: 10, options: "-c TimeZone=UTC" })
        }),
        (pool) => Effect.promise(() => pool.end())
      ),
      (pool) => poolLayer({ pool })
    )
  )

const onServer = <E, R>(schema: Layer.Layer<Database, E, R>) =>
  schema.pipe(
    Layer.provideMerge(Layer.unwrap(Effect.map(
      Effect.promise(postgresUrl),
      (url) => env["TEST_DATABASE"] === "pool" ? onHostPool(url) : postgresLayer({ url, maxConnections: 10 })
    ))),
    Layer.provide(FreshSchema.realClock),
    Layer.fresh
  )

const reused = FreshSchema.layerReusingNoDeps({ maxBytes: 32 * 1024 ** 2 })

/**
 * A PostgreSQL server: the one of `TEST_DATABASE_URL`, else one that the test run starts when first asked. Its schema is used again where
 * the run drops it at its end; making one takes a second.
 */
export const layerPostgres = onServer(
  Layer.suspend(() => schemaPrefix() === undefined ? FreshSchema.layerNewNoDeps : reused)
)

/** {@link layerPostgres} in a schema that no layer used before. */
export const layerPostgresNew = onServer(FreshSchema.layerNewNoDeps)

const isServer = () => ["postgres", "pool"].includes(env["TEST_DATABASE"] ?? "")

/** {@link layerMemory}, or {@link layerPostgres} under `TEST_DATABASE=postgres`, and by a host's pool under `pool`. */
export const layer = Layer.suspend(() => isServer() ? layerPostgres : layerMemory)

/** {@link layerMemoryNew}, or {@link layerPostgresNew} under `TEST_DATABASE=postgres`: for tests of the plans of statements. */
export const layerNew = Layer.suspend(() => isServer() ? layerPostgresNew : layerMemoryNew)
