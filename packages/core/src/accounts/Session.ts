/** What a signed-in caller has. */
import { type DateTime, type Duration, Schema } from "effect"
import type { ApiTokenId, SessionId } from "../shared/Ids.ts"

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
