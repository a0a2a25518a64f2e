import { assert, it } from "@effect/vitest"
import { PasswordHasher } from "@filedrive/core"
import { TestPasswordHasher } from "@filedrive/testing"
import { passwordHasherSuite } from "@filedrive/testing/suites"
import { Effect, Result } from "effect"
import * as ScryptPasswords from "../src/ScryptPasswords.ts"

passwordHasherSuite("scrypt", ScryptPasswords.layer)
passwordHasherSuite("the tests' hasher", TestPasswordHasher.layer)

it.effect("LINK-21 the cost is in what is stored", () =>
  PasswordHasher.PasswordHasher.use((hasher) =>
    Effect.map(hasher.hash("a"), (stored) => assert.match(stored, /^scrypt:15:8:1:[\w-]{22}:[\w-]{43}$/))
  ).pipe(Effect.provide(ScryptPasswords.layer)))

it.live("LINK-21 those that are too many are told when to call again, and the others are right", () =>
  PasswordHasher.PasswordHasher.use((hasher) =>
    Effect.gen(function*() {
      const stored = yield* hasher.hash("a")
      const results = yield* Effect.forEach(
        Array.from({ length: 45 }),
        (_, at) => Effect.result(hasher.verify(at % 2 === 0 ? "a" : "b", stored)),
        { concurrency: "unbounded" }
      )
      const refused = results.filter(Result.isFailure)
      assert.deepStrictEqual(refused.map(({ failure }) => [failure.code, failure.retryAfterSeconds]), [
        ["unavailable", 3],
        ["unavailable", 3],
        ["unavailable", 3]
      ])
      const done = results.filter(Result.isSuccess).map(({ success }) => success)
      assert.deepStrictEqual(done, done.map((_, at) => at % 2 === 0))
      assert.isTrue(yield* hasher.verify("a", stored))
    })
  ).pipe(Effect.provide(ScryptPasswords.layer)))
