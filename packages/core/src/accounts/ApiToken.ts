/**
 * An API token: what a program exchanges for sessions. A grant of OAuth is one too, without a text of its own: its sessions are had
 * for codes and refresh tokens ({@link "../oauth/Grants.ts"}).
 *
 * Pure: no services, no clock; `now` is always an argument.
 */
import { DateTime, Schema } from "effect"
import type { AccountId, ApiTokenId } from "../shared/Ids.ts"
import type { Limits } from "./CurrentAccount.ts"

/** What a program exchanges. Any text may be sent as one; only the lookup says whether there is such a token. */
export const ApiTokenText = Schema.String.pipe(Schema.brand("ApiTokenText"))
export type ApiTokenText = typeof ApiTokenText.Type

export interface ApiToken {
  readonly id: ApiTokenId
  readonly accountId: AccountId
  readonly name: string
  readonly limits: Limits
  readonly insertTime: DateTime.Utc
  /** From this instant it is good for no session, and those it was exchanged for have ended. */
  readonly expireTime: DateTime.Utc | null
  /** When a session was last had for it. */
  readonly lastUsedTime: DateTime.Utc | null
  /**
   * The app that a person allowed this by OAuth, or `filedrive:owner` for what the owner asks the agent without a program
   * ({@link "./OwnerTokens.ts"}); null for a token that its owner or the host made.
   */
  readonly clientId: string | null
}

/** How every token begins, so that a leaked one is recognised. */
export const prefix = "fdt_"

/** Whether the token is good for a session at `now`. */
export const isLive = (token: Pick<ApiToken, "expireTime">, now: DateTime.Utc): boolean =>
  token.expireTime === null || DateTime.isGreaterThan(token.expireTime, now)

/** Whether a call with these limits may manage tokens: only one without any. */
export const mayManage = (limits: Limits): boolean => limits.permissions === null && limits.folderId === null
