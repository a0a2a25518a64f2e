/**
 * What the drive's own queue must do on every database. Run it against each:
 *
 * ```ts
 * jobsSuite("PostgreSQL", TestDatabase.layerPostgres)
 * ```
 */
import { assert, describe, it } from "@effect/vitest"
import { Database, DriveError, Jobs, JobsOverview } from "@filedrive/core"
import { DateTime, Deferred, Duration, Effect, Fiber, Layer, Logger, Queue, Ref, type Scope } from "effect"
import { TestClock } from "effect/testing"
import {
  enqueue,
  handle,
  held,
  kind,
  later,
  otherProcess,
  type Process,
  process,
  recorder,
  runDue,
  serving
} from "./jobs/JobsFixture.ts"
import { leasesSuite } from "./jobs/LeasesSuite.ts"
import { turnsSuite } from "./jobs/TurnsSuite.ts"

export const jobsSuite = <E>(name: string, database: Layer.Layer<Database, E>) => {
  const inProcess = Layer.provideMerge(process, database)
  const effect = <A, E2>(rule: string, test: Effect.Effect<A, E2, Process | Database | Scope.Scope>) =>
    it.effect(rule, () => Effect.provide(test, inProcess))

  describe(`Jobs on ${name}`, () => {
    effect(
      "JOB-2 a job of a transaction that was rolled back never runs",
      Effect.gen(function*() {
        const ran = yield* recorder
        const { sql } = yield* Database
        yield* Effect.exit(sql.withTransaction(Effect.andThen(enqueue("a"), Effect.fail("no"))))
        yield* runDue
        assert.deepStrictEqual(yield* ran, [])
        yield* sql.withTransaction(enqueue("b"))
        yield* runDue
        assert.deepStrictEqual(yield* ran, ["b"])
      })
    )

    effect(
      "JOB-13 JOB-3 many jobs are asked for at once: each runs once, those that wait already too",
      Effect.gen(function*() {
        const ran = yield* recorder
        const jobs = yield* Jobs.Jobs
        const { sql } = yield* Database
        const all = (keys: ReadonlyArray<string>) => jobs.enqueueAll({ kind, keys })
        yield* enqueue("b", yield* later("2 hours"))
        yield* Effect.exit(sql.withTransaction(Effect.andThen(all(["never"]), Effect.fail("no"))))
        yield* all(["c", "a", "b", "a"])
        yield* all([])
        yield* runDue
        assert.sameMembers([...(yield* ran)], ["a", "b", "c"])
        yield* TestClock.adjust("3 hours")
        yield* runDue
        assert.lengthOf(yield* ran, 3)
      })
    )

    effect(
      "JOB-3 asking again while a job waits moves it to the earlier time and makes no second one",
      Effect.gen(
        function*() {
          const ran = yield* recorder
          yield* enqueue("a", yield* later("2 hours"))
          yield* enqueue("a", yield* later("1 hour"))
          yield* enqueue("a", yield* later("3 hours"))
          yield* runDue
          assert.deepStrictEqual(yield* ran, [])
          yield* TestClock.adjust("1 hour")
          yield* runDue
          yield* TestClock.adjust("3 hours")
          yield* runDue
          assert.deepStrictEqual(yield* ran, ["a"])
        }
      )
    )

    effect(
      "JOB-3 asking while a job runs makes it run once more",
      Effect.gen(function*() {
        const runs = yield* Ref.make(0)
        yield* handle(({ key }) =>
          Effect.gen(function*() {
            const before = yield* Ref.getAndUpdate(runs, (n) => n + 1)
            if (before === 0) yield* Effect.andThen(enqueue(key), enqueue(key))
            return Jobs.done
          }).pipe(Effect.provideContext(context))
        )
        const context = yield* Effect.context<Jobs.Jobs>()
        yield* enqueue("a")
        yield* runDue
        assert.strictEqual(yield* Ref.get(runs), 2)
      })
    )

    effect(
      "JOB-3 a transaction that asks while the run ends is not forgotten",
      Effect.gen(function*() {
        const { begun, mayEnd } = yield* held
        const { sql } = yield* Database
        yield* enqueue("a")
        const worker = yield* Effect.forkScoped(runDue)
        yield* Queue.take(begun)
        // Ends while the asking transaction holds the job's row: settling has to wait for it.
        yield* sql.withTransaction(Effect.andThen(enqueue("a"), Deferred.succeed(mayEnd, undefined)))
        assert.strictEqual(yield* Fiber.join(worker), 2)
      })
    )

    effect(
      "JOB-4 a failing job runs again after a delay that doubles up to an hour",
      Effect.gen(function*() {
        const attempts = yield* Ref.make<ReadonlyArray<number>>([])
        yield* handle(({ attempt }) =>
          Effect.andThen(Ref.update(attempts, (before) => [...before, attempt]), Effect.fail("the post office is shut"))
        )
        yield* enqueue("a")
        const delays: Array<number> = []
        for (let failure = 1; failure <= 16; failure++) {
          assert.strictEqual(yield* runDue, 1)
          const [failing] = yield* JobsOverview.use((overview) => overview.failing(10))
          delays.push(failing!.nextTime.getTime() - (yield* DateTime.now).epochMilliseconds)
          yield* TestClock.adjust(delays.at(-1)! - 1)
          assert.strictEqual(yield* runDue, 0)
          yield* TestClock.adjust(1)
        }
        assert.deepStrictEqual(yield* Ref.get(attempts), delays.map((_, index) => index + 1))
        for (const [index, delay] of delays.entries()) {
          const middle = Math.min(1_000 * 2 ** index, 3_600_000)
          assert.isTrue(delay >= Math.floor(middle * 0.8) && delay <= Math.ceil(middle * 1.2), `${index}: ${delay}`)
        }
      })
    )

    effect(
      "JOB-35 a job that lacks room runs again within a minute, and only its first failure is warned of",
      Effect.gen(function*() {
        const warned = yield* Ref.make(0)
        const logger = Logger.make(({ logLevel }) => {
          if (logLevel === "Warn") Effect.runSync(Ref.update(warned, (count) => count + 1))
        })
        yield* handle(() => Effect.fail(new DriveError.Unavailable({ code: "no_space", cause: "planted" })))
        yield* enqueue("a")
        for (let failure = 1; failure <= 12; failure++) {
          assert.strictEqual(yield* Effect.provide(runDue, Logger.layer([logger])), 1)
          const [failing] = yield* JobsOverview.use((overview) => overview.failing(10))
          assert.isAtMost(failing!.nextTime.getTime() - (yield* DateTime.now).epochMilliseconds, 60_000)
          yield* TestClock.adjust("1 minute")
        }
        assert.strictEqual(yield* Ref.get(warned), 1)
      })
    )

    effect(
      "JOB-4 progress starts the count of attempts anew",
      Effect.gen(function*() {
        const attempts = yield* Ref.make<ReadonlyArray<number>>([])
        yield* handle(({ attempt }) =>
          Effect.gen(function*() {
            const all = yield* Ref.updateAndGet(attempts, (before) => [...before, attempt])
            if (all.length === 2) return Jobs.retry(yield* DateTime.now)
            return all.length === 3 ? Jobs.done : yield* Effect.fail("not yet")
          })
        )
        yield* enqueue("a")
        yield* runDue
        yield* TestClock.adjust("2 seconds")
        yield* runDue
        assert.deepStrictEqual(yield* Ref.get(attempts), [1, 2, 1])
      })
    )

    effect(
      "JOB-6 recurring work runs once an interval in all processes together",
      Effect.gen(function*() {
        const runs = yield* Ref.make(0)
        const hourly = Jobs.Jobs.use((jobs) => jobs.every("sweep", Duration.hours(1), Ref.update(runs, (n) => n + 1)))
        const other = yield* otherProcess
        yield* hourly
        yield* Effect.provide(hourly, other)
        for (let hour = 0; hour < 5; hour++) {
          yield* Effect.all([runDue, Effect.provide(runDue, other)], { concurrency: 2 })
          yield* runDue
          assert.strictEqual(yield* Ref.get(runs), hour + 1)
          yield* TestClock.adjust("1 hour")
        }
      })
    )

    effect(
      "JOB-25 the first run of recurring work may be put off, and no start puts it off again",
      Effect.gen(function*() {
        const runs = yield* Ref.make(0)
        const hourly = Jobs.Jobs.use((jobs) =>
          jobs.every("sweep", Duration.hours(1), Ref.update(runs, (n) => n + 1), Duration.hours(1))
        )
        const other = yield* otherProcess
        yield* hourly
        yield* runDue
        yield* TestClock.adjust("30 minutes")
        yield* Effect.provide(hourly, other)
        yield* Effect.provide(runDue, other)
        assert.strictEqual(yield* Ref.get(runs), 0)
        yield* TestClock.adjust("30 minutes")
        yield* Effect.provide(runDue, other)
        assert.strictEqual(yield* Ref.get(runs), 1)
      })
    )

    effect(
      "JOB-8 a process runs at most so many jobs of a kind at once",
      Effect.gen(function*() {
        const atOnce = yield* Ref.make({ now: 0, most: 0 })
        yield* handle(
          () =>
            Effect.acquireUseRelease(
              Ref.update(atOnce, ({ most, now }) => ({ now: now + 1, most: Math.max(most, now + 1) })),
              () => Effect.as(Effect.yieldNow, Jobs.done),
              () => Ref.update(atOnce, ({ most, now }) => ({ now: now - 1, most }))
            ),
          { concurrency: 3 }
        )
        yield* Effect.forEach(Array.from({ length: 20 }, (_, n) => String(n)), (key) => enqueue(key))
        assert.strictEqual(yield* runDue, 20)
        assert.strictEqual((yield* Ref.get(atOnce)).most, 3)
      })
    )

    effect(
      "JOB-9 a cancelled job does not run, and to cancel one that has run changes nothing",
      Effect.gen(function*() {
        const ran = yield* recorder
        const cancel = (key: string) => Jobs.Jobs.use((jobs) => jobs.cancel(kind, key))
        yield* enqueue("a")
        yield* enqueue("b")
        yield* cancel("a")
        yield* runDue
        yield* cancel("b")
        assert.deepStrictEqual(yield* ran, ["b"])
      })
    )

    effect(
      "JOB-9 a job that is cancelled while it runs is left to end and forgotten, asked for again or not",
      Effect.gen(function*() {
        const { begun, mayEnd } = yield* held
        yield* enqueue("a")
        const worker = yield* Effect.forkScoped(runDue)
        yield* Queue.take(begun)
        yield* enqueue("a")
        yield* Jobs.Jobs.use((jobs) => jobs.cancel(kind, "a"))
        yield* Deferred.succeed(mayEnd, undefined)
        assert.strictEqual(yield* Fiber.join(worker), 1)
        assert.deepStrictEqual(yield* JobsOverview.use((overview) => overview.counts), [])
      })
    )

    effect(
      "JOB-10 operators see counts by kind, and failing jobs with their last error",
      Effect.gen(function*() {
        yield* handle(({ key }) =>
          key === "good" ? Effect.succeed(Jobs.done) : Effect.die(new Error("torn \u0000 envelope"))
        )
        yield* enqueue("good")
        yield* enqueue("bad")
        yield* enqueue("early", yield* later("1 day"))
        yield* runDue
        const overview = yield* JobsOverview
        assert.deepStrictEqual(yield* overview.counts, [{ kind, waiting: 2, running: 0, failing: 1 }])
        const failing = yield* overview.failing(10)
        assert.deepStrictEqual(failing.map(({ attempts, key }) => ({ key, attempts })), [{ key: "bad", attempts: 1 }])
        assert.include(failing[0]!.lastError, "torn  envelope")
      })
    )

    leasesSuite(database)
    turnsSuite(database)

    const inService = Layer.provideMerge(serving, database)

    it.effect("JOB-11 a worker is woken by the commit, and by the clock at the time of the next job", () =>
      Effect.gen(function*() {
        const ran = yield* Queue.unbounded<string>()
        yield* handle(({ key }) => Effect.as(Queue.offer(ran, key), Jobs.done))
        const { sql } = yield* Database
        yield* sql.withTransaction(enqueue("at once"))
        assert.strictEqual(yield* Queue.take(ran), "at once")
        yield* enqueue("in a month", yield* later("30 days"))
        yield* TestClock.adjust("30 days")
        assert.strictEqual(yield* Queue.take(ran), "in a month")
      }).pipe(Effect.provide(inService)))
  })
}
