/** The signal that makes the worker of a process poll for jobs: at once, or when one that was just enqueued is due. */
import { DateTime, Duration, Effect, Latch } from "effect"

export interface WakeSignal {
  /** Makes the worker poll at `time`; without one, now. */
  readonly notify: (time?: DateTime.Utc) => Effect.Effect<void>
  /** Called before a poll: a signal that comes after it causes another poll. */
  readonly reset: Effect.Effect<void>
  /** Waits until `latest`, or the earliest time that was signalled if that is before. */
  readonly wait: (latest: DateTime.Utc) => Effect.Effect<void>
}

/** Signalled from the start. */
export const make: Effect.Effect<WakeSignal> = Effect.gen(function*() {
  const latch = yield* Latch.make(true)
  let soonest = -Infinity

  const reset = Effect.suspend(() => {
    soonest = Infinity
    return Effect.asVoid(latch.close)
  })

  const heard = Effect.suspend(() => Effect.as(reset, soonest))

  return {
    notify: (time) =>
      Effect.suspend(() => {
        soonest = Math.min(soonest, time?.epochMilliseconds ?? -Infinity)
        return Effect.asVoid(latch.open)
      }),
    reset,
    wait: Effect.fnUntraced(function*(latest: DateTime.Utc) {
      let until = latest.epochMilliseconds
      let most = Infinity
      while (true) {
        const left = Math.min(until - (yield* DateTime.now).epochMilliseconds, most)
        if (left <= 0) return
        // With a clock that is set back meanwhile the wait would be longer.
        most = left
        const rang = yield* Effect.raceFirst(
          Effect.as(latch.await, true),
          Effect.as(Effect.sleep(Duration.millis(left)), false)
        )
        if (!rang) return
        until = Math.min(until, yield* heard)
      }
    })
  }
})
