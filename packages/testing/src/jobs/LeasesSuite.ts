/** Leases of jobs: kept, lost and handed back. */
import { assert, it } from "@effect/vitest"
import { Database, JobsOverview, SoleProcess } from "@filedrive/core"
import { DateTime, Deferred, Effect, Fiber, Layer, Queue, Scope } from "effect"
import { TestClock } from "effect/testing"
import {
  enqueue,
  held,
  kind,
  later,
  leaseRenewed,
  otherProcess,
  type Process,
  process,
  recorder,
  runDue,
  serving,
  stealLeases
} from "./JobsFixture.ts"

export const leasesSuite = <E>(database: Layer.Layer<Database, E>) => {
  const inProcess = Layer.provideMerge(process, database)
  const effect = <A, E2>(rule: string, test: Effect.Effect<A, E2, Process | Database | Scope.Scope>) =>
    it.effect(rule, () => Effect.provide(test, inProcess))

  effect(
    "JOB-5 a worker that lost its lease neither ends the job nor continues with it",
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
    "JOB-52 a process that is alone with its database ends the leases that it finds at its start",
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      yield* enqueue("a")
      const leaseEnd = DateTime.toDateUtc(yield* later("30 seconds"))
      yield* sql`UPDATE ${t.jobs} SET lease = gen_random_uuid(), attempts = 1, run_time = ${leaseEnd}`
      const next = yield* Effect.provideService(otherProcess, SoleProcess, true)
      const ran = yield* Effect.provide(recorder, next)
      assert.strictEqual(yield* Effect.provide(runDue, next), 1)
      assert.deepStrictEqual(yield* ran, ["a"])
    })
  )

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
}
