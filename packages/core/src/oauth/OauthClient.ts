/** An app that registered itself (RFC 7591). */
import type { DateTime } from "effect"

export interface OauthClient {
  readonly id: string
  readonly name: string
  readonly redirectUris: ReadonlyArray<string>
  readonly insertTime: DateTime.Utc
}
