/** Statements of a transaction that are sent before those ahead of them are answered. */
import { assert, describe, it, layer as testLayer } from "@effect/vitest"
import { Pipeline } from "@filedrive/core"
import { Cause, Effect, Exit, Fiber, Layer, Scheduler } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type { Duplex } from "node:stream"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import { PgliteMemory, watchedWireClient } from "../../src/database/PgliteMemory.ts"
import * as Postgres from "../../src/database/Postgres.ts"
import type { StatementWatch } from "../../src/database/WatchedClient.ts"

const watch: StatementWatch = {
  know: () => {},
  forget: () => {},
  asked: (_, limitMillis) => ({ limitMillis, since: 0, abandoned: false }),
  answered: () => {}
}

let writes = 0
const counted = (connection: Duplex): Duplex => {
  const write = connection.write.bind(connection) as (chunk: unknown) => boolean
  connection.write = ((chunk: unknown) => {
    writes++
    return write(chunk)
  }) as Duplex["write"]
  return connection
}

const embedded = Layer.unwrap(
  Effect.map(PgliteMemory, ({ wire }) => watchedWireClient(() => counted(wire.connect()), watch))
).pipe(Layer.provide(PgliteMemory.layer()))

const server = Layer.unwrap(
  Effect.promise(async () => Postgres.layer({ url: await postgresUrl(), maxConnections: 2 }))
)

/** A table of this test alone, on whichever server. */
let tables = 0
const madeTable = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const table = sql(`pipelined_${process.pid}_${tables++}`)
  yield* sql`CREATE TABLE ${table} (n int PRIMARY KEY)`
  const add = (n: number) => sql`INSERT INTO ${table} VALUES (${n})`
  const all = Effect.map(
    sql<{ readonly n: number }>`SELECT n FROM ${table} ORDER BY n`,
    (rows) => rows.map(({ n }) => n)
  )
  return { sql, add, all, remove: sql`DROP TABLE ${table}` }
})

const failureOf = (exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(exit)) return "succeeded"
  const error = Cause.squash(exit.cause)
  return SqlError.isSqlError(error) ? error.reason._tag : String(error)
}

const together = { concurrency: "unbounded" } as const

for (const [name, database] of [["the embedded database", embedded], ["PostgreSQL", server]] as const) {
  testLayer(database, { timeout: "60 seconds" })(`Statements sent ahead, on ${name}`, (it) => {
    it.effect("DB-113 a failure that nobody waits for fails the transaction with its own error, and nothing is kept", () =>
      Effect.gen(function*() {
        const { add, all, remove, sql } = yield* madeTable
        yield* add(1)
        const failing = (last: Effect.Effect<unknown, SqlError.SqlError>) =>
          Effect.exit(sql.withTransaction(
            add(2).pipe(Effect.andThen(Pipeline.unawaited(add(1))), Effect.andThen(last))
          ))
        assert.strictEqual(failureOf(yield* failing(Effect.void)), "UniqueViolation")
        assert.strictEqual(failureOf(yield* failing(add(3))), "UniqueViolation")
        assert.strictEqual(failureOf(yield* failing(Pipeline.unawaited(add(3)))), "UniqueViolation")
        assert.strictEqual(failureOf(yield* failing(Effect.catch(add(3), () => Effect.void))), "UniqueViolation")
        assert.deepStrictEqual(yield* all, [1])
        yield* sql.withTransaction(Pipeline.unawaited(Effect.andThen(add(2), add(3))))
        assert.deepStrictEqual(yield* all, [1, 2, 3])
        yield* remove
      }))

    it.effect("DB-113 within a savepoint a failure ends with the savepoint, and the transaction goes on", () =>
      Effect.gen(function*() {
        const { add, all, remove, sql } = yield* madeTable
        yield* sql.withTransaction(Effect.gen(function*() {
          yield* Pipeline.unawaited(add(1))
          const inner = sql.withTransaction(Effect.andThen(add(2), Pipeline.unawaited(add(1))))
          assert.strictEqual(failureOf(yield* Effect.exit(inner)), "UniqueViolation")
          yield* sql.withTransaction(Pipeline.unawaited(add(3)))
          yield* Pipeline.unawaited(add(4))
        }))
        assert.deepStrictEqual(yield* all, [1, 3, 4])
        yield* remove
      }))

    it.effect("DB-117 a transaction fails with the first error, not with the errors of later statements", () =>
      Effect.gen(function*() {
        const { add, all, remove, sql } = yield* madeTable
        yield* add(1)
        const statement = (code: string) =>
          sql.unsafe(`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`).unprepared
        const nested = (work: Effect.Effect<unknown, SqlError.SqlError>) => Effect.exit(sql.withTransaction(work))
        for (const code of ["53100", "57P01", "25006", "58030", "23514"]) {
          const fails = statement(code)
          const ahead = Pipeline.unawaited(fails)
          const transactions: Record<string, Effect.Effect<unknown, unknown>> = {
            "before a savepoint": Effect.andThen(ahead, nested(add(2))),
            "before a savepoint that is left": ahead.pipe(Effect.andThen(nested(add(2))), Effect.andThen(add(3))),
            "before two savepoints": ahead.pipe(
              Effect.andThen(nested(Effect.andThen(add(2), nested(add(3))))),
              Effect.andThen(nested(add(4)))
            ),
            "and is caught": Effect.andThen(Effect.ignore(fails), add(2)),
            "and is caught before a savepoint": Effect.andThen(Effect.ignore(fails), nested(add(2))),
            "last": ahead,
            "in a savepoint, and the transaction's own later": Effect.andThen(
              nested(statement("22012")),
              Effect.andThen(ahead, nested(add(2)))
            )
          }
          for (const [when, transaction] of Object.entries(transactions)) {
            const exit = yield* Effect.exit(sql.withTransaction(transaction))
            const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
            const cause = SqlError.isSqlError(error) ? error.reason.cause as { readonly code?: string } : undefined
            assert.strictEqual(cause?.code, code, when)
          }
          yield* sql.withTransaction(nested(Effect.andThen(add(2), fails)).pipe(Effect.andThen(all)))
        }
        yield* sql.withTransaction(Effect.andThen(nested(statement("53100")), add(5)))
        assert.deepStrictEqual(yield* all, [1, 5])
        yield* remove
      }))

    it.effect("DB-113 transactions and single statements at once never come in between one another", () =>
      Effect.gen(function*() {
        const { add, all, remove, sql } = yield* madeTable
        const kept = (n: number) => add(n)
        const undone = (n: number) =>
          Effect.ignore(sql.withTransaction(
            Pipeline.unawaited(add(n)).pipe(Effect.andThen(add(n + 1)), Effect.andThen(Effect.fail("no")))
          ))
        const done = (n: number) =>
          Pipeline.beginningWithLock(
            sql.withTransaction(Effect.andThen(add(n), Pipeline.unawaited(add(n + 1))))
          )
        const numbers = Array.from({ length: 60 }, (_, at) => at * 10)
        yield* Effect.forEach(
          numbers,
          (n) => Effect.all([kept(n), undone(n + 1), done(n + 3), undone(n + 5)], together),
          together
        )
        assert.deepStrictEqual(yield* all, numbers.flatMap((n) => [n, n + 3, n + 4]))
        yield* remove
      }))
  })
}

testLayer(embedded, { timeout: "60 seconds" })("What is sent together", (it) => {
  it.effect("DB-114 a transaction that begins with a lock takes three writes: with the lock, its statements, with its commit", () =>
    Effect.gen(function*() {
      const { add, all, remove, sql } = yield* madeTable
      const change = (n: number) =>
        Pipeline.beginningWithLock(sql.withTransaction(Effect.gen(function*() {
          yield* add(n)
          yield* Effect.all([all, all, all], together)
          yield* Pipeline.unawaited(add(n + 1))
          yield* Pipeline.unawaited(add(n + 2))
        })))
      yield* change(0)
      writes = 0
      yield* change(3)
      assert.strictEqual(writes, 3)
      assert.deepStrictEqual(yield* all, [0, 1, 2, 3, 4, 5])
      yield* remove
    }))
})

describe("A statement of a transaction whose caller is gone", () => {
  it.live(
    "DB-115 is cancelled, its transaction rolled back, and its connection used again",
    () =>
      Effect.gen(function*() {
        const { add, all, remove, sql } = yield* madeTable
        const sleeping = Effect.map(
          sql<{ readonly pid: number }>`
          SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep%' AND pid <> pg_backend_pid()
        `,
          (rows) => rows.length
        )
        for (const wait of [sql`SELECT pg_sleep(600)`, Pipeline.unawaited(sql`SELECT pg_sleep(600)`)]) {
          const fiber = yield* Effect.forkChild(
            sql.withTransaction(Effect.andThen(Effect.andThen(add(1), wait), add(2)))
          )
          while ((yield* sleeping) === 0) yield* Effect.yieldNow
          yield* Fiber.interrupt(fiber)
          assert.strictEqual(yield* sleeping, 0)
          assert.deepStrictEqual(yield* all, [])
        }
        yield* sql.withTransaction(add(3))
        assert.deepStrictEqual(yield* all, [3])
        yield* remove
      }).pipe(Effect.provide(server)),
    60_000
  )
})

describe("A connection that statements and transactions share", () => {
  it.live(
    "DB-113 a statement that was about to be sent when a transaction began does not come into it",
    () =>
      Effect.gen(function*() {
        const { add, all, remove, sql } = yield* madeTable
        const until = performance.now() + 1_500
        const added: Array<number> = []
        let next = 0
        const inTurns = (ops: number) =>
          Effect.gen(function*() {
            while (performance.now() < until) {
              const n = next++
              yield* add(n)
              added.push(n)
            }
          }).pipe(Effect.provideService(Scheduler.MaxOpsBeforeYield, ops))
        const undone = Effect.gen(function*() {
          while (performance.now() < until) {
            const work = Effect.all([sql`SELECT 1`, sql`SELECT 2`], together)
            yield* Effect.ignore(sql.withTransaction(Effect.andThen(work, Effect.fail("no"))))
          }
        })
        yield* Effect.all([inTurns(3), inTurns(5), inTurns(7), inTurns(11), undone, undone], together)
        assert.deepStrictEqual(yield* all, added.toSorted((a, b) => a - b))
        yield* remove
      }).pipe(Effect.provide(Layer.unwrap(
        Effect.promise(async () => Postgres.layer({ url: await postgresUrl(), maxConnections: 1 }))
      ))),
    60_000
  )
})
