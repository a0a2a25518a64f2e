import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import * as SharedRuns from "./SharedRuns.ts"

/** Runs whose work is counted. */
const counted = Effect.gen(function*() {
  const runs = yield* SharedRuns.make<number, string>()
  const gate = yield* Deferred.make<number, string>()
  const counts = { begun: 0, ended: 0 }
  const work = Effect.suspend(() => {
    counts.begun++
    return Effect.onInterrupt(Deferred.await(gate), () => Effect.sync(() => void counts.ended++))
  })
  const ask = (key: string) => Effect.forkChild(runs.run(key, work), { startImmediately: true })
  return { ask, counts, gate, runs, work }
})

describe("SharedRuns", () => {
  it.effect("READ-20 equal calls are one run, and the next after it is another", () =>
    Effect.gen(function*() {
      const { ask, counts, gate, runs } = yield* counted
      const callers = [yield* ask("a"), yield* ask("a"), yield* ask("b"), yield* ask("a")]
      yield* Effect.yieldNow
      assert.strictEqual(counts.begun, 2)
      yield* Deferred.succeed(gate, 7)
      for (const caller of callers) assert.strictEqual(yield* Fiber.join(caller), 7)
      assert.strictEqual(yield* runs.run("a", Effect.succeed(8)), 8)
    }))

  it.effect("READ-20 what fails, fails for all who wait, and is not kept", () =>
    Effect.gen(function*() {
      const { ask, gate, runs } = yield* counted
      const callers = [yield* ask("a"), yield* ask("a")]
      yield* Deferred.fail(gate, "away")
      for (const caller of callers) assert.strictEqual(yield* Effect.flip(Fiber.join(caller)), "away")
      assert.strictEqual(yield* runs.run("a", Effect.succeed(8)), 8)
    }))

  it.effect("READ-20 who disconnects ends it for nobody else, and the last who does ends it", () =>
    Effect.gen(function*() {
      const { ask, counts, gate } = yield* counted
      const [first, second] = [yield* ask("a"), yield* ask("a")]
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      assert.strictEqual(counts.ended, 0)
      yield* Fiber.interrupt(second)
      assert.strictEqual(counts.ended, 1)
      const third = yield* ask("a")
      yield* Deferred.succeed(gate, 9)
      assert.strictEqual(yield* Fiber.join(third), 9)
      assert.strictEqual(counts.begun, 2)
    }))

  it.effect("READ-20 with the drive all of it ends", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const { ask, counts } = yield* Scope.provide(counted, scope)
      const caller = yield* ask("a")
      yield* Effect.yieldNow
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(counts.ended, 1)
      assert.isTrue(Exit.isFailure(yield* Fiber.await(caller)))
    }))
})
