/**
 * What a transaction need not wait for before it sends its next statement: each answer that is waited for takes a turn of
 * the network and of two processes. An adapter whose driver sends statements ahead follows this, another waits for each.
 */
import { Context, Effect } from "effect"

/** Of the statements that follow: whether their transaction goes on before they are answered. */
export const IsUnawaited = Context.Reference<boolean>("@filedrive/core/database/Pipeline/IsUnawaited", {
  defaultValue: () => false
})

/**
 * Within a transaction: sends the statements of `work` without waiting for their answers, so `work` sees no rows of them. When one
 * fails, the transaction fails with its error at the next statement, or at the commit.
 */
export const unawaited = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(work, IsUnawaited, true)

/** Whether the first statement of the transaction that begins may be sent together with its beginning. */
export const BeginsWithLock = Context.Reference<boolean>("@filedrive/core/database/Pipeline/BeginsWithLock", {
  defaultValue: () => false
})

/**
 * For a transaction whose first statement locks a row and changes nothing that has to be undone: should the transaction fail to
 * begin, that statement alone may have been carried out.
 */
export const beginningWithLock = <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(transaction, BeginsWithLock, true)
