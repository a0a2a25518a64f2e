/**
 * The host's users. The drive reads them and never writes them.
 *
 * The default layer is {@link "../accounts/AccountsSql.ts"}; a host replaces it
 * with its own table or call. Contract: "Accounts, tokens, sessions".
 */
import { Context, type Effect, type Option } from "effect"
import type { Unavailable } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"

export type Plan = "basic" | "pro"

export interface Account {
  readonly id: AccountId
  /** Null: the account may read, trash and delete, and store nothing. */
  readonly plan: Plan | null
  /** Bytes the account may hold, or null for no limit. */
  readonly quotaBytes: number | null
  /** Images the account may generate a calendar month (UTC), or null for no limit. */
  readonly monthlyImages: number | null
  readonly handle: string | null
  readonly displayName: string | null
  /** Whether owners of files may see that this user opened them. */
  readonly showsViews: boolean
  /** A suspended account can no longer sign in, and its sessions end. */
  readonly suspended: boolean
}

export class Accounts extends Context.Service<Accounts, {
  /** The user with this id, or none when the user does not exist: a deleted user's sessions end within 5 seconds. */
  readonly find: (id: AccountId) => Effect.Effect<Option.Option<Account>, Unavailable>
  /** The user with this handle. Left out by hosts that find nobody by a handle. */
  readonly findByHandle?: (handle: string) => Effect.Effect<Option.Option<Account>, Unavailable>
}>()("@filedrive/core/ports/Accounts") {}
