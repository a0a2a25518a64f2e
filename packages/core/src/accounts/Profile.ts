/** What the default Accounts layer keeps of a user. */
import type { DateTime } from "effect"
import type { Account, Plan } from "../ports/Accounts.ts"

/** A user that is to be kept. */
export interface NewProfile extends Omit<Account, "monthlyImages"> {
  /** Images a month; null: no limit; `"plan"`: the plan's own allowance. */
  readonly monthlyImages: number | "plan" | null
}

/** What an administrator may change. */
export interface ProfileChange {
  readonly displayName?: string | null
  readonly plan?: Plan | null
  readonly quotaBytes?: number | null
  /** Images a month; null: no limit; `"plan"`: the plan's own allowance. */
  readonly monthlyImages?: number | "plan" | null
  readonly showsViews?: boolean
  /** From when the account is suspended, or null when it is not. */
  readonly suspendTime?: DateTime.Utc | null
}
