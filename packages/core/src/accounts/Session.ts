/** What a signed-in caller has. */
import { type DateTime, type Duration, Schema } from "effect"
import type { ApiTokenId, SessionId } from "../shared/Ids.ts"
import type { Credential } from "./Credential.ts"
import type { CurrentAccount, Permission } from "./CurrentAccount.ts"

/** What a caller sends on every call. Any text may be sent as one; only the lookup says whether there is such a session. */
export const SessionToken = Schema.String.pipe(Schema.brand("SessionToken"))
export type SessionToken = typeof SessionToken.Type

/** A session as it is given to the caller. */
export interface OpenedSession {
  /** Shown once, never stored or logged. */
  readonly token: SessionToken
  readonly expireTime: DateTime.Utc
  /** From its opening to its end. */
  readonly lifetime: Duration.Duration
}

/** A session as its owner may see it. */
export interface SessionItem {
  /** Names the session; signs nobody in. */
  readonly id: SessionId
  /** The API token it was exchanged for, or null when the host opened it. */
  readonly apiTokenId: ApiTokenId | null
  readonly insertTime: DateTime.Utc
  readonly expireTime: DateTime.Utc
}

/**
 * How many sessions an account keeps that were opened in the same way: with the same API token, or by the host. One more
 * replaces the oldest of them. Null: no limit.
 */
export type SessionMaxCount = number | null

/** How an access token of OAuth begins: a session of a grant's that is accepted at some addresses only. */
export const accessPrefix = "fda_"

/** How the session of a page that the drive serves begins. It calls the drive; at a host it shows nobody to be signed in. */
export const pagePrefix = "fdp_"

/** By its length too: one in millions of other sessions begins like that. */
export const isOfPage = (token: string): boolean => /^fdp_[\w-]{43}$/.test(token)

/** What an access token is limited to besides its grant. */
export interface AccessLimits {
  /** Some of the grant's. */
  readonly permissions: ReadonlyArray<Permission>
  /** Where it is accepted (RFC 8707). */
  readonly resources: ReadonlyArray<string>
}

/** An access token that is valid. */
export interface ResolvedAccess {
  readonly credential: Credential
  readonly clientId: string
  readonly resources: ReadonlyArray<string>
  readonly insertMillis: number
  readonly expireMillis: number
}

/** A session as a row: an access token of a grant where it has `resources`. */
export interface StoredSession {
  readonly account: CurrentAccount["Service"]
  readonly expireMillis: number
  readonly resources: ReadonlyArray<string> | null
}

/** An access token with what its grant is. */
export interface StoredAccess extends StoredSession {
  readonly tokenId: ApiTokenId
  readonly name: string
  readonly clientId: string
  readonly insertMillis: number
  readonly resources: ReadonlyArray<string>
}
