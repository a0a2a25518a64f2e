/** Counts what accounts hold. */
import { Context, Effect, Layer } from "effect"
import type { AccountId } from "../shared/Ids.ts"
import { AccountsRepo } from "./AccountsRepo.ts"
import { type Balance, nothing } from "./Balance.ts"

export class Quota extends Context.Service<Quota, {
  /** What the account holds, as of now and without a lock: good for showing, not for deciding. */
  readonly balance: (accountId: AccountId) => Effect.Effect<Balance>

  /** Changes the counts; only inside `AccountTransaction.run`. */
  readonly add: (accountId: AccountId, change: Partial<Balance>) => Effect.Effect<void>
}>()("@filedrive/core/accounts/Quota") {
  static readonly layer = Layer.effect(
    Quota,
    Effect.gen(function*() {
      const repo = yield* AccountsRepo
      return Quota.of({
        balance: Effect.fn("Quota.balance")(function*(accountId: AccountId) {
          return (yield* repo.balance(accountId)) ?? nothing
        }),
        add: (accountId, change) => repo.add(accountId, { ...nothing, ...change })
      })
    })
  ).pipe(Layer.provide(AccountsRepo.layer))
}
