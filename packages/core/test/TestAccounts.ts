/** Users a test makes as it goes, and the calls they make. */
import { Context, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { CurrentAccount, type Limits, unlimited } from "../src/accounts/CurrentAccount.ts"
import { type Account, Accounts } from "../src/ports/Accounts.ts"
import { AccountId } from "../src/shared/Ids.ts"
import { ordinaryUser } from "./ordinaryUser.ts"

export class TestAccounts extends Context.Service<TestAccounts, {
  /** A user of its own for the test, who has never signed in, with a `pro` plan and no quota unless said otherwise. */
  readonly add: (account?: Partial<Account>) => Effect.Effect<AccountId>
  readonly change: (id: AccountId, change: Partial<Account>) => Effect.Effect<void>
}>()("@filedrive/core/test/TestAccounts") {
  static readonly layer = Layer.effectContext(
    Effect.gen(function*() {
      const accounts = new Map<string, Account>()
      const random = yield* SecureRandom.SecureRandom
      return Context.make(
        Accounts,
        Accounts.of({
          find: (id) => Effect.sync(() => Option.fromUndefinedOr(accounts.get(id))),
          findByHandle: (handle) =>
            Effect.sync(() => Option.fromUndefinedOr([...accounts.values()].find((one) => one.handle === handle)))
        })
      ).pipe(
        Context.add(
          TestAccounts,
          TestAccounts.of({
            add: (account = {}) =>
              Effect.gen(function*() {
                const id = AccountId.make(yield* random.uuidV7())
                accounts.set(id, ordinaryUser(id, account))
                return id
              }),
            change: (id, change) => Effect.sync(() => void accounts.set(id, { ...accounts.get(id)!, ...change }))
          })
        )
      )
    })
  )
}

/** Makes a call as this user. */
export const as = (id: AccountId, limits: Limits = unlimited) =>
  Effect.provideService(CurrentAccount, { id, tokenId: null, limits })
