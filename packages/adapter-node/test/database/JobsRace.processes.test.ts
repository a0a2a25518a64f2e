/** Jobs for real: three processes on one server, one of them killed in the middle. */
import { assert, it } from "@effect/vitest"
import { Database, Jobs, JobsSql } from "@filedrive/core"
import { TestDatabase } from "@filedrive/testing"
import { Deferred, Effect, Fiber, Layer, Schedule } from "effect"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import { start } from "./ChildProcess.ts"

const jobCount = 4_000

const counts = Database.use(({ schema, sql }) =>
  sql<{ readonly effects: number; readonly runs: number; readonly waiting: number }>`
    SELECT (SELECT count(*)::int FROM ${sql(`${schema}.effects`)}) AS effects,
      (SELECT count(*)::int FROM ${sql(`${schema}.runs`)}) AS runs,
      (SELECT count(*)::int FROM ${sql(`${schema}.jobs`)}) AS waiting
  `
).pipe(Effect.map((rows) => rows[0]!))

/** Looks at the real clock, since the other processes have no other. */
const until = (reached: (now: Effect.Success<typeof counts>) => boolean) =>
  Effect.repeat(counts, { until: reached, schedule: Schedule.spaced("50 millis") })

it.live(
  "JOB-1 each of 4,000 jobs takes effect exactly once, with three processes at work and one killed",
  () =>
    Effect.gen(function*() {
      const { schema, sql } = yield* Database
      const jobs = yield* Jobs.Jobs
      const url = yield* Effect.promise(postgresUrl)
      yield* sql`CREATE TABLE ${sql(`${schema}.effects`)} (key text PRIMARY KEY, done_by int NOT NULL)`
      yield* sql`CREATE TABLE ${sql(`${schema}.runs`)} (key text NOT NULL)`

      const processes = Array.from({ length: 3 }, () => start(["work", url, schema]))
      yield* Effect.addFinalizer(() => Effect.promise(() => Promise.all(processes.map((one) => one.kill()))))
      yield* Effect.promise(() => Promise.all(processes.map((one) => one.printed(1))))

      const keys = Array.from({ length: jobCount }, (_, n) => String(n))
      const enqueueing = yield* Effect.forkScoped(
        Effect.forEach(keys, (key) => jobs.enqueue({ kind: "race", key }), { concurrency: 8, discard: true })
      )
      yield* until(({ effects }) => effects > jobCount / 4)
      yield* Effect.promise(processes[0]!.kill)
      yield* Fiber.join(enqueueing)

      const end = yield* until(({ waiting }) => waiting === 0)
      assert.strictEqual(end.effects, jobCount)
      // Only what the killed process had in hand, eight at most, may have run again.
      assert.isAtMost(end.runs, jobCount + 8)
      const workers = yield* sql<{ readonly n: number }>`
      SELECT count(DISTINCT done_by)::int AS n FROM ${sql(`${schema}.effects`)}
    `
      assert.strictEqual(workers[0]!.n, 3)
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(JobsSql.layer, TestDatabase.layerPostgres))),
  240_000
)

it.live(
  "JOB-9 a job that is given back while it is being cancelled does not run",
  () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const jobs = yield* Jobs.Jobs
      yield* jobs.enqueue({ kind: "race", key: "a" })
      yield* sql`UPDATE ${t.jobs} SET lease = gen_random_uuid()`
      const isGiven = yield* Deferred.make<void>()
      const cancelling = yield* Effect.forkScoped(
        Effect.andThen(Deferred.await(isGiven), jobs.cancel("race", "a"))
      )
      const waits = sql`SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid`
      yield* sql.withTransaction(Effect.gen(function*() {
        // As a worker does when its job is to run again.
        yield* sql`UPDATE ${t.jobs} SET lease = NULL`
        yield* Deferred.succeed(isGiven, undefined)
        yield* Effect.repeat(waits, { until: (rows) => rows.length > 0, schedule: Schedule.spaced("10 millis") })
      }))
      yield* Fiber.join(cancelling)
      assert.deepStrictEqual(yield* sql`SELECT key FROM ${t.jobs}`, [])
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(JobsSql.layer, TestDatabase.layerPostgres))),
  60_000
)
