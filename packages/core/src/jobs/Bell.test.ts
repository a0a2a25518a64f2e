import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Bell from "./Bell.ts"

const inSeconds = (seconds: number) => Effect.map(DateTime.now, DateTime.add({ seconds }))

/** Seconds until a wait of a minute is over, after what `told` does once it is under way. */
const waited = (bell: Bell.Bell, told: Effect.Effect<void>) =>
  Effect.gen(function*() {
    const start = yield* DateTime.now
    const wait = yield* Effect.forkChild(Effect.andThen(Effect.flatMap(inSeconds(60), bell.wait), DateTime.now))
    yield* Effect.yieldNow
    yield* told
    yield* TestClock.adjust("2 minutes")
    return (yield* Fiber.join(wait)).epochMilliseconds / 1_000 - start.epochMilliseconds / 1_000
  })

describe("Bell", () => {
  it.effect.each([
    { rung: [], seconds: 60 },
    { rung: [undefined], seconds: 0 },
    { rung: [20], seconds: 20 },
    { rung: [90], seconds: 60 },
    { rung: [40, 20, 30], seconds: 20 },
    { rung: [40, undefined], seconds: 0 },
    { rung: [-5], seconds: 0 }
  ])(
    "JOB-11 rung for $rung seconds from now, a worker looks after $seconds",
    ({ rung, seconds }) =>
      Effect.gen(function*() {
        const bell = yield* Bell.make
        yield* bell.hush
        const ring = Effect.forEach(
          rung,
          (at) => at === undefined ? bell.ring() : Effect.flatMap(inSeconds(at), bell.ring),
          { discard: true }
        )
        assert.strictEqual(yield* waited(bell, ring), seconds, "while it waits")
        yield* bell.hush
        yield* ring
        assert.strictEqual(yield* waited(bell, Effect.void), seconds, "before it waits")
      })
  )

  it.effect("JOB-11 a worker that has just begun looks at once, and what was rung before a look is not heard after it", () =>
    Effect.gen(function*() {
      const bell = yield* Bell.make
      assert.strictEqual(yield* waited(bell, Effect.void), 0)
      yield* bell.ring()
      yield* bell.hush
      assert.strictEqual(yield* waited(bell, Effect.void), 60)
    }))

  it.effect("JOB-11 a clock that is set back while a worker waits makes it wait no longer", () =>
    Effect.gen(function*() {
      const bell = yield* Bell.make
      yield* bell.hush
      yield* TestClock.adjust("1 day")
      const wait = yield* Effect.forkChild(Effect.flatMap(inSeconds(60), bell.wait))
      yield* Effect.yieldNow
      yield* TestClock.setTime(0)
      // For later than it waits at most: heard, and waited on.
      yield* Effect.flatMap(DateTime.now, (now) => bell.ring(DateTime.add(now, { days: 2 })))
      yield* Effect.yieldNow
      yield* TestClock.adjust("60 seconds")
      assert.isDefined(wait.pollUnsafe())
    }))
})
