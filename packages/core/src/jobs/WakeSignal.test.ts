import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as WakeSignal from "./WakeSignal.ts"

const inSeconds = (seconds: number) => Effect.map(DateTime.now, DateTime.add({ seconds }))

/** Seconds until a wait of a minute is over, after what `told` does once it is under way. */
const waited = (wakeSignal: WakeSignal.WakeSignal, told: Effect.Effect<void>) =>
  Effect.gen(function*() {
    const start = yield* DateTime.now
    const wait = yield* Effect.forkChild(Effect.andThen(Effect.flatMap(inSeconds(60), wakeSignal.wait), DateTime.now))
    yield* Effect.yieldNow
    yield* told
    yield* TestClock.adjust("2 minutes")
    return (yield* Fiber.join(wait)).epochMilliseconds / 1_000 - start.epochMilliseconds / 1_000
  })

describe("WakeSignal", () => {
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
        const wakeSignal = yield* WakeSignal.make
        yield* wakeSignal.reset
        const notify = Effect.forEach(
          rung,
          (at) => at === undefined ? wakeSignal.notify() : Effect.flatMap(inSeconds(at), wakeSignal.notify),
          { discard: true }
        )
        assert.strictEqual(yield* waited(wakeSignal, notify), seconds, "while it waits")
        yield* wakeSignal.reset
        yield* notify
        assert.strictEqual(yield* waited(wakeSignal, Effect.void), seconds, "before it waits")
      })
  )

  it.effect("JOB-11 a worker that has just begun looks at once, and what was rung before a look is not heard after it", () =>
    Effect.gen(function*() {
      const wakeSignal = yield* WakeSignal.make
      assert.strictEqual(yield* waited(wakeSignal, Effect.void), 0)
      yield* wakeSignal.notify()
      yield* wakeSignal.reset
      assert.strictEqual(yield* waited(wakeSignal, Effect.void), 60)
    }))

  it.effect("JOB-11 a clock that is set back while a worker waits makes it wait no longer", () =>
    Effect.gen(function*() {
      const wakeSignal = yield* WakeSignal.make
      yield* wakeSignal.reset
      yield* TestClock.adjust("1 day")
      const wait = yield* Effect.forkChild(Effect.flatMap(inSeconds(60), wakeSignal.wait))
      yield* Effect.yieldNow
      yield* TestClock.setTime(0)
      // For later than it waits at most: heard, and waited on.
      yield* Effect.flatMap(DateTime.now, (now) => wakeSignal.notify(DateTime.add(now, { days: 2 })))
      yield* Effect.yieldNow
      yield* TestClock.adjust("60 seconds")
      assert.isDefined(wait.pollUnsafe())
    }))
})
