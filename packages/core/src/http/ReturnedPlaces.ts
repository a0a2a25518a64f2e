/**
 * Waits for a place in a limit that another call will most likely return.
 *
 * An exchange takes its place in the limit on wrong tokens before anybody knows whether its token is wrong, and good ones
 * return it within milliseconds. So an honest burst finds no place although none of it counts. It waits here, for a time that the
 * caller chooses, and only while others with the same key are being checked in this process: without them no place would be returned. A call that waits
 * holds nothing and still has to take a place before its token is checked.
 */
import { Deferred, Duration, Effect, Option } from "effect"

/** More than these are refused at once, of one key. */
const waitingMax = 100

interface Burst {
  /** Those that have a place. */
  working: number
  readonly waiting: Set<Deferred.Deferred<void>>
}

export interface ReturnedPlaces {
  /** Waits until a place of this key may have been returned. False when none will be, or not within `patience` since `start`. */
  readonly wait: (key: string, start: number, patience: Duration.Duration) => Effect.Effect<boolean>
  /** Runs a call that has a place, which it returns or keeps before it ends. */
  readonly work: <A, E, R>(key: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

export const make = (): ReturnedPlaces => {
  const bursts = new Map<string, Burst>()

  const wake = (burst: Burst, count: number) => {
    for (const turn of [...burst.waiting].slice(0, count)) {
      burst.waiting.delete(turn)
      Deferred.doneUnsafe(turn, Effect.void)
    }
  }

  return {
    wait: (key, start, patience) =>
      Effect.clockWith((clock) => {
        const burst = bursts.get(key)
        const left = start + Duration.toMillis(patience) - clock.currentTimeMillisUnsafe()
        if (burst === undefined || burst.waiting.size >= waitingMax || left <= 0) return Effect.succeed(false)
        const turn = Deferred.makeUnsafe<void>()
        burst.waiting.add(turn)
        return Deferred.await(turn).pipe(
          Effect.timeoutOption(left),
          Effect.map(Option.isSome),
          Effect.ensuring(Effect.sync(() => burst.waiting.delete(turn)))
        )
      }),

    work: (key, work) =>
      Effect.suspend(() => {
        const burst = bursts.get(key) ?? { working: 0, waiting: new Set() }
        bursts.set(key, burst)
        burst.working++
        return Effect.ensuring(
          work,
          Effect.sync(() => {
            if (--burst.working > 0) return wake(burst, 1)
            bursts.delete(key)
            wake(burst, burst.waiting.size)
          })
        )
      })
  }
}
