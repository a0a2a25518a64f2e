/** The clock of a drive. Its timers keep no process running: what only waits for a time to come is not under way. */
import { Clock, Duration, Effect, Layer } from "effect"

/** The longest time that a timer takes, 24 days. */
const timerMaxMillis = 2 ** 31 - 1

/** A timer that keeps no process running. */
const idleTimer = (run: () => void, millis: number): NodeJS.Timeout => setTimeout(run, millis).unref()

const sleep = (millis: number): Effect.Effect<void> =>
  Number.isFinite(millis)
    ? Effect.callback((resume) => {
      const wait = Math.min(Math.max(millis, 0), timerMaxMillis)
      const timer = idleTimer(() => resume(millis > wait ? sleep(millis - wait) : Effect.void), wait)
      return Effect.sync(() => clearTimeout(timer))
    })
    : Effect.never

/** Tells the time that `nowMillis` answers, or else the system's. */
export const layer = (nowMillis?: () => number): Layer.Layer<never> =>
  Layer.effect(
    Clock.Clock,
    Effect.clockWith((system) => {
      const nanos = nowMillis === undefined
        ? () => system.currentTimeNanosUnsafe()
        : () => BigInt(Math.trunc(nowMillis())) * 1_000_000n
      const millis = nowMillis ?? (() => system.currentTimeMillisUnsafe())
      return Effect.succeed({
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
    })
  )
