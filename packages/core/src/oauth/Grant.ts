/**
 * A grant: what a person allowed an app to do, and the tokens that the app has of it (RFC 6749). A grant is listed and revoked like
 * an API token, and owns what the app does, so that new tokens of it find the same tasks.
 *
 * Pure: no services, no clock. Contract: "MCP and OAuth".
 */
import { type Duration, Schema } from "effect"
import { type Permission, permissions as allPermissions } from "../accounts/CurrentAccount.ts"
import type { AccountId, ApiTokenId, FolderId } from "../shared/Ids.ts"

/** How tokens and codes begin, so that a leaked one is recognised. */
export const prefixes = { access: "fda_", refresh: "fdr_", code: "fdc_" } as const

/** What a person allowed on the consent page. */
export interface Consent {
  readonly clientId: string
  /** As the client calls itself; the grant is listed under it. */
  readonly clientName: string
  /** Exactly as the request had it. */
  readonly redirectUri: string
  /** The `code_challenge` by S256: base64url of a SHA-256. */
  readonly challenge: string
  /** Where the tokens are accepted: addresses of resources (RFC 8707), at least one. */
  readonly resources: ReadonlyArray<string>
  /** At least one. */
  readonly permissions: ReadonlyArray<Permission>
  readonly folderId: FolderId | null
  /** Names this showing of the page: a second answer to it gives no second code. */
  readonly page: string
}

/** What a client shows for its first tokens. */
export interface CodeRequest {
  readonly code: string
  readonly clientId: string
  /** As the request had it; null from clients of OAuth 2.1, which leave it out: the verifier binds the code to them. */
  readonly redirectUri: string | null
  /** The `code_verifier` of PKCE. */
  readonly verifier: string
  /** Fewer resources than were consented to; null: all of them. */
  readonly resources: ReadonlyArray<string> | null
}

/** What a client shows for further tokens. */
export interface RefreshRequest {
  readonly refreshToken: string
  readonly clientId: string
  /** Fewer than the grant has, for the access token only; null: all of them. */
  readonly permissions: ReadonlyArray<Permission> | null
  readonly resources: ReadonlyArray<string> | null
}

/** Shown once, never stored or logged. */
export interface IssuedTokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly lifetime: Duration.Duration
  readonly permissions: ReadonlyArray<Permission>
  readonly resources: ReadonlyArray<string>
}

/** What a host's own services may know of a token that is valid. */
export interface ActiveToken {
  readonly accountId: AccountId
  /** Of the grant, or of the API token. */
  readonly tokenId: ApiTokenId
  /** Null for an API token. */
  readonly clientId: string | null
  readonly kind: "access" | "refresh" | "apiToken"
  readonly permissions: ReadonlyArray<Permission> | null
  readonly folderId: FolderId | null
  /** Where it is accepted; null: everywhere. */
  readonly resources: ReadonlyArray<string> | null
  readonly insertMillis: number
  readonly expireMillis: number | null
}

/** Why no tokens were issued, by the codes of RFC 6749 and RFC 8707. */
export class GrantRefused extends Schema.TaggedError<GrantRefused>()("GrantRefused", {
  code: Schema.Literals(["invalid_grant", "invalid_scope", "invalid_target"]),
  because: Schema.String
}) {
  override get message() {
    return this.because
  }
}

/** The page was answered already, or the account has as many grants as it may. */
export class ConsentRefused extends Schema.TaggedError<ConsentRefused>()("ConsentRefused", {
  reason: Schema.Literals(["answered", "too_many"])
}) {}

/** A scope's permissions in the order of the specification; those that are none are left out. */
export const permissionsOf = (scope: string): ReadonlyArray<Permission> => {
  const asked = new Set(scope.split(" "))
  return allPermissions.filter((permission) => asked.has(permission))
}
