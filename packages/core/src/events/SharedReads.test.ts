import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Scheduler } from "effect"
import * as SharedReads from "./SharedReads.ts"

/** Every fiber has gone as far as it can. */
const settled = Effect.repeat(Effect.yieldNow, { times: 20 })

/** Reads that end when told, and how many were begun. */
const gated = Effect.gen(function*() {
  const reads = yield* SharedReads.make<string>()
  const gates: Array<Deferred.Deferred<void>> = []
  const names: Array<string> = []
  const read = (name: string) =>
    Effect.suspend(() => {
      const gate = Deferred.makeUnsafe<void>()
      gates.push(gate)
      names.push(name)
      return Effect.as(Deferred.await(gate), name)
    })
  const ask = (account: string, key: string) =>
    Effect.tap(Effect.forkChild(reads.share(account, key, read(`${account} ${key}`))), () => settled)
  const end = (at: number) => Effect.andThen(Deferred.succeed(gates[at]!, undefined), settled)
  return { ask, end, names }
})

describe("SharedReads", () => {
  it.effect("FEED-20 a hundred who ask for the same share one read, begun after they asked", () =>
    Effect.scoped(Effect.gen(function*() {
      const { ask, end, names } = yield* gated
      const first = yield* ask("a", "1")
      const others = yield* Effect.forEach(Array.from({ length: 100 }), () => ask("a", "1"))
      assert.deepStrictEqual(names, ["a 1"])
      yield* end(0)
      assert.strictEqual(yield* Fiber.join(first), "a 1")
      // They asked while the first was on its way: it may have missed what they ask for.
      assert.deepStrictEqual(others.map((other) => other.pollUnsafe()), Array(100).fill(undefined))
      assert.deepStrictEqual(names, ["a 1", "a 1"])
      yield* end(1)
      for (const other of others) assert.strictEqual(yield* Fiber.join(other), "a 1")
      assert.lengthOf(names, 2)
    })))

  it.effect("FEED-20 an account has one read at a time, whatever is asked for, and holds up no other account", () =>
    Effect.scoped(Effect.gen(function*() {
      const { ask, end, names } = yield* gated
      const asked = [yield* ask("a", "1"), yield* ask("a", "2"), yield* ask("a", "3")]
      const other = yield* ask("b", "1")
      assert.deepStrictEqual(names, ["a 1", "b 1"])
      yield* end(1)
      assert.strictEqual(yield* Fiber.join(other), "b 1")
      // Nobody waits for it now: it is not begun.
      yield* Fiber.interrupt(asked[1]!)
      yield* end(0)
      assert.deepStrictEqual(names, ["a 1", "b 1", "a 3"])
      yield* end(2)
      assert.strictEqual(yield* Fiber.join(asked[2]!), "a 3")
      const again = yield* ask("a", "2")
      yield* end(3)
      assert.strictEqual(yield* Fiber.join(again), "a 2")
    })))

  it.effect("FEED-20 who goes at any step of asking leaves the account's reads to others", () =>
    Effect.scoped(Effect.gen(function*() {
      const cases = Array.from(
        { length: 8 },
        (_, before) => Array.from({ length: 12 }, (_, steps) => ({ before, steps }))
      )
      for (const { before, steps } of cases.flat()) {
        const reads = yield* SharedReads.make<string>()
        // It gives way after every few of its steps, from another one each time, so that it is ended between any two.
        const asking = Effect.andThen(
          Effect.forEach(Array.from({ length: before }), () => Effect.void),
          reads.share("a", "1", Effect.succeed("seen"))
        )
        const leaving = yield* Effect.forkChild(Effect.provideService(asking, Scheduler.MaxOpsBeforeYield, 4))
        yield* Effect.repeat(Effect.yieldNow, { times: steps })
        yield* Fiber.interrupt(leaving)
        const next = yield* Effect.forkChild(reads.share("a", "1", Effect.succeed("seen")))
        yield* settled
        assert.isDefined(next.pollUnsafe(), `after ${before} and ${steps} steps`)
      }
    })))

  it.effect("FEED-20 a read that fails does so for all that share it, and for nobody later", () =>
    Effect.scoped(Effect.gen(function*() {
      const reads = yield* SharedReads.make<string>()
      const failure = yield* Effect.exit(reads.share("a", "1", Effect.die("away")))
      assert.strictEqual(failure._tag, "Failure")
      assert.strictEqual(yield* reads.share("a", "1", Effect.succeed("back")), "back")
    })))
})
