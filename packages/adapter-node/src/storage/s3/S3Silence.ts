/**
 * Whether the store answers at all.
 *
 * A small call is given up after ten seconds, three times. But an operation makes several, and where one has failed it
 * cleans up after itself: on a store that says nothing those waits add up to minutes. So once a call was given up, and
 * nothing was heard of the store meanwhile, the store counts as silent. From then on every call fails at once, until the
 * store answers a probe. What was to be cleaned up meanwhile is listed, and its job tries again.
 */
import { Duration, Effect, type Scope } from "effect"

/** A small call, or a probe, without an answer for so long is given up. */
export const answerTimeout = Duration.seconds(10)

/** A call that may take longer is given up when nothing was heard of the store for so many times `answerTimeout`. */
const quietMax = 3

/** How often a silent store is asked again. */
const probeInterval = Duration.seconds(2)

export interface StoreSilence {
  readonly isSilent: () => boolean
  /** To be called whenever the store has answered, with an error too. */
  readonly heard: () => void
  /** How often that was. */
  readonly heardCount: () => number
  /** A call had no answer in any of its tries: the store is silent if nothing was heard since there were `heardCount` answers. */
  readonly suspect: (heardCount: number) => Effect.Effect<void>
  /** Ends when the store is silent: nothing was heard of it for 30 seconds, in which it was asked. */
  readonly begun: Effect.Effect<void>
}

/** `ask` makes a call that any store answers at once; whether it did. */
export const make = (ask: Effect.Effect<boolean>): Effect.Effect<StoreSilence, never, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    let heardCount = 0
    let silent = false
    const isSilent = () => silent
    const heard = () => {
      heardCount++
      silent = false
    }
    const probe = Effect.map(ask, (answered) => answered ? heard() : undefined)

    // One that hangs doesn't keep the next from being asked: on another connection the store may answer.
    const probing = Effect.gen(function*() {
      yield* Effect.forkChild(probe)
      yield* Effect.sleep(probeInterval)
    }).pipe(
      Effect.repeat({ while: isSilent }),
      Effect.andThen(Effect.logInfo("The object storage answers again."))
    )

    const begin = Effect.suspend(() => {
      if (silent) return Effect.void
      silent = true
      return Effect.logWarning("The object storage gives no answer: calls fail at once until it does.").pipe(
        Effect.andThen(Effect.forkIn(probing, scope)),
        Effect.asVoid
      )
    })

    return {
      isSilent,
      heardCount: () => heardCount,
      heard,
      suspect: (since) => Effect.suspend(() => heardCount === since ? begin : Effect.void),
      begun: Effect.gen(function*() {
        let since = heardCount
        for (let quiet = 0; quiet < quietMax && !isSilent();) {
          if (quiet > 0) yield* Effect.forkChild(probe)
          yield* Effect.sleep(answerTimeout)
          quiet = heardCount === since ? quiet + 1 : 0
          since = heardCount
        }
        yield* begin
      })
    }
  })
