/** Counts what accounts hold. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { AccountId } from "../shared/Ids.ts"
import { AccountsRepo } from "./AccountsRepo.ts"
import { type Balance, nothing } from "./Balance.ts"
import { CurrentlyHeld } from "./HeldAccount.ts"

export class Quota extends Context.Service<Quota, {
  /** What the account holds, as of now and without a lock: good for showing, not for deciding. */
  readonly balance: (accountId: AccountId) => Effect.Effect<Balance>

  /** Changes the counts; only inside `AccountTransaction.run`, which saves them at its end. */
  readonly add: (accountId: AccountId, change: Partial<Balance>) => Effect.Effect<void>
}>()("@filedrive/core/accounts/Quota") {
  static readonly layer = Layer.effect(
    Quota,
    Effect.gen(function*() {
      const repo = yield* AccountsRepo
      const { isInTransaction } = yield* Database
      const heldOf = (accountId: AccountId) =>
        Effect.flatMap(
          isInTransaction,
          (isIn) => Effect.map(CurrentlyHeld, (held) => isIn && held?.accountId === accountId ? held : undefined)
        )
      return Quota.of({
        balance: Effect.fn("Quota.balance")(function*(accountId: AccountId) {
          const held = yield* heldOf(accountId)
          return held?.balance ?? (yield* repo.balance(accountId)) ?? nothing
        }),
        add: (accountId, change) =>
          Effect.flatMap(heldOf(accountId), (held) => {
            const all = { ...nothing, ...change }
            return held === undefined ? repo.add(accountId, all) : Effect.sync(() => held.add(all))
          })
      })
    })
  ).pipe(Layer.provide(AccountsRepo.layer))
}
