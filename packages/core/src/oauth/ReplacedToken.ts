/**
 * The tokens of a refresh, which a client may ask for again when it lost the answer. They are derived from the refresh token that the client
 * sent and from a salt, so that the drive can derive them again without storing them: a reader of the database has no such token. RFC 9700,
 * section 4.14.2.
 */
import { DateTime, Effect } from "effect"
import type { Digest } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import * as Limits from "../limits/Limits.ts"
import * as SecretToken from "../shared/SecretToken.ts"
import type { StoredGrant } from "./StoredGrant.ts"

/** What follows the prefix of each token. */
export interface Successors {
  readonly access: string
  readonly refresh: string
}

/** The tokens that take the place of `refreshToken`. */
export const successors = (refreshToken: string, salt: Uint8Array): Effect.Effect<Successors, never, Digest.Digest> => {
  const made = (kind: string) =>
    Effect.map(SecretToken.hash(`${kind} ${Base64Url.encode(salt)} ${refreshToken}`), (hash) => Base64Url.encode(hash))
  return Effect.all({ access: made("access"), refresh: made("refresh") })
}

/** Until when the answer of a token that was replaced at `time` may be asked for again. */
export const repeatableUntil = (time: DateTime.Utc): DateTime.Utc =>
  DateTime.addDuration(time, Limits.oauth.refreshRepeatTime)

/** What showing a token of the grant's means. `ownHash`: of the token's own part. */
export const useOf = (
  { refreshHash, replacedHash, replacedTime }: StoredGrant,
  ownHash: Uint8Array,
  now: DateTime.Utc
): "newest" | "repeat" | "reuse" => {
  if (isSame(refreshHash, ownHash)) return "newest"
  return replacedHash !== null && replacedTime !== null && isSame(replacedHash, ownHash) &&
      DateTime.isLessThan(now, repeatableUntil(replacedTime))
    ? "repeat"
    : "reuse"
}

/** Compares hashes; their bytes tell nothing of what they are of. */
export const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at])
