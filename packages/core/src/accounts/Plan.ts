/** What an account's plan lets it do. Contract: "Accounts, tokens, sessions". */
import { Effect, Option } from "effect"
import type { Account, Accounts } from "../ports/Accounts.ts"
import { Refused } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"

/**
 * The account, when it may store more.
 *
 * Fails with `Refused`: `no_plan` without a plan, `not_allowed` when the host
 * has suspended the user or no longer knows it.
 */
export const storing = Effect.fn("Plan.storing")(function*(
  accounts: Accounts["Service"],
  id: AccountId
): Effect.fn.Return<Account, Refused | Effect.Error<ReturnType<Accounts["Service"]["find"]>>> {
  const account = Option.getOrUndefined(yield* accounts.find(id))
  if (account === undefined || account.suspended) {
    return yield* new Refused({ code: "not_allowed", because: "This account may not use the drive." })
  }
  if (account.plan === null) {
    return yield* new Refused({ code: "no_plan", because: "This account has no plan, so it cannot store files." })
  }
  return account
})
