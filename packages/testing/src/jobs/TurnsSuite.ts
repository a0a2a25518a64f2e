/** Turns: accounts that have jobs of a kind are served in turn, however many jobs each has. */
import { assert, it } from "@effect/vitest"
import { type Database, Jobs } from "@filedrive/core"
import { Duration, Effect, Layer, Queue, Ref, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { enqueue, handle, kind, later, otherProcess, type Process, process, runDue, serving } from "./JobsFixture.ts"

const keysOf = (account: string, count: number) => Array.from({ length: count }, (_, n) => `${account}/${n}`)
const enqueueAll = (keys: ReadonlyArray<string>) => Jobs.Jobs.use((jobs) => jobs.enqueueAll({ kind, keys }))
const accountOf = (key: string) => key.split("/")[0]!

export const turnsSuite = <E>(database: Layer.Layer<Database, E>) => {
  const inProcess = Layer.provideMerge(process, database)
  const effect = <A, E2>(rule: string, test: Effect.Effect<A, E2, Process | Database | Scope.Scope>) =>
    it.effect(rule, () => Effect.provide(test, inProcess))

  it.effect("JOB-14 a thousand jobs of one account keep another's first from running not at all, in any process", () =>
    Effect.gen(function*() {
      const begun = yield* Queue.unbounded<string>()
      const taking = handle(
        ({ key }) => Effect.andThen(Queue.offer(begun, key), Effect.never),
        { concurrency: 4, concurrencyOfAccount: 2 }
      )
      const other = yield* Layer.build(Layer.fresh(serving))
      yield* enqueueAll(keysOf("busy", 1_000))
      yield* taking
      yield* Effect.provide(taking, other)
      const first = yield* Effect.replicateEffect(Queue.take(begun), 4)
      assert.deepStrictEqual(first.map(accountOf), ["busy", "busy", "busy", "busy"])
      yield* enqueue("quiet/1")
      assert.strictEqual(yield* Queue.take(begun), "quiet/1")
      // As many as an account may have in each of two processes, although there is room for more.
      assert.strictEqual(yield* Queue.size(begun), 0)
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(serving, database))))

  effect(
    "JOB-14 accounts take turns, however many jobs each has, and each account's run in the order in which they are due",
    Effect.gen(function*() {
      const ran = yield* Ref.make<ReadonlyArray<string>>([])
      const counts = { a: 40, b: 1, c: 7, d: 40, e: 2 }
      for (const [account, count] of Object.entries(counts)) {
        for (const key of keysOf(account, count)) yield* enqueue(key)
        yield* TestClock.adjust("1 second")
      }
      yield* handle(({ key }) => Effect.as(Ref.update(ran, (before) => [...before, key]), Jobs.done), {
        concurrency: 1,
        concurrencyOfAccount: 1
      })
      assert.strictEqual(yield* runDue, 90)
      const order = yield* Ref.get(ran)
      const rounds = Array.from(
        { length: 40 },
        (_, round) => Object.entries(counts).flatMap(([account, count]) => round < count ? [account] : [])
      )
      assert.deepStrictEqual(order.map(accountOf), rounds.flat())
      assert.sameMembers([...order], Object.entries(counts).flatMap(([account, count]) => keysOf(account, count)))
    })
  )

  effect(
    "JOB-14 jobs of hundreds of accounts that are not due yet hide none that is",
    Effect.gen(function*() {
      const ran = yield* Ref.make<ReadonlyArray<string>>([])
      const tomorrow = yield* later("1 day")
      yield* Effect.forEach(Array.from({ length: 300 }, (_, n) => n), (n) => enqueue(`early-${n}/0`, tomorrow))
      yield* handle(({ key }) => Effect.as(Ref.update(ran, (before) => [...before, key]), Jobs.done), {
        concurrency: 4,
        concurrencyOfAccount: 2
      })
      yield* enqueue("late/0")
      assert.strictEqual(yield* runDue, 1)
      assert.deepStrictEqual(yield* Ref.get(ran), ["late/0"])
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* runDue, 300)
    })
  )

  effect(
    "JOB-14 two workers that look at once take each job once, and no more of an account's than may run",
    Effect.gen(function*() {
      const running = yield* Ref.make({ now: 0, most: 0, ran: 0 })
      const taking = handle(
        () =>
          Effect.acquireUseRelease(
            Ref.update(
              running,
              ({ most, now, ran }) => ({ now: now + 1, most: Math.max(most, now + 1), ran: ran + 1 })
            ),
            () => Effect.as(Effect.yieldNow, Jobs.done),
            () => Ref.update(running, (before) => ({ ...before, now: before.now - 1 }))
          ),
        { concurrency: 6, concurrencyOfAccount: 2 }
      )
      const other = yield* otherProcess
      yield* taking
      yield* Effect.provide(taking, other)
      yield* enqueueAll(keysOf("one", 60))
      yield* Effect.all([runDue, Effect.provide(runDue, other)], { concurrency: 2 })
      yield* runDue
      const { most, ran } = yield* Ref.get(running)
      assert.strictEqual(ran, 60)
      assert.isAtMost(most, 4)
    })
  )

  it.effect("JOB-14 a worker whose account has all it may looks again when one of its jobs ends or another is due", () =>
    Effect.gen(function*() {
      const begun = yield* Queue.unbounded<string>()
      const ends = yield* Queue.unbounded<void>()
      yield* handle(
        ({ key }) => Queue.offer(begun, key).pipe(Effect.andThen(Queue.take(ends)), Effect.as(Jobs.done)),
        { concurrency: 4, concurrencyOfAccount: 1 }
      )
      yield* enqueueAll(keysOf("busy", 3))
      yield* enqueue("quiet/1", yield* later(Duration.minutes(1)))
      assert.strictEqual(accountOf(yield* Queue.take(begun)), "busy")
      yield* Queue.offer(ends, undefined)
      assert.strictEqual(accountOf(yield* Queue.take(begun)), "busy")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* Queue.take(begun), "quiet/1")
      yield* Queue.offerAll(ends, [undefined, undefined, undefined])
      assert.strictEqual(accountOf(yield* Queue.take(begun)), "busy")
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(serving, database))))
}
