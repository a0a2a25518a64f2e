/** Cuts what makes too little progress, by Effect's clock. */
import { type Duration, Effect, type Fiber } from "effect"

export interface Watch {
  readonly progress: (bytes: number) => void
  readonly stop: () => void
}

export interface StallWatch {
  /** Calls `cut` as soon as an interval passes with fewer than `leastBytes` of progress. */
  readonly watch: (leastBytes: number, cut: () => void) => Watch
  readonly interval: Duration.Duration
}

export const make = (
  interval: Duration.Duration,
  runFork: (effect: Effect.Effect<never>) => Fiber.Fiber<never>
): StallWatch => ({
  interval,
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
