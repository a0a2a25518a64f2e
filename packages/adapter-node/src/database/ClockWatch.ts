/**
 * Processes that share a database compare times (leases, due times, expiries), so these are the database's: each process measures the
 * difference between its machine's clock and the database's, at the start and every minute, and its drive's `Clock` shows the database's
 * time. The embedded database has no other clock than its process.
 */
import { Database, SoleProcess } from "@filedrive/core"
import { Duration, Effect, Exit, Latch, Layer } from "effect"
import { CorrectedTime } from "../clock/DriveClock.ts"
import type { Measurement, SharedTime } from "../clock/SharedTime.ts"

const interval = Duration.minutes(1)

/** The wait after a measurement that failed. */
const retryInterval = Duration.seconds(5)

/** Questions of one measurement; the one that is answered soonest counts. */
const questions = 5

const warnedMillis = 2_000

/** An answer within this time is exact enough: no further question is asked. */
const soonMillis = 1

const measure = Effect.fnUntraced(function*(time: SharedTime) {
  const { sql } = yield* Database
  let best: Measurement | undefined
  for (let question = 0; question < questions; question++) {
    const asked = time.monotonic
    const [row] = yield* sql<{ readonly millis: number }>`
      SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS millis
    `
    const answered = time.monotonic
    if (best === undefined || answered - asked < best.answered - best.asked) {
      best = { databaseMillis: row!.millis, asked, answered }
    }
    if (answered - asked <= soonMillis) break
  }
  time.measured(best!)
})

const seconds = (millis: number) => (Math.abs(millis) / 1_000).toFixed(1)

/** Logs a warning when the machine's clock has become wrong, and a notice when it is right again. */
const makeWarning = () => {
  let isWarned = false
  return ({ aheadMillis }: SharedTime) => {
    const isWrong = Math.abs(aheadMillis) >= warnedMillis
    if (isWrong === isWarned) return Effect.void
    isWarned = isWrong
    return isWrong
      ? Effect.logWarning(
        `This machine's clock is ${seconds(aheadMillis)} s ${
          aheadMillis > 0 ? "ahead of" : "behind"
        } the database's. ` +
          "The drive goes by the database's clock; correct this machine's, or the database's."
      )
      : Effect.logInfo("This machine's clock agrees with the database's again.")
  }
}

export const layerNoDeps = Layer.effectDiscard(Effect.gen(function*() {
  const time = yield* CorrectedTime
  if (time === null || (yield* SoleProcess)) return
  const warn = makeWarning()
  const isSet = yield* Latch.make(false)
  time.whenSet(() => isSet.openUnsafe())
  const look = Effect.andThen(measure(time), Effect.suspend(() => warn(time)))
  let isKnown = false
  const failed = (cause: unknown) =>
    Effect.suspend(() => {
      if (isKnown) return Effect.void
      isKnown = true
      return Effect.logWarning("The database's clock could not be compared with this machine's.", cause)
    })
  // No warning yet: a start without a database ends with a sentence of its own.
  let wait = Exit.isSuccess(yield* Effect.exit(look)) ? interval : retryInterval
  yield* Effect.forkScoped(Effect.forever(Effect.gen(function*() {
    yield* Effect.raceFirst(isSet.await, Effect.sleep(wait))
    yield* isSet.close
    wait = yield* look.pipe(
      Effect.as(interval),
      Effect.catchCause((cause) => Effect.as(failed(cause), retryInterval))
    )
  })))
}))
