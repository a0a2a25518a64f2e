/**
 * Work that nobody waits for. A database with one session lets it in when no caller's statement waits, one statement or
 * transaction of it at a time; others take no notice.
 */
import { Context, Effect } from "effect"

/** Of the statements that follow. */
export const Background = Context.Reference<boolean>("@filedrive/core/database/Background", {
  defaultValue: () => false
})

/** Says that nobody waits for the statements of `effect`. */
export const behindOthers = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, Background, true)
