/**
 * Few at a time, and nobody waits long: whoever is at it for longer than a turn goes on beside the next one. What is slow is
 * slow alone, then, however many are slow.
 */
import { type Duration, Effect, Semaphore } from "effect"

/** Answers what takes a turn for some work: it waits for one, and gives it back when the work ends or the turn is over. */
export const make = Effect.fnUntraced(function*(atOnce: number, turn: Duration.Duration) {
  const places = yield* Semaphore.make(atOnce)
  return <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      Effect.map(Effect.interruptible(places.take(1)), () => {
        let isOver = false
        return Effect.suspend(() => {
          if (isOver) return Effect.void
          isOver = true
          return places.release(1)
        })
      }),
      (giveBack) => Effect.andThen(Effect.forkChild(Effect.delay(giveBack, turn)), work),
      (giveBack) => giveBack
    )
})
