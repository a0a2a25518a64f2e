/**
 * Whether statements run in a transaction that the host has begun, and will commit or roll back itself. What a call usually does
 * after its commit, in storage or for those who wait, it then leaves to the jobs that it has enqueued: they run once the host has
 * committed, and never if it rolls back.
 */
import { Context, Effect } from "effect"

/** Of the statements that follow. */
export const InHostTransaction = Context.Reference<boolean>("@filedrive/core/database/InHostTransaction", {
  defaultValue: () => false
})

/** Runs `effect`, but for in a host's transaction. */
export const unlessInHosts = <A>(instead: A) => <B, E, R>(effect: Effect.Effect<B, E, R>): Effect.Effect<A | B, E, R> =>
  Effect.flatMap(
    InHostTransaction,
    (isHosts): Effect.Effect<A | B, E, R> => isHosts ? Effect.succeed(instead) : effect
  )
