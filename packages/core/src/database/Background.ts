/**
 * Work that nobody waits for. A database with one session runs it when no caller's statement waits, one statement or
 * transaction of it at a time; other databases ignore the mark.
 */
import { Context, Effect } from "effect"

/** Of the statements that follow. */
export const Background = Context.Reference<boolean>("@filedrive/core/database/Background", {
  defaultValue: () => false
})

/** Marks the statements of `effect` as work that nobody waits for. */
export const behindOthers = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, Background, true)
