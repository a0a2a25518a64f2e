/**
 * Whether statements run in a transaction that the host has begun, and will commit or roll back itself. What a call otherwise does
 * after its commit (in storage, or for those who wait) is then left to the jobs that it has enqueued: they run after the host's
 * commit, and never after a rollback.
 */
import { Context, Effect } from "effect"

/** Of the statements that follow. */
export const InHostTransaction = Context.Reference<boolean>("@filedrive/core/database/InHostTransaction", {
  defaultValue: () => false
})

/** Runs `effect`, unless this is a host's transaction. */
export const unlessInHosts = <A>(instead: A) => <B, E, R>(effect: Effect.Effect<B, E, R>): Effect.Effect<A | B, E, R> =>
  Effect.flatMap(
    InHostTransaction,
    (isHosts): Effect.Effect<A | B, E, R> => isHosts ? Effect.succeed(instead) : effect
  )
