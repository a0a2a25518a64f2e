/** The clock of a drive. Its timers don't keep the process running: a drive that only waits for a time has nothing to finish. */
import { ClockDistance } from "@filedrive/core"
import { Clock, Context, DateTime, Duration, Effect, Layer } from "effect"
import { SharedTime } from "./SharedTime.ts"

/** The longest delay of a timer: 24 days. */
const timerMaxMillis = 2 ** 31 - 1

/** A timer that doesn't keep the process running. */
const idleTimer = (run: () => void, millis: number): NodeJS.Timeout => setTimeout(run, millis).unref()

const sleep = (millis: number): Effect.Effect<void> =>
  Number.isFinite(millis)
    ? Effect.callback((resume) => {
      const wait = Math.min(Math.max(millis, 0), timerMaxMillis)
      const timer = idleTimer(() => resume(millis > wait ? sleep(millis - wait) : Effect.void), wait)
      return Effect.sync(() => clearTimeout(timer))
    })
    : Effect.never

/** What {@link "../database/ClockWatch.ts"} corrects; null where the host or a test gives the time. */
export const CorrectedTime = Context.Reference<SharedTime | null>("@filedrive/adapter-node/clock/CorrectedTime", {
  defaultValue: () => null
})

/** The machine's own clock; null where the drive's is not corrected. */
const MachineClock = Context.Reference<Clock.Clock | null>("@filedrive/adapter-node/clock/MachineClock", {
  defaultValue: () => null
})

/** The machine's time, for what other services compare with their own, as S3 does with the time of a signature. */
export const machineTime: Effect.Effect<DateTime.Utc> = Effect.flatMap(
  MachineClock,
  (machine) =>
    machine === null ? DateTime.now : Effect.map(machine.currentTimeMillis, (millis) => DateTime.makeUnsafe(millis))
)

const clockOf = (system: Clock.Clock, millis: () => number, nanos: () => bigint): Clock.Clock => ({
  currentTimeMillisUnsafe: millis,
  currentTimeMillis: Effect.sync(millis),
  currentTimeNanosUnsafe: nanos,
  currentTimeNanos: Effect.sync(nanos),
  monotonicTimeNanosUnsafe: () => system.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: system.monotonicTimeNanos,
  sleep: (duration: Duration.Duration) => {
    const wait = Duration.toMillis(duration)
    return wait <= 0 ? Effect.yieldNow : sleep(wait)
  }
})

const nanosOf = (millis: () => number) => () => BigInt(Math.trunc(millis())) * 1_000_000n

/** The time of `nowMillis`. When it is left out, the system's, which is corrected where a database is shared. */
export const layer = (nowMillis?: () => number): Layer.Layer<never> =>
  Layer.effectContext(
    Effect.clockWith((system) =>
      Effect.sync(() => {
        if (nowMillis !== undefined) return Context.make(Clock.Clock, clockOf(system, nowMillis, nanosOf(nowMillis)))
        const time = new SharedTime({
          now: () => system.currentTimeMillisUnsafe(),
          monotonic: () => Number(system.monotonicTimeNanosUnsafe()) / 1e6
        })
        const millis = () => time.now()
        return Context.make(Clock.Clock, clockOf(system, millis, nanosOf(millis))).pipe(
          Context.add(CorrectedTime, time),
          Context.add(MachineClock, system),
          Context.add(ClockDistance, () => time.aheadMillis)
        )
      })
    )
  )
