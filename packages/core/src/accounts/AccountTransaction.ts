/**
 * The transaction of an account: every change to an account's data runs in one, which locks the account's row first.
 *
 * Under that one lock the quota, list orders and every other per-account count
 * are exact without deadlocks. Never wait for storage, HTTP or a sleep inside.
 */
import { Context, Effect, Layer, Option } from "effect"
import { SqlError } from "effect/sql"
import { Database } from "../database/Database.ts"
import * as Pipeline from "../database/Pipeline.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { Batch } from "./AccountLine.ts"
import { AccountsRepo } from "./AccountsRepo.ts"
import * as AccountTurns from "./AccountTurns.ts"
import { type Balance, nothing } from "./Balance.ts"
import { CurrentlyHeld, HeldAccount, noTasks } from "./HeldAccount.ts"
import { Quota } from "./Quota.ts"

export class AccountTransaction extends Context.Service<AccountTransaction, {
  /** Makes the account's row if it is not there; repeating is safe. Done when an account first signs in. */
  readonly open: (accountId: AccountId) => Effect.Effect<void>

  /**
   * Runs `work` in a transaction that holds the account's row from its start.
   * Within a host's own transaction it becomes part of that. Each is counted in
   * the account's revision: what was read at one revision holds until there is another.
   *
   * In one process, one transaction at a time runs for an account; the others wait for their turn without a connection.
   * `work` runs again when the database gives the transaction up to end a deadlock, or for a failed serialization.
   */
  readonly run: <A, E, R>(
    accountId: AccountId,
    work: (balance: Balance) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>

  /**
   * Like {@link run}, in a transaction that other callers of this process who wait for the account may share (group commit): each
   * in a savepoint of its own, with one lock and one commit for all. For short work on rows of the account that no other account
   * locks. Work that has begun continues when its caller is interrupted.
   */
  readonly share: <A, E, R>(
    accountId: AccountId,
    work: (balance: Balance) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>

  /**
   * Like {@link share}, for changes that one statement can make for many callers: those that wait at the same time are made together.
   */
  readonly batch: <In, A, E, R>(
    batch: Batch<In, A, E, R>
  ) => (accountId: AccountId, item: In) => Effect.Effect<A, E, R>
}>()("@filedrive/core/accounts/AccountTransaction") {
  /** With the {@link Quota} that its transactions keep. */
  static readonly layer = Layer.effect(
    AccountTransaction,
    Effect.gen(function*() {
      const database = yield* Database
      const { sql } = database
      const repo = yield* AccountsRepo

      const lock = Effect.fnUntraced(function*(accountId: AccountId) {
        let locked = yield* repo.lock(accountId)
        if (locked === undefined) {
          yield* repo.insert(accountId)
          locked = yield* repo.lock(accountId)
        }
        if (locked === undefined) return new HeldAccount(accountId, nothing, noTasks)
        const { tasksActive, tasksWaiting, ...balance } = locked
        return new HeldAccount(accountId, balance, { active: tasksActive, waiting: tasksWaiting })
      })

      /** Runs `work` for the locked account, and saves the changed counts at its end. */
      const saved = <A, E, R>(work: (balance: Balance) => Effect.Effect<A, E, R>) => (held: HeldAccount) =>
        Effect.suspend(() => work(held.balance)).pipe(
          Effect.tap(() => held.saving((change, tasks) => Pipeline.unawaited(repo.add(held.accountId, change, tasks)))),
          Effect.provideService(CurrentlyHeld, held)
        )

      const turns = yield* AccountTurns.make(database, lock, saved)

      /** Within a transaction: runs in a savepoint, and locks the account unless the transaction has done it. */
      const nested = <A, E, R>(accountId: AccountId, work: (balance: Balance) => Effect.Effect<A, E, R>) =>
        Effect.flatMap(CurrentlyHeld, (held) =>
          held?.accountId === accountId
            ? sql.withTransaction(held.keeping(Effect.suspend(() => work(held.balance))))
            : sql.withTransaction(Effect.flatMap(lock(accountId), saved(work)))).pipe(
            // A failing database is a defect here: a caller can only answer 500 or 503.
            Effect.catch((error) => error instanceof SqlError.SqlError ? Effect.die(error) : Effect.fail(error as E))
          )

      const inTurn = <A, E, R>(
        accountId: AccountId,
        work: (balance: Balance) => Effect.Effect<A, E, R>,
        turn: Effect.Effect<A, E, R>
      ): Effect.Effect<A, E, R> =>
        Effect.flatMap(
          Effect.serviceOption(sql.transactionService),
          (transaction) => Option.isSome(transaction) ? nested(accountId, work) : turn
        ).pipe(Effect.withSpan("AccountTransaction.run"))

      const run: AccountTransaction["Service"]["run"] = (accountId, work) =>
        inTurn(accountId, work, turns.alone(accountId, saved(work)))

      const share: AccountTransaction["Service"]["share"] = (accountId, work) =>
        inTurn(accountId, work, turns.shared(accountId, { work: saved(work) }))

      const batch: AccountTransaction["Service"]["batch"] =
        <In, A, E, R>(batch: Batch<In, A, E, R>) => (accountId: AccountId, item: In) =>
          inTurn(
            accountId,
            (balance) =>
              Effect.flatMap(batch.run(accountId, [item], balance), ([result]) => Effect.fromResult(result!)),
            // The batch gets only its own items, so their type is right.
            turns.shared(accountId, { batch: batch as Batch<unknown, A, E, R>, item, isAlone: false })
          )

      return AccountTransaction.of({ open: repo.insert, run, share, batch })
    })
  ).pipe(Layer.provide(AccountsRepo.layer), Layer.merge(Quota.layer))
}
