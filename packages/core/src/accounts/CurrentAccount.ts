/** The account a call is made for, and what its token may do. */
import { Context, Effect } from "effect"
import { Refused } from "../shared/DriveError.ts"
import type { AccountId, ApiTokenId, FolderId } from "../shared/Ids.ts"

/** What a token may be limited to. Contract: "Accounts, tokens, sessions". */
export const permissions = ["read", "add", "organize", "share", "delete", "generate", "agent"] as const
export type Permission = typeof permissions[number]

export interface Limits {
  /** What the call may do, or null for everything. */
  readonly permissions: ReadonlyArray<Permission> | null
  /** The call sees and touches only what is in this folder or inside it; null for the whole drive. */
  readonly folderId: FolderId | null
}

/** No limits: the owner, signed in by the host. */
export const unlimited: Limits = { permissions: null, folderId: null }

export const isSameLimits = (one: Limits, other: Limits): boolean =>
  one.folderId === other.folderId && one.permissions?.join() === other.permissions?.join()

/**
 * Provided per call, by the session middleware or the agent; every operation
 * asks for it, on purpose.
 *
 * @effect-leakable-service
 */
export class CurrentAccount extends Context.Service<CurrentAccount, {
  readonly id: AccountId
  /** The API token behind the session, or null when the host itself made it. */
  readonly tokenId: ApiTokenId | null
  readonly limits: Limits
}>()("@filedrive/core/accounts/CurrentAccount") {}

/** Whether the caller's token may do `permission`. */
export const may = ({ limits }: Pick<CurrentAccount["Service"], "limits">, permission: Permission): boolean =>
  limits.permissions === null || limits.permissions.includes(permission)

/** Who a caller is among those of its account: its API token, or of sessions that the host opened all with the same limits. */
export const credentialOf = ({ limits, tokenId }: CurrentAccount["Service"]): string =>
  tokenId ?? JSON.stringify([limits.folderId, limits.permissions])

/** Whether the caller may end what a credential of its account has begun: as that credential, or when it may delete. Null: unknown. */
export const mayEnd = (caller: CurrentAccount["Service"], credential: string | null): boolean =>
  may(caller, "delete") || credentialOf(caller) === credential

/**
 * The calling account, when its token may do `permission`.
 *
 * Fails with `Refused` (`token_limit`).
 */
export const allowed = (permission: Permission) =>
  Effect.filterOrFail(
    CurrentAccount,
    (caller) => may(caller, permission),
    () => new Refused({ code: "token_limit", because: `This token may not ${permission}.` })
  )
