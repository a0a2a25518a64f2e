/** Cuts transfers that make too little progress, or take too long altogether, by Effect's clock. */
import { type Duration, Effect, type Fiber } from "effect"

export interface Watch {
  readonly progress: (bytes: number) => void
  readonly stop: () => void
}

export interface StallWatch {
  /** Calls `cut` as soon as an interval passes with fewer than `leastBytes` of progress. */
  readonly watch: (leastBytes: number, cut: () => void) => Watch
  /** Calls `cut` after a time, whatever progress there is, unless the returned function is called before. */
  readonly within: (lifetime: Duration.Duration, cut: () => void) => () => void
  readonly interval: Duration.Duration
}

export const make = (
  interval: Duration.Duration,
  runFork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
): StallWatch => ({
  interval,
  within: (lifetime, cut) => {
    const fiber = runFork(Effect.delay(Effect.sync(cut), lifetime))
    return () => fiber.interruptUnsafe()
  },
  watch: (leastBytes, cut) => {
    let bytes = 0
    const look = Effect.sync(() => {
      if (bytes < leastBytes) cut()
      bytes = 0
    })
    const fiber = runFork(Effect.forever(Effect.delay(look, interval)))
    return {
      progress: (more) => {
        bytes += more
      },
      stop: () => fiber.interruptUnsafe()
    }
  }
})
