/**
 * The transaction of an account: every change to an account's data runs in one, which locks the account's row first.
 *
 * Under that one lock the quota, list orders and every other per-account count
 * are exact without deadlocks. Never wait for storage, HTTP or a sleep inside.
 */
import { Context, Effect, Layer } from "effect"
import { SqlError } from "effect/sql"
import { Database } from "../database/Database.ts"
import type { AccountId } from "../shared/Ids.ts"
import { AccountsRepo } from "./AccountsRepo.ts"
import { type Balance, nothing } from "./Balance.ts"
import { Quota } from "./Quota.ts"

export class AccountTransaction extends Context.Service<AccountTransaction, {
  /** Makes the account's row if it is not there; repeating is safe. Done when an account first signs in. */
  readonly open: (accountId: AccountId) => Effect.Effect<void>

  /**
   * Runs `work` in a transaction that holds the account's row from its start.
   * Within a host's own transaction it becomes part of that. Each is counted in
   * the account's revision: what was read at one revision holds until there is another.
   */
  readonly run: <A, E, R>(
    accountId: AccountId,
    work: (balance: Balance) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
}>()("@filedrive/core/accounts/AccountTransaction") {
  /** With the {@link Quota} that its transactions keep. */
  static readonly layer = Layer.effect(
    AccountTransaction,
    Effect.gen(function*() {
      const { sql } = yield* Database
      const repo = yield* AccountsRepo

      // @effect-diagnostics-next-line effectFnOpportunity:off
      const run = <A, E, R>(accountId: AccountId, work: (balance: Balance) => Effect.Effect<A, E, R>) =>
        Effect.gen(function*() {
          let held = yield* repo.lock(accountId)
          if (held === undefined) {
            yield* repo.insert(accountId)
            held = yield* repo.lock(accountId)
          }
          return yield* work(held ?? nothing)
        }).pipe(
          sql.withTransaction,
          // A failing database is a defect here: a caller can only answer 500 or 503.
          Effect.catch((error) => error instanceof SqlError.SqlError ? Effect.die(error) : Effect.fail(error as E)),
          Effect.withSpan("AccountTransaction.run")
        )

      return AccountTransaction.of({ open: repo.insert, run })
    })
  ).pipe(Layer.provide(AccountsRepo.layer), Layer.merge(Quota.layer))
}
