/** Calls in code: what remains of their answers. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, type Fiber } from "effect"
import { exitOf } from "./ExitOf.ts"

/** Runs effects, and remembers their fibers. */
const remembering = () => {
  const fibers: Array<Fiber.Fiber<unknown, unknown>> = []
  const runFork = <A, E>(effect: Effect.Effect<A, E>): Fiber.Fiber<A, E> => {
    const fiber = Effect.runFork(effect)
    fibers.push(fiber)
    return fiber
  }
  return { fibers, runFork }
}

describe("exitOf", () => {
  it.live("HOST-180 a call is answered, and its fiber keeps no answer", () =>
    Effect.gen(function*() {
      const { fibers, runFork } = remembering()
      const answer = { notes: ["one"] }
      for (const work of [Effect.succeed(answer), Effect.andThen(Effect.yieldNow, Effect.succeed(answer))]) {
        const exit = yield* Effect.promise(() => exitOf(runFork, work))
        assert.isTrue(Exit.isSuccess(exit) && exit.value === answer)
        yield* Effect.yieldNow
      }
      assert.deepStrictEqual(fibers.map((fiber) => fiber.pollUnsafe()), [Exit.void, Exit.void])
    }))

  it.live("HOST-180 failures and interruptions are told as they are", () =>
    Effect.gen(function*() {
      const { fibers, runFork } = remembering()
      const failed = yield* Effect.promise(() => exitOf(runFork, Effect.fail("no")))
      assert.deepStrictEqual(failed, Exit.fail("no"))
      const waiting = exitOf(runFork, Effect.never)
      fibers.at(-1)!.interruptUnsafe()
      const exit = yield* Effect.promise(() => waiting)
      assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
    }))
})
