/**
 * Whether the store answers at all.
 *
 * A small call is abandoned after ten seconds, three times. But an operation makes several, and where one has failed it
 * cleans up after itself: on a silent store those waits add up to minutes. So while calls wait and nothing is
 * received from the store, it is probed; when neither calls nor probes have had an answer for 30 seconds, the store
 * counts as silent. From then on every call fails at once, until a probe is answered. A call that has no answer while
 * probes have theirs affects only itself.
 *
 * An engine that moves bytes may take minutes for its answer, and a call that was swallowed looks the same. A probe that
 * is answered while an older one is not shows the difference: what was sent before it is lost, most likely.
 */
import { Clock, Deferred, Duration, Effect, type Scope } from "effect"

/** A small call, or a probe, without an answer for so long is given up. */
export const answerTimeout = Duration.seconds(10)

/** The store is silent when nothing was received from it for so long, while calls were waiting. */
const silenceMillis = 30_000

/** Calls wait, and nothing was received from the store for so long: it is probed. */
const quietMillis = 10_000

/** How often it is probed then. */
const probeInterval = Duration.seconds(2)

/** Something was received, but no probe was answered for so long: one more shows what was lost. */
const overdueMillis = 4_000

export interface StoreSilence {
  readonly isSilent: () => boolean
  /** To be called whenever the store has answered, also with an error. */
  readonly heard: () => void
  /** Runs a call, with all its tries, and fails with `silent` once the store is silent. */
  readonly watch: <A, E>(call: Effect.Effect<A, E>, silent: Effect.Effect<never, E>) => Effect.Effect<A, E>
  /** Ends when the store answers new calls again, but not earlier ones. */
  readonly lost: Effect.Effect<void>
}

/** `probe` makes a call that any store answers at once, and returns whether it did. */
export const make = (probe: Effect.Effect<boolean>): Effect.Effect<StoreSilence, never, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    /** Calls that wait for an answer. */
    let waitingCount = 0
    let isWatched = false
    let isSilent = false
    /** When something was last received, or the first of the waiting calls was made. */
    let quietSince = 0
    let silence = Deferred.makeUnsafe<void>()
    let loss = Deferred.makeUnsafe<void>()
    let probeCount = 0
    let probeTime = 0
    /** Probes without an answer, abandoned ones too, as long as none after them had one. */
    const unanswered = new Set<number>()

    const clock = yield* Clock.Clock
    const now = () => clock.currentTimeMillisUnsafe()

    const heard = () => {
      quietSince = now()
      if (!isSilent) return
      isSilent = false
      silence = Deferred.makeUnsafe()
    }

    // A probe that hangs doesn't prevent the next: on another connection the store may answer.
    const probeOnce = Effect.suspend(() => {
      const number = ++probeCount
      probeTime = now()
      unanswered.add(number)
      return Effect.map(probe, (isAnswered) => {
        if (!isAnswered) return
        heard()
        if (!unanswered.delete(number)) return
        const older = [...unanswered].filter((other) => other < number)
        if (older.length === 0) return
        for (const other of older) unanswered.delete(other)
        Deferred.doneUnsafe(loss, Effect.void)
        loss = Deferred.makeUnsafe()
      })
    })

    const begin = Effect.suspend(() => {
      isSilent = true
      Deferred.doneUnsafe(silence, Effect.void)
      return Effect.logWarning("The object storage gives no answer: calls fail at once until it does.")
    })

    const watchOn = Effect.gen(function*() {
      const wasSilent = isSilent
      yield* Effect.sleep(probeInterval)
      const quiet = now() - quietSince
      const isOverdue = unanswered.size > 0 && now() - probeTime >= overdueMillis
      if (isSilent || (waitingCount > 0 && (isOverdue || quiet >= quietMillis))) {
        yield* Effect.forkIn(probeOnce, scope)
      }
      if (wasSilent && !isSilent) yield* Effect.logInfo("The object storage answers again.")
      if (!isSilent && waitingCount > 0 && quiet >= silenceMillis) yield* begin
    })

    const watching = watchOn.pipe(
      Effect.repeat({ while: () => waitingCount > 0 || isSilent }),
      Effect.ensuring(Effect.sync(() => {
        isWatched = false
        unanswered.clear()
      }))
    )

    const enter = Effect.suspend(() => {
      if (++waitingCount === 1) quietSince = now()
      if (isWatched) return Effect.void
      isWatched = true
      return Effect.asVoid(Effect.forkIn(watching, scope))
    })

    return {
      isSilent: () => isSilent,
      heard,
      watch: (call, silent) =>
        Effect.suspend(() =>
          isSilent ? silent : Effect.acquireUseRelease(
            enter,
            () => Effect.raceFirst(call, Effect.andThen(Deferred.await(silence), silent)),
            () => Effect.sync(() => waitingCount--)
          )
        ),
      lost: Effect.suspend(() => Deferred.await(loss))
    }
  })
