/** Runs an effect without keeping its answer longer than its caller does. */
import { Effect, Exit, type Fiber } from "effect"

type RunFork<R> = <A, E>(effect: Effect.Effect<A, E, R>) => Fiber.Fiber<A, unknown>

/**
 * The exit of an effect, as a promise.
 *
 * The fiber itself ends without the answer. What waits for a fiber is kept in small arrays, of which V8 may decide that all live long,
 * as those of a drive's first fibers do. Then it makes them among the old objects, where they keep what they refer to until the next
 * full collection. So the answers of all calls since the last short collection would be copied by the next one, which took several times
 * as long.
 */
export const exitOf = <A, E, R>(runFork: RunFork<R>, effect: Effect.Effect<A, E, R>): Promise<Exit.Exit<A, unknown>> =>
  new Promise((resolve) => {
    let settle: typeof resolve | undefined = resolve
    const tell = (exit: Exit.Exit<A, unknown>) => {
      settle?.(exit)
      settle = undefined
    }
    const fiber = runFork(Effect.asVoid(Effect.onExit(effect, (exit) => Effect.sync(() => tell(exit)))))
    // One that was interrupted before it began.
    fiber.addObserver((exit) => {
      if (Exit.isFailure(exit)) tell(Exit.failCause(exit.cause))
    })
  })
