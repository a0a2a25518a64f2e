/**
 * Tokens handed to callers: a prefix and 256 random bits, base64url. Only the
 * SHA-256 is kept, so nobody who reads the database can use one; with that many
 * bits a plain hash needs neither salt nor stretching.
 */
import { Effect } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"

export interface SecretToken {
  /** Shown to the caller once, never stored or logged. */
  readonly text: string
  readonly hash: Uint8Array
}

const encoder = new TextEncoder()

/** The form of a token that is stored and looked up. */
export const hash = (text: string): Effect.Effect<Uint8Array, never, Digest.Digest> =>
  Effect.flatMap(Digest.Digest, (digest) => digest.digest(Digest.sha256, encoder.encode(text)))

/** A new token that begins with `prefix`. */
export const make = Effect.fnUntraced(function*(prefix: string) {
  const random = yield* SecureRandom.SecureRandom
  const text = prefix + Base64Url.encode(yield* random.randomBytes(32))
  return { text, hash: yield* hash(text) } satisfies SecretToken
})
