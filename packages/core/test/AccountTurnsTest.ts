/** Shared by the tests of transactions that wait for an account. */
import type { TestDatabase } from "@filedrive/testing"
import { Cause, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../src/accounts/AccountTransaction.ts"
import { Database } from "../src/database/Database.ts"
import { AccountId } from "../src/shared/Ids.ts"

/** The transactions of accounts on this database. */
export const accountsOn = (database: typeof TestDatabase.layer) =>
  AccountTransaction.layer.pipe(Layer.provideMerge(Layer.mergeAll(database, SecureRandom.layerWebCrypto)))

export const newAccount = Effect.gen(function*() {
  const transaction = yield* AccountTransaction
  const id = AccountId.make(yield* SecureRandom.SecureRandom.use((random) => random.uuidV7()))
  yield* transaction.open(id)
  return id
})

export const revision = Effect.fnUntraced(function*(id: AccountId) {
  const { sql, tables: t } = yield* Database
  const [row] = yield* sql<{ readonly revision: number }>`
    SELECT revision::float8 AS revision FROM ${t.accounts} WHERE id = ${id}
  `
  return row!.revision
})

/** Locks the account in a transaction that ends when `end` is done. */
export const holding = Effect.fnUntraced(function*(id: AccountId, end: Deferred.Deferred<void>) {
  const transaction = yield* AccountTransaction
  const begun = yield* Deferred.make<void>()
  const fiber = yield* Effect.forkChild(
    transaction.run(id, () => Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(end)))
  )
  yield* Deferred.await(begun)
  return fiber
})

/** Begins all changes, which then wait for their turn. */
export const begin = <A, E, R>(changes: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.forEach(changes, (change) => Effect.forkChild(Effect.exit(change), { startImmediately: true }))

/** Begins all changes while another transaction has the account locked, then lets that one end. Returns the exits of the changes. */
export const afterWaiting = Effect.fnUntraced(function*<A, E, R>(
  id: AccountId,
  changes: ReadonlyArray<Effect.Effect<A, E, R>>
) {
  const end = yield* Deferred.make<void>()
  const holder = yield* holding(id, end)
  const fibers = yield* begin(changes)
  yield* Deferred.succeed(end, undefined)
  yield* Fiber.join(holder)
  return yield* Fiber.joinAll(fibers)
})

export const outcome = <A, E>(exit: Exit.Exit<A, E>) => Exit.isSuccess(exit) ? exit.value : Cause.squash(exit.cause)
