/**
 * The port {@link SecretBox} by XChaCha20-Poly1305, whose nonces of 24 bytes may be random. A sealed text names its key, so keys can be
 * replaced: the newest one seals, and all that the host still gives open.
 *
 * A sealed text is `x1.{key}.{nonce and ciphertext}`: the first 8 bytes of the key's SHA-256 in hexadecimal, then base64url.
 */
import * as NodeCrypto from "@effect/platform-node-shared/NodeCrypto"
import { SecretBox } from "@filedrive/core"
import { Config, Effect, Layer, Redacted, Result } from "effect"
import { Aead, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { createHash } from "node:crypto"
import * as SecretKey from "./SecretKey.ts"

const nonceBytes = 24

const version = "x1"

interface SealingKey {
  readonly id: string
  readonly key: Aead.Key
}

const sealingKey = (bytes: Uint8Array): Effect.Effect<SealingKey> => {
  const id = createHash("sha256").update(bytes).digest("hex").slice(0, 16)
  return Effect.map(Effect.orDie(Aead.key(Aead.xchacha20Poly1305, bytes)), (key) => ({ id, key }))
}

const notOpened = (because: string) => new SecretBox.SecretNotOpened({ because })

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** What is authenticated with a secret: the place it is for, and the key that it says it was sealed with. */
const associated = (keyId: string, place: string): Uint8Array => encoder.encode(`${version}.${keyId}.${place}`)

/**
 * `keys`, newest first, are asked for when the first secret is sealed or opened, since making one may write a file. They are used as they
 * were then.
 */
export const layerNoDeps = (
  keys: Effect.Effect<readonly [Uint8Array, ...ReadonlyArray<Uint8Array>]>
): Layer.Layer<SecretBox.SecretBox, never, Aead.Aead | SecureRandom.SecureRandom> =>
  Layer.effect(
    SecretBox.SecretBox,
    Effect.gen(function*() {
      const aead = yield* Aead.Aead
      const random = yield* SecureRandom.SecureRandom
      const known = yield* Effect.cached(Effect.flatMap(keys, (all) => Effect.forEach(all, sealingKey)))

      const seal = Effect.fnUntraced(function*(secret: Redacted.Redacted<string>, place: string) {
        const { id, key } = (yield* known)[0]!
        const nonce = yield* random.randomBytes(nonceBytes)
        const plain = encoder.encode(Redacted.value(secret))
        const encrypted = yield* aead.encrypt(key, plain, { nonce, aad: associated(id, place) })
        return `${version}.${id}.${Base64Url.encode(new Uint8Array([...nonce, ...encrypted]))}`
      }, Effect.orDie)

      const open = Effect.fnUntraced(function*(sealed: string, place: string) {
        const [form, id = "", text = ""] = sealed.split(".")
        const bytes = Base64Url.decode(text)
        if (form !== version || Result.isFailure(bytes) || bytes.success.length < nonceBytes) {
          return yield* notOpened("The text is not a sealed secret.")
        }
        const found = (yield* known).find((one) => one.id === id)
        if (found === undefined) return yield* notOpened(`The key ${id} that sealed it is not among the host's keys.`)
        const nonce = bytes.success.subarray(0, nonceBytes)
        const encrypted = bytes.success.subarray(nonceBytes)
        const plain = yield* Effect.mapError(
          aead.decrypt(found.key, encrypted, { nonce, aad: associated(id, place) }),
          () => notOpened("It was changed, or sealed for another place.")
        )
        return Redacted.make(decoder.decode(plain))
      })

      const isOutdated = (sealed: string) =>
        Effect.map(known, ([newest]) => !sealed.startsWith(`${version}.${newest!.id}.`))

      return SecretBox.SecretBox.of({ seal, open, isOutdated })
    })
  )

export interface SealedSecretsOptions {
  /** 32 bytes in base64 each, newest first. Default: the one in the file. */
  readonly keys?: ReadonlyArray<string>
  /** Where the key is that is made, readable by its owner only, when none is given; it is read when some are given, too. */
  readonly keyFile: string
}

/** The keys that these options mean. Dies when one is not valid, or the file can't be read or made. */
export const keysOf = ({ keyFile, keys = [] }: SealedSecretsOptions) =>
  SecretKey.keysOf(keys.map(SecretKey.parseKeyOrThrow), keyFile)

/** With keys of the host's, or one that is kept in a file. */
export const layer = (options: SealedSecretsOptions): Layer.Layer<SecretBox.SecretBox> =>
  layerNoDeps(Effect.suspend(() => keysOf(options))).pipe(
    Layer.provide([NodeCrypto.layerAead, NodeCrypto.layerSecureRandom])
  )

/** {@link layer} with its options read by `Config`. */
export const layerConfig = (
  config: Config.Wrap<SealedSecretsOptions>
): Layer.Layer<SecretBox.SecretBox, Config.ConfigError> => Layer.unwrap(Effect.map(Config.unwrap(config), layer))
