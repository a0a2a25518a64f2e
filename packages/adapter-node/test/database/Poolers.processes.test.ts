/** A drive's database behind PgBouncer. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Database, DatabaseFault, DatabaseSchema, migrate, Pipeline } from "@filedrive/core"
import { Cause, Effect, Exit, Layer, Logger, Queue, Redacted } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { Pool } from "pg"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import * as Postgres from "../../src/database/Postgres.ts"
import * as PostgresPool from "../../src/database/PostgresPool.ts"
import { start } from "./ChildProcess.ts"
import { isInstalled, startPgBouncer } from "./PgBouncer.ts"

const together = { concurrency: "unbounded" } as const

const bouncer = (mode: Parameters<typeof startPgBouncer>[1]) =>
  Effect.acquireRelease(
    Effect.promise(async () => startPgBouncer(await postgresUrl(), mode)),
    ({ stop }) => Effect.promise(stop)
  )

/** Many transactions and single statements at once, on a few connections. */
const load = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const table = sql(`pooled_${process.pid}`)
  yield* sql`CREATE TABLE ${table} (n int PRIMARY KEY)`
  yield* Effect.addFinalizer(() => Effect.ignore(sql`DROP TABLE ${table}`))
  const add = (n: number) => sql`INSERT INTO ${table} VALUES (${n})`
  const one = (n: number) =>
    Pipeline.beginningWithLock(sql.withTransaction(Effect.gen(function*() {
      yield* add(n)
      yield* Effect.exit(sql.withTransaction(add(n)))
      yield* Pipeline.unawaited(sql.withTransaction(add(n + 1)))
      const [set] = yield* sql<{ readonly jit: string; readonly idle: string }>`
        SELECT current_setting('jit') AS jit, current_setting('idle_in_transaction_session_timeout') AS idle
      `
      assert.deepStrictEqual(set, { jit: "off", idle: "1min" })
    })))
  const numbers = Array.from({ length: 100 }, (_, at) => at * 10)
  yield* Effect.forEach(
    numbers,
    (n) => Effect.all([one(n), add(n + 5), sql`SELECT ${n}::int AS n, ${"text"} AS t`, one(n + 7)], together),
    together
  )
  const [all] = yield* sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM ${table}`
  assert.strictEqual(all!.count, 500)
})

describe.skipIf(!isInstalled)("behind PgBouncer", () => {
  for (const mode of ["session", "transaction"] as const) {
    it.live(
      `DB-118 DB-119 everything works in ${mode} mode, and the ${mode} is as it was before`,
      () =>
        Effect.gen(function*() {
          const { url } = yield* bouncer(mode)
          const lines: Array<string> = []
          const log = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
          yield* Effect.provide(Effect.scoped(load), Layer.provide(Postgres.layer({ url, maxConnections: 5 }), log))
          // What the drive sets for itself is not left to other users of the pooler.
          yield* Effect.gen(function*() {
            const sql = yield* PgClient.PgClient
            const [set] = yield* sql<{ readonly jit: string }>`SELECT current_setting('jit') AS jit`
            assert.strictEqual(set!.jit, "on")
            assert.deepStrictEqual(yield* sql`SELECT name FROM pg_prepared_statements WHERE name LIKE 'effect%'`, [])
          }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), prepare: false })))
          const warnings = lines.filter((line) => line.includes("gives each transaction another session"))
          assert.strictEqual(warnings.length, mode === "transaction" ? 1 : 0)
        }).pipe(Effect.scoped),
      60_000
    )
  }

  it.live(
    "DB-119 in transaction mode nothing listens, and notifications are still sent",
    () =>
      Effect.gen(function*() {
        const { url } = yield* bouncer("transaction")
        yield* Effect.gen(function*() {
          const sql = yield* PgClient.PgClient
          const queue = yield* sql.listen("pooled")
          yield* sql.notify("pooled", "hello")
          assert.strictEqual(yield* Queue.size(queue), 0)
          assert.deepStrictEqual(yield* sql`SELECT pg_listening_channels()`, [])
        }).pipe(Effect.provide(Postgres.layer({ url, maxConnections: 2 })))
      }).pipe(Effect.scoped),
    60_000
  )

  it.live(
    "DB-1 DB-119 processes that start at once behind transaction mode bring one server to one shape",
    () =>
      Effect.gen(function*() {
        const { url } = yield* bouncer("transaction")
        const schema = `pooled_start_${process.pid}`
        const children = Array.from({ length: 4 }, () => start(["migrate", url, schema]))
        const codes = yield* Effect.promise(() => Promise.all(children.map(({ ended }) => ended)))
        assert.deepStrictEqual(codes, [0, 0, 0, 0], children.map(({ errors }) => errors()).join("\n"))
        const steps = children.map(({ lines }) => Number(lines.at(-1)))
        assert.strictEqual(steps.filter((count) => count > 0).length, 1, "one of them does the work")
        const again = Layer.provide(Database.layer, Layer.succeed(DatabaseSchema, schema)).pipe(
          Layer.provideMerge(Postgres.layer({ url }))
        )
        yield* Effect.gen(function*() {
          assert.deepStrictEqual(yield* migrate, [])
          const { sql } = yield* Database
          yield* sql`DROP SCHEMA ${sql(schema)} CASCADE`
        }).pipe(Effect.provide(again))
      }).pipe(Effect.scoped),
    120_000
  )

  it.live("DB-119 statement mode is refused with an error message", () =>
    Effect.gen(function*() {
      const { url } = yield* bouncer("statement")
      const exit = yield* Effect.exit(
        Effect.provide(SqlClient.SqlClient.use((sql) => sql`SELECT 1`), Postgres.layer({ url }))
      )
      const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      assert.strictEqual(DatabaseFault.of(error)?.code, "unavailable")
      assert.match(String(SqlError.isSqlError(error) && error.reason.cause), /takes no transactions/)
    }).pipe(Effect.scoped), 60_000)
})

describe.skipIf(!isInstalled)("a host's pool behind PgBouncer", () => {
  for (const mode of ["session", "transaction"] as const) {
    it.live(`DB-119 in ${mode} mode everything works`, () =>
      Effect.gen(function*() {
        const { url } = yield* bouncer(mode)
        const pool = yield* Effect.acquireRelease(
          Effect.sync(() => new Pool({ connectionString: url, max: 5 })),
          (pool) => Effect.promise(() => pool.end())
        )
        yield* Effect.gen(function*() {
          yield* load
          const sql = yield* PgClient.PgClient
          const queue = yield* sql.listen("pooled")
          yield* sql.notify("pooled", "hello")
          if (mode === "session") return assert.strictEqual((yield* Queue.take(queue)).payload, "hello")
          assert.deepStrictEqual(yield* sql`SELECT pg_listening_channels()`, [])
        }).pipe(Effect.scoped, Effect.provide(PostgresPool.layer({ pool })))
      }).pipe(Effect.scoped), 60_000)
  }
})
