import { assert, describe, it } from "@effect/vitest"
import { SecretBox } from "@filedrive/core"
import { Effect, Exit, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SealedSecrets from "../../src/secrets/SealedSecrets.ts"
import { keptKey, keysOf, parseKey } from "../../src/secrets/SecretKey.ts"

const key = () => new Uint8Array(randomBytes(32))

const using = (...keys: readonly [Uint8Array, ...ReadonlyArray<Uint8Array>]) =>
  SealedSecrets.layer({ keys: keys.map((one) => Buffer.from(one).toString("base64")), keyFile: "/nowhere/secret-key" })

const secret = "tök-🔑-secret"

const sealed = (place = "task/config") => SecretBox.SecretBox.use((box) => box.seal(Redacted.make(secret), place))
const opened = (text: string, place = "task/config") =>
  SecretBox.SecretBox.use((box) => Effect.map(box.open(text, place), Redacted.value))

const directory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "secret-key-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

describe("SealedSecrets", () => {
  it.effect("SEAL-1 a sealed secret opens to what was sealed, and shows nothing of it", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* sealed(), yield* sealed()]
      assert.notStrictEqual(one, other)
      for (const text of [one, other]) {
        assert.match(text, /^[\w.-]+$/)
        assert.notInclude(text, secret)
        assert.strictEqual(yield* opened(text), secret)
      }
      const empty = yield* SecretBox.SecretBox.use((box) => box.seal(Redacted.make(""), "p"))
      assert.strictEqual(yield* opened(empty, "p"), "")
    }).pipe(Effect.provide(using(key()))))

  it.effect("SEAL-2 it opens at its own place only, and unchanged", () =>
    Effect.gen(function*() {
      const text = yield* sealed()
      assert.strictEqual((yield* Effect.flip(opened(text, "task/other")))._tag, "SecretNotOpened")
      const at = text.lastIndexOf(".") + 1
      for (const index of [at, at + 20, at + 40, text.length - 2]) {
        const changed = text.slice(0, index) + (text[index] === "A" ? "B" : "A") + text.slice(index + 1)
        assert.strictEqual((yield* Effect.flip(opened(changed)))._tag, "SecretNotOpened", changed)
      }
      for (
        const nonsense of [
          "",
          "x1",
          "x1.a.b",
          text.slice(0, at),
          text.slice(0, at + 10),
          text.replace("x1", "x2"),
          `${text}!`
        ]
      ) {
        assert.strictEqual((yield* Effect.flip(opened(nonsense)))._tag, "SecretNotOpened", nonsense)
      }
    }).pipe(Effect.provide(using(key()))))

  it.effect("SEAL-3 a key is replaced while what the old one sealed still opens", () =>
    Effect.gen(function*() {
      const [old, newest] = [key(), key()]
      const text = yield* Effect.provide(sealed(), using(old))
      const isOutdated = (text: string) => SecretBox.SecretBox.use((box) => box.isOutdated(text))
      assert.isFalse(yield* Effect.provide(isOutdated(text), using(old)))
      yield* Effect.gen(function*() {
        assert.strictEqual(yield* opened(text), secret)
        assert.isTrue(yield* isOutdated(text))
        assert.isFalse(yield* isOutdated(yield* sealed()))
      }).pipe(Effect.provide(using(newest, old)))
      const refused = yield* Effect.provide(Effect.flip(opened(text)), using(newest))
      assert.match(refused.message, /is not among the host's keys/)
    }))

  it.effect("SEAL-4 without a key of the host's one is made once, which its owner alone can read", () =>
    Effect.gen(function*() {
      const path = join(yield* directory, "data", "secret-key")
      const keys = yield* Effect.all([keptKey(path), keptKey(path), keptKey(path), keptKey(path)], { concurrency: 4 })
      for (const one of keys) assert.deepStrictEqual(one, keys[0])
      assert.deepStrictEqual(yield* keptKey(path), keys[0])
      const { mode } = yield* Effect.promise(() => stat(path))
      assert.strictEqual(mode & 0o777, 0o600)
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(path, ".."))), ["secret-key"])
      assert.deepStrictEqual(parseKey((yield* Effect.promise(() => readFile(path, "utf8"))).trim()), keys[0])
    }))

  it.effect("SEAL-4 a host's key comes before one that was made, which still opens; alone, it makes no file", () =>
    Effect.gen(function*() {
      const path = join(yield* directory, "secret-key")
      const own = key()
      assert.deepStrictEqual(yield* keysOf([own], path), [own])
      assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.tryPromise(() => stat(path)))))
      const kept = yield* keptKey(path)
      assert.deepStrictEqual(yield* keysOf([own], path), [own, kept])
      assert.deepStrictEqual(yield* keysOf([], path), [kept])
    }))

  it.effect("SEAL-4 a file that is no key is an error, and stays", () =>
    Effect.gen(function*() {
      const path = join(yield* directory, "secret-key")
      yield* Effect.promise(() => writeFile(path, "not a key"))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(keptKey(path))))
      assert.strictEqual(yield* Effect.promise(() => readFile(path, "utf8")), "not a key")
    }))
})
