/** Turns go among the accounts that have something due: the others' later jobs are not read. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { DateTime, Effect, Layer } from "effect"
import { Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { JobClaimsRepo } from "./JobClaimsRepo.ts"
import { JobsRepo } from "./JobsRepo.ts"

const now = DateTime.makeUnsafe("2026-01-01T12:00:00Z")
const kind = "letters"
const lease = "11111111-1111-4111-8111-111111111111"
const capacity = { free: 4, turns: { ofAccount: 2, after: "", running: new Map<string, number>() } }

const claim = (at = now, after = "") =>
  JobClaimsRepo.use((claims) =>
    claims.claim(
      new Map([[kind, { ...capacity, turns: { ...capacity.turns, after } }], ["in order", { free: 4, turns: null }]]),
      lease,
      at,
      DateTime.addDuration(at, "30 seconds")
    )
  )

const keys = Effect.map(claim(), ({ jobs }) => jobs.map(({ key }) => key))

const enqueue = (key: string, time = now) =>
  JobsRepo.use((repo) => repo.enqueue({ kind, key, takesTurns: true }, time, now, false))

/** One job of each of so many accounts, as a process without the handler enqueues it. */
const add = Effect.fnUntraced(function*(accounts: number, time: DateTime.Utc, name: string) {
  const { sql, tables: t } = yield* Database
  yield* sql`
    INSERT INTO ${t.jobs} (kind, key, run_time, set_time, insert_time)
    SELECT ${kind}::text, ${name}::text || n || '/0', ${DateTime.toDateUtc(time)}::timestamptz,
      ${DateTime.toDateUtc(now)}::timestamptz, ${DateTime.toDateUtc(now)}::timestamptz
    FROM generate_series(1, ${accounts}::int) n
  `
})

const tomorrow = DateTime.addDuration(now, "1 day")

/** What the server did to claim, and how many pages it read. */
const explained = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  yield* sql`ANALYZE ${t.jobs}`
  const { jobs } = yield* claim().pipe(
    Effect.provideService(Statement.CurrentTransformer, (statement, sql) =>
      Effect.sync(() => {
        const [text, values] = statement.compile()
        return sql.unsafe(`EXPLAIN (ANALYZE, BUFFERS) ${text}`, values)
      }))
  )
  const plan = jobs.map((row) => Object.values(row).join("")).join("\n")
  const pages = [...plan.matchAll(/^(?:\S.*\n)?\s+Buffers: shared hit=(\d+)(?: read=(\d+))?/gm)][0]!
  return { plan, pages: Number(pages[1]) + Number(pages[2] ?? 0) }
})

const clear = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  yield* sql`TRUNCATE ${t.jobs}`
})

testLayer(Layer.merge(JobClaimsRepo.layer, JobsRepo.layer).pipe(Layer.provideMerge(TestDatabase.layerNew)), {
  timeout: "120 seconds"
})("Turns", (it) => {
  it.effect("JOB-50 20,000 accounts with later jobs of the kind delay no account's first job beyond the next poll", () =>
    Effect.gen(function*() {
      yield* clear
      yield* add(20_000, tomorrow, "a")
      yield* enqueue("late/0")
      const { isCut, jobs, nextTimes, overdue } = yield* claim()
      assert.deepStrictEqual(jobs.map(({ key }) => key), ["late/0"])
      // So the worker waits for a signal, or its interval.
      assert.deepStrictEqual({ isCut, overdue, next: nextTimes.get(kind) }, {
        isCut: false,
        overdue: [],
        next: DateTime.toDateUtc(tomorrow)
      })
    }))

  it.effect("JOB-50 nor do they beside thousands of due jobs of one account", () =>
    Effect.gen(function*() {
      yield* clear
      yield* add(20_000, tomorrow, "a")
      const busy = Array.from({ length: 3_000 }, (_, n) => `busy/${n}`)
      yield* JobsRepo.use((repo) => repo.enqueueAll({ kind, takesTurns: true }, busy, now))
      yield* enqueue("late/0")
      assert.sameMembers(
        (yield* keys).map((key) => key.split("/")[0]!),
        ["busy", "busy", "late"]
      )
    }))

  it.effect("JOB-50 a poll reads as few pages beside 20,000 later jobs as beside 200", () =>
    Effect.gen(function*() {
      const of = Effect.fnUntraced(function*(accounts: number) {
        yield* clear
        yield* add(accounts, tomorrow, "a")
        yield* enqueue("late/0")
        return yield* explained
      })
      const few = yield* of(200)
      const many = yield* of(20_000)
      assert.isBelow(many.pages, few.pages + 30, many.plan)
      assert.isBelow(many.pages, 100, many.plan)
    }))

  it.effect("JOB-50 jobs of many accounts that become due at once take turns, a thousand a statement", () =>
    Effect.gen(function*() {
      const claims = yield* JobClaimsRepo
      yield* clear
      yield* add(2_500, tomorrow, "a")
      const { jobs, overdue } = yield* claim(tomorrow)
      assert.deepStrictEqual([jobs, overdue], [[], [kind]])
      const brought: Array<number> = []
      for (let n = 0; n < 4; n++) brought.push(yield* claims.bringDue([kind], tomorrow))
      assert.deepStrictEqual(brought, [1_000, 1_000, 500, 0])
      const next = yield* claim(tomorrow)
      assert.deepStrictEqual(next.overdue, [])
      assert.deepStrictEqual(next.jobs.map(({ account }) => account), ["a1", "a10", "a100", "a1000"])
    }))

  it.effect("JOB-51 times that were set while the clock was ahead become as far from now as they were from that moment", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const claims = yield* JobClaimsRepo
      yield* clear
      const ahead = DateTime.addDuration(now, "2 hours")
      const repo = yield* JobsRepo
      const plain = { kind: "in order", takesTurns: false }
      yield* repo.enqueue({ ...plain, key: "at once" }, ahead, ahead, false)
      yield* repo.enqueue({ ...plain, key: "in a minute" }, DateTime.addDuration(ahead, "1 minute"), ahead, false)
      yield* repo.enqueue({ ...plain, key: "before" }, tomorrow, now, false)
      yield* repo.start("in order", "held", lease, ahead, DateTime.addDuration(ahead, "30 seconds"))
      yield* claims.correctTimes(now)
      const rows = yield* sql<{ readonly key: string; readonly time: Date }>`
        SELECT key, run_time AS "time" FROM ${t.jobs} ORDER BY run_time
      `
      assert.deepStrictEqual(
        rows.map(({ key, time }) => [key, (time.getTime() - now.epochMilliseconds) / 1_000]),
        [["at once", 0], ["held", 30], ["in a minute", 60], ["before", 86_400]]
      )
      // The clock is right now: what is decided from then on stays.
      yield* claims.correctTimes(now)
      assert.deepStrictEqual((yield* claim()).jobs.map(({ key }) => key), ["at once"])
    }))
})
