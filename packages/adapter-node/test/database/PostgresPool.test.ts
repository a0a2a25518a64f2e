/** A host's own `pg.Pool` as the drive's database. */
import { assert, describe, it } from "@effect/vitest"
import { Database, StatementTime } from "@filedrive/core"
import { databaseSuite, jobsSuite } from "@filedrive/testing/suites"
import { Duration, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Pool, type PoolConfig } from "pg"
import * as FreshSchema from "../../../testing/src/FreshSchema.ts"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import * as PostgresPool from "../../src/database/PostgresPool.ts"

const warnings: Array<string> = []
process.on("warning", ({ message }) => warnings.push(message))

const poolOf = (options: PoolConfig) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const pool = new Pool({ connectionString: await postgresUrl(), ...options })
      pool.on("error", () => undefined)
      return pool
    }),
    (pool) => Effect.promise(() => pool.end())
  )

const onPool = (options: PoolConfig, more: Partial<PostgresPool.PostgresPoolOptions> = {}) =>
  FreshSchema.layerNewNoDeps.pipe(
    Layer.provideMerge(Layer.unwrap(Effect.map(poolOf(options), (pool) => PostgresPool.layer({ pool, ...more })))),
    Layer.provide(FreshSchema.realClock),
    Layer.fresh
  )

const breakConnections = SqlClient.SqlClient.use((sql) =>
  sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'broken' AND pid <> pg_backend_pid()`
)

// A host whose sessions are set otherwise than the drive's own, and whose parsers read other values.
const odd = { max: 10, options: "-c TimeZone=UTC -c jit=on" }

databaseSuite("the host's pool", onPool({ ...odd, application_name: "broken" }), { breakConnections })
jobsSuite("the host's pool", onPool({ max: 10 }))

describe("statements on a host's pool", () => {
  const sleeping = Database.use(({ sql }) => sql`SELECT pg_sleep(60)::text`)
  const running = Database.use(({ sql }) =>
    sql<{ readonly count: number }>`
      SELECT count(*)::int AS count FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid() AND state = 'active'
    `
  ).pipe(Effect.map(([row]) => row!.count))

  it.live(
    "HOST-111 a statement that nobody waits for any longer, or that takes too long, is cancelled, and its connection still works",
    () =>
      Effect.gen(function*() {
        const waiting = yield* Effect.forkChild(sleeping)
        yield* Effect.repeat(running, { until: (count) => count === 1 })
        yield* Fiber.interrupt(waiting)
        assert.strictEqual(yield* running, 0)
        const error = yield* Effect.flip(
          Effect.provideService(sleeping, StatementTime.StatementTime, Duration.millis(200))
        )
        assert.strictEqual(error.reason._tag, "ConnectionError")
        assert.strictEqual(yield* running, 0)
      }).pipe(Effect.provide(onPool({ max: 3 }))),
    60_000
  )

  it.live(
    "HOST-111 a connection has one statement at a time: node-postgres warns of nothing, and one that waits can be given up alone",
    () =>
      SqlClient.SqlClient.use((sql) =>
        Effect.gen(function*() {
          const other = yield* sql.reserve
          const run = (statement: string) => other.executeValues(statement, [])
          yield* run("SELECT pg_advisory_lock(7)::text")
          const numbers = yield* sql.withTransaction(Effect.gen(function*() {
            const first = yield* Effect.forkChild(sql`SELECT pg_advisory_xact_lock(7)::text`)
            const isWaiting = run("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
            yield* Effect.repeat(isWaiting, { until: (rows) => rows.length === 1 })
            const second = yield* Effect.forkChild(sql`SELECT 2`, { startImmediately: true })
            yield* Fiber.interrupt(second)
            yield* run("SELECT pg_advisory_unlock(7)")
            yield* Fiber.join(first)
            return yield* Effect.forEach([1, 2, 3], (number) => sql`SELECT ${number}::int AS number`, {
              concurrency: "unbounded"
            })
          }))
          assert.deepStrictEqual(numbers.flat(), [{ number: 1 }, { number: 2 }, { number: 3 }])
          assert.deepStrictEqual(warnings, [])
        })
      ).pipe(Effect.scoped, Effect.provide(onPool({ max: 3 }))),
    60_000
  )

  it.live(
    "HOST-161 one on a client of the host's that never sends it fails, with its time",
    () =>
      Effect.gen(function*() {
        const { join } = yield* PostgresPool.HostTransactions
        const never = join({ query: () => new Promise(() => undefined) })
        const error = yield* never.execute("SELECT 1", [], undefined).pipe(
          Effect.provideService(StatementTime.StatementTime, Duration.millis(50)),
          Effect.flip
        )
        assert.match(error.message, /has not answered for 0.05 seconds/)
      }).pipe(Effect.provide(onPool({ max: 3 }))),
    60_000
  )
})
