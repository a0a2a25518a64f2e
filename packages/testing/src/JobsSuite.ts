/**
 * What the drive's own queue must do on every database. Run it against each:
 *
 * ```ts
 * jobsSuite("PostgreSQL", TestDatabase.layerPostgres)
 * ```
 */
import { assert, describe, it } from "@effect/vitest"
import { Database, JobRegistry, Jobs, JobsOverview, JobsSql, JobsWorker, PollInterval } from "@filedrive/core"
import { DateTime, Deferred, Duration, Effect, Fiber, Layer, Queue, Ref, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"

/** Jobs as one process has them: what it asks for, the handlers it has, and a worker that runs when told. */
const process = Layer.mergeAll(JobsWorker.layerManual, JobsOverview.layer).pipe(
  Layer.provideMerge(JobsSql.layer),
  Layer.provide(SecureRandom.layerWebCrypto)
)

/** Like {@link process}, but its worker runs by itself, and never looks unless told. */
const serving = JobsWorker.layer.pipe(
  Layer.provideMerge(JobsSql.layer),
  Layer.provide(SecureRandom.layerWebCrypto),
  Layer.provide(Layer.succeed(PollInterval, Duration.days(1_000)))
)

type Process = Jobs.Jobs | JobRegistry | JobsWorker | JobsOverview

/** A further process on the same database; it ends with the test. */
const otherProcess = Layer.build(Layer.fresh(process))

const kind = "letters"
const enqueue = (key: string, time?: DateTime.Utc) =>
  Jobs.Jobs.use((jobs) => jobs.enqueue(time === undefined ? { kind, key } : { kind, key, time }))
const handle = <E>(run: (job: Jobs.Job) => Effect.Effect<Jobs.JobOutcome, E>, options?: Jobs.JobHandlerOptions) =>
  Jobs.Jobs.use((jobs) => jobs.handle(kind, run, options))
const runDue = JobsWorker.use((worker) => worker.runDue)
const later = (time: Duration.Input) =>
  Effect.map(DateTime.now, (now) => DateTime.addDuration(now, Duration.fromInputUnsafe(time)))

/** Takes every job of {@link kind} away from whoever runs it. */
const stealLeases = Database.use(({ sql, tables: t }) =>
  Effect.orDie(sql`UPDATE ${t.jobs} SET lease = gen_random_uuid() WHERE kind = ${kind} AND lease IS NOT NULL`)
)

/** A handler that notes the keys it was run for. */
const recorder = Effect.gen(function*() {
  const keys = yield* Ref.make<ReadonlyArray<string>>([])
  yield* handle(({ key }) => Effect.as(Ref.update(keys, (before) => [...before, key]), Jobs.done))
  return Ref.get(keys)
})

/** A handler that says when it has begun, and waits to be told to end. */
const held = Effect.gen(function*() {
  const begun = yield* Queue.unbounded<Jobs.Job>()
  const mayEnd = yield* Deferred.make<void>()
  const stopped = yield* Deferred.make<void>()
  yield* handle((job) =>
    Queue.offer(begun, job).pipe(
      Effect.andThen(Deferred.await(mayEnd)),
      Effect.as(Jobs.done),
      Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
    )
  )
  return { begun, mayEnd, stopped }
})

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
      "JOB-4 progress starts the count of attempts anew",
      Effect.gen(function*() {
        const attempts = yield* Ref.make<ReadonlyArray<number>>([])
        yield* handle(({ attempt }) =>
          Effect.gen(function*() {
            const all = yield* Ref.updateAndGet(attempts, (before) => [...before, attempt])
            if (all.length === 2) return Jobs.again(yield* DateTime.now)
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
      "JOB-5 a worker that lost its lease neither ends the job nor goes on with it",
      Effect.gen(function*() {
        const { begun, stopped } = yield* held
        yield* enqueue("a")
        const worker = yield* Effect.forkScoped(runDue)
        yield* Queue.take(begun)
        yield* stealLeases
        yield* TestClock.adjust("10 seconds")
        yield* Deferred.await(stopped)
        yield* Fiber.interrupt(worker)
        const counts = yield* JobsOverview.use((overview) => overview.counts)
        assert.deepStrictEqual(counts, [{ kind, waiting: 0, running: 1, failing: 0 }])
      })
    )

    effect(
      "JOB-5 a result that comes after the lease was lost changes nothing",
      Effect.gen(function*() {
        const { begun, mayEnd } = yield* held
        yield* enqueue("a")
        const worker = yield* Effect.forkScoped(runDue)
        yield* Queue.take(begun)
        yield* stealLeases
        yield* Deferred.succeed(mayEnd, undefined)
        assert.strictEqual(yield* Fiber.join(worker), 1)
        const counts = yield* JobsOverview.use((overview) => overview.counts)
        assert.deepStrictEqual(counts, [{ kind, waiting: 0, running: 1, failing: 0 }])
      })
    )

    effect(
      "JOB-7 a job stays its worker's for as long as the worker lives",
      Effect.gen(function*() {
        const { begun, mayEnd } = yield* held
        const ranElsewhere = yield* Effect.provide(recorder, yield* otherProcess)
        const other = yield* otherProcess
        yield* enqueue("a")
        const worker = yield* Effect.forkScoped(runDue)
        yield* Queue.take(begun)
        for (let beat = 0; beat < 30; beat++) {
          yield* TestClock.adjust("10 seconds")
          yield* leaseRenewed
          assert.strictEqual(yield* Effect.provide(runDue, other), 0)
        }
        yield* Deferred.succeed(mayEnd, undefined)
        yield* Fiber.join(worker)
        assert.deepStrictEqual(yield* ranElsewhere, [])
      })
    )

    effect(
      "JOB-7 a dead worker's job is taken up by another when its lease ends",
      Effect.gen(function*() {
        const ran = yield* recorder
        const { sql, tables: t } = yield* Database
        yield* enqueue("a")
        const leaseEnd = DateTime.toDateUtc(yield* later("30 seconds"))
        yield* sql`UPDATE ${t.jobs} SET lease = gen_random_uuid(), attempts = 1, run_time = ${leaseEnd}`
        yield* TestClock.adjust("29 seconds")
        assert.strictEqual(yield* runDue, 0)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* runDue, 1)
        assert.deepStrictEqual(yield* ran, ["a"])
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
      "JOB-9 a cancelled job does not run, and one that runs is left to end",
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

    it.effect("JOB-12 a process that ends hands its jobs back at once", () =>
      Effect.gen(function*() {
        const scope = yield* Scope.make()
        const ending = yield* Layer.buildWithScope(Layer.fresh(serving), scope)
        const { begun, stopped } = yield* Effect.provide(held, ending)
        yield* Effect.provide(enqueue("a"), ending)
        yield* Queue.take(begun)
        yield* Scope.close(scope, yield* Effect.exit(Effect.void))
        yield* Deferred.await(stopped)
        const ran = yield* recorder
        assert.strictEqual(yield* runDue, 1)
        assert.deepStrictEqual(yield* ran, ["a"])
      }).pipe(Effect.provide(inProcess)))
  })
}

/** Waits until the heartbeat that the clock has just set off has reached the database. */
const leaseRenewed = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  const end = (yield* DateTime.now).epochMilliseconds + 30_000
  const leaseEnds = sql<{ readonly end: Date }>`SELECT run_time AS "end" FROM ${t.jobs} WHERE kind = ${kind}`
  yield* Effect.repeat(leaseEnds, { until: (rows) => rows[0]!.end.getTime() === end })
})
