/** The clock of a drive. Its timers don't keep the process running: a drive that only waits for a time has nothing to finish. */
import { Clock, Duration, Effect, Layer } from "effect"

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

/** The time of `nowMillis`, or of the system when it is left out. */
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
