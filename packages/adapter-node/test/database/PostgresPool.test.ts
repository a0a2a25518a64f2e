/** A host's own `pg.Pool` as the drive's database. */
import { assert, describe, it } from "@effect/vitest"
import { Database, DatabaseSchema, StatementTime } from "@filedrive/core"
import { databaseSuite, jobsSuite } from "@filedrive/testing/suites"
import { Deferred, Duration, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import * as FreshSchema from "../../../testing/src/FreshSchema.ts"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import * as PostgresPool from "../../src/database/PostgresPool.ts"

const poolOf = (options: pg.PoolConfig) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const pool = new pg.Pool({ connectionString: await postgresUrl(), ...options })
      pool.on("error", () => undefined)
      return pool
    }),
    (pool) => Effect.promise(() => pool.end())
  )

const onPool = (options: pg.PoolConfig, more: Partial<PostgresPool.PostgresPoolOptions> = {}) =>
  FreshSchema.layerNewNoDeps.pipe(
    Layer.provideMerge(Layer.unwrap(Effect.map(poolOf(options), (pool) => PostgresPool.layer({ pool, ...more })))),
    Layer.provide(FreshSchema.realClock),
    Layer.fresh
  )

const breakConnections = SqlClient.SqlClient.use((sql) =>
  sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'broken' AND pid <> pg_backend_pid()`
)

// A host whose sessions are set otherwise than the drive's own, and whose parsers read other values.
const odd = { max: 10, options: "-c TimeZone=UTC -c extra_float_digits=0 -c jit=on" }

databaseSuite("the host's pool", onPool({ ...odd, application_name: "broken" }), { breakConnections })
void [assert, describe, it, Database, DatabaseSchema, StatementTime, jobsSuite, Deferred, Duration, Fiber]
