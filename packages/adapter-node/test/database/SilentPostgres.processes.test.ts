/** A PostgreSQL server whose connections go silent, as behind a firewall that has forgotten them. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { DatabaseFault, StatementTime } from "@filedrive/core"
import { Context, Deferred, Duration, Effect, Exit, Fiber, Layer, Queue, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import * as Postgres from "../../src/database/Postgres.ts"
import * as WatchedClient from "../../src/database/WatchedClient.ts"
import { startSilentProxy } from "./SilentProxy.ts"

const proxied = Effect.acquireRelease(
  Effect.promise(async () => startSilentProxy(await postgresUrl())),
  (proxy) => Effect.promise(() => proxy.close())
)

const test = <E>(
  name: string,
  work: (
    proxy: Effect.Success<typeof proxied>
  ) => Effect.Effect<void, E, SqlClient.SqlClient | PgClient.PgClient>,
  maxConnections = 4,
  applicationName = "silent"
) =>
  it.live(
    name,
    () =>
      Effect.gen(function*() {
        const proxy = yield* proxied
        yield* work(proxy).pipe(
          Effect.provide(
            Postgres.layer({ url: proxy.url, maxConnections, applicationName, statementTimeout: "1 second" })
          )
        )
      }).pipe(Effect.scoped),
    60_000
  )

const together = { concurrency: "unbounded" } as const

/** Opens every connection of the pool. */
const warm = (sql: SqlClient.SqlClient, count: number) =>
  Effect.gen(function*() {
    const all = yield* Deferred.make<void>()
    let held = 0
    yield* Effect.forEach(Array.from({ length: count }), () =>
      sql.withTransaction(Effect.gen(function*() {
        yield* sql`SELECT 1`
        if (++held === count) yield* Deferred.succeed(all, undefined)
        yield* Deferred.await(all)
      })), together)
  })

/** Statements that wait for the lock of this number. */
const waitingFor = (sql: SqlClient.SqlClient, lock: number) =>
  Effect.map(
    sql<{ count: number }>`
      SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND objid = ${lock} AND NOT granted
    `,
    ([row]) => row!.count
  )

const spaced = Schedule.spaced("20 millis")

describe("a PostgreSQL server that has gone silent", () => {
  test("DB-17 statements on silent connections end as lost connections, and the pool heals at once", (proxy) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* warm(sql, 4)
      assert.strictEqual(proxy.opened(), 4)
      proxy.silence()
      const calls = yield* Effect.forEach(
        Array.from({ length: 40 }, (_, at) => at),
        (at) => Effect.exit(at % 4 === 0 ? sql.withTransaction(sql`SELECT 1`) : sql`SELECT 1`),
        together
      )
      for (const exit of calls) {
        if (Exit.isSuccess(exit)) continue
        assert.strictEqual(DatabaseFault.ofCause(exit.cause)?.code, "unavailable")
      }
      assert.isTrue(calls.some(Exit.isFailure))
      // None of the connections that were silent is left: nobody waits a second time.
      yield* Effect.forEach(Array.from({ length: 40 }), () => sql`SELECT 1`, together)
      yield* warm(sql, 4)
    }))

  test("DB-17 a connection that is silent while nobody waits is replaced too", (proxy) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* warm(sql, 1)
      proxy.silence()
      const asked = yield* Effect.forkChild(sql`SELECT 1`)
      yield* Effect.yieldNow
      yield* Fiber.interrupt(asked)
      yield* Effect.retry(sql.withTransaction(sql`SELECT 1`), { times: 2 })
    }), 1)

  test("DB-17 connections that answered while the one that was given up was still at work are replaced with it", (proxy) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* warm(sql, 4)
      const held = yield* Deferred.make<void>()
      const slow = yield* sql.withTransaction(
        Effect.andThen(Deferred.succeed(held, undefined), sql`SELECT pg_sleep(0.5)::text`)
      ).pipe(Effect.exit, Effect.forkChild)
      yield* Deferred.await(held)
      yield* warm(sql, 3)
      proxy.silence()
      assert.isTrue(Exit.isFailure(yield* Fiber.join(slow)))
      yield* Effect.forEach([1, 2, 3, 4], () => sql.withTransaction(sql`SELECT 1`), together)
    }))

  test(
    "DB-17 connections that were opened and not used yet are asked before anybody waits on them",
    (proxy) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        // Who wants them is gone before they are there.
        const wanted = yield* Effect.forEach(
          Array.from({ length: 32 }),
          () => sql`SELECT pg_sleep(0.02)::text`,
          together
        )
          .pipe(Effect.forkChild)
        yield* Effect.repeat(Effect.sync(proxy.opened), {
          until: (count) => count === 4,
          schedule: Schedule.spaced("1 millis")
        })
        yield* Fiber.interrupt(wanted)
        const open = sql<{ count: number }>`
        SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = ${"unused"} AND state = 'idle'
      `
        yield* Effect.repeat(open, {
          until: ([row]) => row?.count === 3,
          schedule: Schedule.spaced("20 millis")
        })
        proxy.silence()
        assert.isTrue(Exit.isFailure(yield* Effect.exit(sql`SELECT 1`)))
        yield* Effect.forEach(Array.from({ length: 20 }), () => sql`SELECT 1`, together)
        yield* warm(sql, 4)
      }),
    4,
    "unused"
  )

  test(
    "DB-65 waiting for a connection ends at the time limit, however long others hold the connections",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const held = yield* Deferred.make<void>()
        const free = yield* Deferred.make<void>()
        const holder = yield* sql.withTransaction(
          Effect.andThen(Deferred.succeed(held, undefined), Deferred.await(free))
        ).pipe(Effect.forkChild)
        yield* Deferred.await(held)
        // The one connection is free again only when all of them have failed.
        const calls = yield* Effect.forEach(
          [sql`SELECT 1`, sql.withTransaction(sql`SELECT 1`)],
          Effect.exit,
          together
        )
        for (const exit of calls) {
          assert.isTrue(Exit.isFailure(exit))
          if (Exit.isFailure(exit)) assert.strictEqual(DatabaseFault.ofCause(exit.cause)?.code, "unavailable")
        }
        yield* Deferred.succeed(free, undefined)
        yield* Fiber.join(holder)
        yield* Effect.forEach([1, 2, 3, 4], () => sql.withTransaction(sql`SELECT 1`), together)
      }),
    1
  )

  it.live("DB-65 what a transaction has waited for its connection is taken from its statements' time", () => {
    const limits: Array<number> = []
    const watch = {
      know: () => undefined,
      forget: () => undefined,
      answered: () => undefined,
      asked: (_: unknown, limitMillis: number) => {
        limits.push(limitMillis)
        return { limitMillis, since: 0, abandoned: false }
      }
    }
    return Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const held = yield* Deferred.make<void>()
      const holder = yield* sql.withTransaction(
        Effect.andThen(Deferred.succeed(held, undefined), sql`SELECT pg_sleep(0.5)::text`)
      ).pipe(Effect.forkChild)
      yield* Deferred.await(held)
      limits.length = 0
      yield* sql.withTransaction(sql`SELECT 1`)
      yield* Fiber.join(holder)
      const ofWaiting = limits.filter((limit) => limit < 9_800)
      assert.isAtLeast(ofWaiting.length, 3)
      assert.isTrue(ofWaiting.every((limit) => limit >= 5_000))
    }).pipe(
      Effect.provide(
        Layer.unwrap(Effect.map(
          Effect.promise(postgresUrl),
          (url) =>
            WatchedClient.layer({
              url: Redacted.make(url),
              maxConnections: 1,
              multiplex: true,
              statementTimeout: Duration.seconds(10),
              watch
            })
        ))
      )
    )
  }, 60_000)

  test("DB-17 work on whole tables has more time, and a slow answer is not a lost one", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* StatementTime.patiently(sql`SELECT pg_sleep(2.5)::text`)
      const slow = yield* Effect.exit(sql`SELECT pg_sleep(60)::text`)
      assert.isTrue(Exit.isFailure(slow))
      // Many that each take their while, one behind the other on one connection, owe nothing for long.
      yield* Effect.forEach(Array.from({ length: 6 }), () => sql`SELECT pg_sleep(0.4)::text`, together)
    }), 1)

  test("DB-17 a silent connection that listens is noticed, and what listens is told", (proxy) =>
    Effect.gen(function*() {
      const client = yield* PgClient.PgClient
      const heard = yield* client.listen("silence")
      proxy.silence()
      const lost = yield* Effect.exit(Queue.take(heard))
      assert.isTrue(Exit.isFailure(lost))
      const again = yield* Effect.retry(client.listen("silence"), { times: 5, schedule: Schedule.spaced("100 millis") })
      yield* client.notify("silence", "after")
      assert.strictEqual((yield* Queue.take(again)).payload, "after")
    }).pipe(Effect.scoped))

  for (const isSilent of [false, true]) {
    test(`DB-35 a statement that was given up ends on the server too, ${isSilent ? "on a silent connection" : "while it waits for a lock"}`, (proxy) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const url = yield* Effect.promise(postgresUrl)
        const others = yield* Layer.build(Postgres.layer({ url }))
        const other = Context.get(others, SqlClient.SqlClient)
        const lock = isSilent ? 1_735 : 1_736
        yield* other.withTransaction(Effect.gen(function*() {
          yield* other`SELECT pg_advisory_xact_lock(${lock})`
          const waiting = yield* sql.withTransaction(sql`SELECT pg_advisory_xact_lock(${lock})`).pipe(
            Effect.exit,
            Effect.forkChild
          )
          yield* Effect.repeat(waitingFor(other, lock), { until: (count) => count === 1, schedule: spaced })
          if (isSilent) proxy.silence()
          assert.isTrue(Exit.isFailure(yield* Fiber.join(waiting)))
          yield* Effect.repeat(waitingFor(other, lock), { until: (count) => count === 0, schedule: spaced })
        }))
      }).pipe(Effect.scoped))
  }
})
