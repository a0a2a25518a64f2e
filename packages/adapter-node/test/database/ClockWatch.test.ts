/** Whose time a drive's clock shows: the database's, unless a host or a test gives another, or the database is its process's own. */
import { assert, describe, it } from "@effect/vitest"
import { SoleProcess } from "@filedrive/core"
import { TestDatabase } from "@filedrive/testing"
import { Clock, DateTime, Effect, Layer } from "effect"
import * as DriveClock from "../../src/clock/DriveClock.ts"
import * as ClockWatch from "../../src/database/ClockWatch.ts"

const aheadMillis = 3 * 3_600_000

/** A machine whose clock is three hours ahead. */
const machine = Layer.effect(
  Clock.Clock,
  Effect.clockWith((system) =>
    Effect.succeed<Clock.Clock>({
      currentTimeMillisUnsafe: () => system.currentTimeMillisUnsafe() + aheadMillis,
      currentTimeMillis: Effect.map(system.currentTimeMillis, (millis) => millis + aheadMillis),
      currentTimeNanosUnsafe: () => system.currentTimeNanosUnsafe() + BigInt(aheadMillis) * 1_000_000n,
      currentTimeNanos: Effect.map(system.currentTimeNanos, (nanos) => nanos + BigInt(aheadMillis) * 1_000_000n),
      monotonicTimeNanosUnsafe: () => system.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: system.monotonicTimeNanos,
      sleep: (duration) => system.sleep(duration)
    })
  )
)

/** How many hours the drive's clock, and what S3 is told, are ahead. */
const hoursAhead = (isAlone: boolean) =>
  Effect.gen(function*() {
    const real = yield* Clock.currentTimeMillis
    const hours = (time: DateTime.Utc) => Math.round((time.epochMilliseconds - real) / 3_600_000)
    return yield* Effect.all([Effect.map(DateTime.now, hours), Effect.map(DriveClock.machineTime, hours)]).pipe(
      Effect.provide(
        ClockWatch.layerNoDeps.pipe(
          Layer.provide(TestDatabase.layer),
          Layer.provide(Layer.succeed(SoleProcess, isAlone)),
          Layer.provideMerge(DriveClock.layer()),
          Layer.provide(machine)
        )
      )
    )
  })

describe("the clock of a drive", () => {
  it.live("DB-131 it shows the time of a database that others may share; times for S3 are the machine's", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* hoursAhead(false), [0, 3])
    }))

  it.live("DB-131 it shows the machine's time if no other process can open the database", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* hoursAhead(true), [3, 3])
    }))

  it.live("DB-131 a clock that the host gives is not corrected", () =>
    Effect.gen(function*() {
      const times = yield* Effect.all([DateTime.now, DriveClock.machineTime]).pipe(
        Effect.provide(
          ClockWatch.layerNoDeps.pipe(
            Layer.provide(TestDatabase.layer),
            Layer.provideMerge(DriveClock.layer(() => 7_000))
          )
        )
      )
      assert.deepStrictEqual(times.map(({ epochMilliseconds }) => epochMilliseconds), [7_000, 7_000])
    }))
})
