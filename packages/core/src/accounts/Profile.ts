/** What the default Accounts layer keeps of a user. */
import type { DateTime } from "effect"
import type { Plan } from "../ports/Accounts.ts"

/** What an administrator may change. */
export interface ProfileChange {
  readonly displayName?: string | null
  readonly plan?: Plan | null
  readonly quotaBytes?: number | null
  readonly monthlyImages?: number | null
  readonly showsViews?: boolean
  /** From when the account is suspended, or null when it is not. */
  readonly suspendTime?: DateTime.Utc | null
}
