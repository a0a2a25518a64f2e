/**
 * How long an answer of the database is waited for. A connection may have gone
 * silent without anybody knowing; so after this long it counts as lost, and
 * its callers are told that the database is away.
 */
import { Context, Duration, Effect } from "effect"

/** The time of every statement that sets no other. */
export const ordinary = Duration.seconds(30)

/** For work on whole tables: migrations, bulk import, sweeps. */
export const long = Duration.minutes(10)

/** Of the statements that follow. Adapters keep to it; null asks for what they are set to. */
export const StatementTime = Context.Reference<Duration.Duration | null>("@filedrive/core/database/StatementTime", {
  defaultValue: () => null
})

/** Gives the statements of `effect` the time that work on whole tables takes. */
export const patiently = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, StatementTime, long)
