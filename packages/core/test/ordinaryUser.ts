/** A user as most tests need one. */
import type { Account } from "../src/ports/Accounts.ts"
import type { AccountId } from "../src/shared/Ids.ts"

/** A user of a host, with a `pro` plan and no quota unless said otherwise. */
export const ordinaryUser = (id: AccountId, unlike: Partial<Account> = {}): Account => ({
  id,
  plan: "pro",
  quotaBytes: null,
  monthlyImages: null,
  handle: null,
  displayName: null,
  showsViews: true,
  suspended: false,
  ...unlike
})
