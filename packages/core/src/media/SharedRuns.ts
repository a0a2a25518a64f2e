/** Equal work that is requested at the same time is done once, for all its callers. */
import { Effect, Fiber, type Scope } from "effect"

export interface SharedRuns<A, E> {
  /**
   * The result of the work named by `key`, which begins now unless it is running. It continues while anybody waits for it:
   * a caller who stops waiting does not end it for others, the last one does.
   */
  readonly run: <R>(key: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

interface Run<A, E> {
  readonly fiber: Fiber.Fiber<A, E>
  callers: number
}

/** Closing the scope ends all running work. */
export const make = <A, E>(): Effect.Effect<SharedRuns<A, E>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const runs = new Map<string, Run<A, E>>()

    const begin = Effect.fnUntraced(function*<R>(key: string, work: Effect.Effect<A, E, R>) {
      const run: Run<A, E> = { fiber: yield* Effect.forkIn(work, scope, { uninterruptible: false }), callers: 1 }
      runs.set(key, run)
      run.fiber.addObserver(() => forget(key, run))
      return run
    })

    const forget = (key: string, run: Run<A, E>) => {
      if (runs.get(key) === run) runs.delete(key)
    }

    const giveUp = (key: string, run: Run<A, E>) =>
      Effect.suspend(() => {
        if (--run.callers > 0) return Effect.void
        forget(key, run)
        return Fiber.interrupt(run.fiber)
      })

    return {
      run: (key, work) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.gen(function*() {
            const underWay = runs.get(key)
            if (underWay !== undefined) underWay.callers++
            const run = underWay ?? (yield* begin(key, work))
            return yield* restore(Fiber.join(run.fiber)).pipe(Effect.onInterrupt(() => giveUp(key, run)))
          })
        )
    }
  })
