import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Turns from "./Turns.ts"

describe("Turns", () => {
  const begun: Array<string> = []
  const work = <E>(name: string, until: Effect.Effect<unknown, E>) =>
    Effect.andThen(Effect.sync(() => void begun.push(name)), until)

  it.effect("MEDIA-51 what takes longer than its turn goes on beside the next one", () =>
    Effect.gen(function*() {
      begun.length = 0
      const inTurn = yield* Turns.make(1, Duration.seconds(3))
      const done = yield* Deferred.make<void>()
      const slow = yield* Effect.forkChild(inTurn(work("slow", Deferred.await(done))))
      const quick = yield* Effect.forkChild(inTurn(work("quick", Effect.void)))
      const other = yield* Effect.forkChild(inTurn(work("other", Effect.never)))
      const last = yield* Effect.forkChild(inTurn(work("last", Effect.fail("broken"))))
      yield* TestClock.adjust("2999 millis")
      assert.deepStrictEqual(begun, ["slow"])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(begun, ["slow", "quick", "other"])
      yield* Fiber.await(quick)
      // What gives its turn back before it is over gives it back once.
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.await(slow)
      assert.deepStrictEqual(begun, ["slow", "quick", "other"])
      yield* Fiber.interrupt(other)
      assert.isTrue(Exit.isFailure(yield* Fiber.await(last)))
      const [one, two] = [
        yield* Effect.forkChild(inTurn(work("one", Effect.never))),
        yield* Effect.forkChild(inTurn(work("two", Effect.never)))
      ]
      yield* Effect.yieldNow
      assert.deepStrictEqual(begun.slice(3), ["last", "one"])
      yield* Fiber.interruptAll([two, one])
    }))
})
