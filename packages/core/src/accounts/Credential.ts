/** What a program shows with each request to the agent. Tasks and conversations belong to it. Contract: "The agent". */
import { Context } from "effect"
import type { AccountId, ApiTokenId } from "../shared/Ids.ts"
import type { CurrentAccount, Limits, Permission } from "./CurrentAccount.ts"

export interface Credential {
  /** Of the API token. */
  readonly id: ApiTokenId
  readonly accountId: AccountId
  readonly limits: Limits
  /** As its owner named it. */
  readonly name: string
}

/**
 * Provided for each request to the agent, by whoever has read its bearer token.
 *
 * @effect-leakable-service
 */
export class CurrentCredential extends Context.Service<CurrentCredential, Credential>()(
  "@filedrive/core/accounts/Credential/CurrentCredential"
) {}

/** The caller of operations that a credential makes. */
export const callerOf = ({ accountId, id, limits }: Credential): CurrentAccount["Service"] => ({
  id: accountId,
  tokenId: id,
  limits
})

type Permissions = ReadonlyArray<Permission> | null

/** What both allow; null for everything. */
export const bothAllow = (one: Permissions, other: Permissions): Permissions =>
  one === null ? other : other === null ? one : one.filter((permission) => other.includes(permission))

/** The credential with no more than these permissions. */
export const within = (permissions: Permissions, credential: Credential): Credential => ({
  ...credential,
  limits: { ...credential.limits, permissions: bothAllow(credential.limits.permissions, permissions) }
})
