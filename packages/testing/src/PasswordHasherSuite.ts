/**
 * What every hasher of passwords must do. Run it against each:
 *
 * ```ts
 * passwordHasherSuite("scrypt", ScryptPasswords.layer)
 * ```
 */
import { assert, describe, it } from "@effect/vitest"
import { PasswordHasher } from "@filedrive/core"
import { Effect, Exit, type Layer } from "effect"

export const passwordHasherSuite = <E>(name: string, layer: Layer.Layer<PasswordHasher.PasswordHasher, E>) => {
  const effect = (
    title: string,
    test: (hasher: PasswordHasher.PasswordHasher["Service"]) => Effect.Effect<void, unknown>
  ) => it.effect(title, () => Effect.provide(PasswordHasher.PasswordHasher.use(test), layer))

  describe(`Passwords by ${name}`, () => {
    effect(
      "LINK-20 a hash is that of its password and of no other",
      Effect.fnUntraced(function*(hasher) {
        for (const password of ["a", "Straße 7 🎬", "p".repeat(200), " ", "a:b:c"]) {
          const stored = yield* hasher.hash(password)
          assert.isTrue(yield* hasher.verify(password, stored))
          for (const other of [`${password} `, password.slice(1), password.toUpperCase() + password.toLowerCase()]) {
            assert.isFalse(yield* hasher.verify(other, stored), other)
          }
        }
      })
    )

    effect(
      "LINK-20 each hash has a salt of its own, and does not contain the password",
      Effect.fnUntraced(function*(hasher) {
        const stored = [yield* hasher.hash("correct horse"), yield* hasher.hash("correct horse")]
        assert.notStrictEqual(stored[0], stored[1])
        for (const one of stored) {
          assert.notInclude(one, "horse")
          assert.isAtMost(one.length, 500)
          assert.isTrue(yield* hasher.verify("correct horse", one))
        }
      })
    )

    effect(
      "LINK-20 null is the hash of no password",
      Effect.fnUntraced(function*(hasher) {
        for (const password of ["", "null", "correct horse"]) assert.isFalse(yield* hasher.verify(password, null))
      })
    )

    effect(
      "LINK-20 a stored text that is no hash is a fault, not a wrong password",
      Effect.fnUntraced(function*(hasher) {
        for (const stored of ["", "correct horse", "bcrypt:1:2:3:4:5"]) {
          const exit = yield* Effect.exit(hasher.verify("correct horse", stored))
          assert.isTrue(Exit.isFailure(exit) && Exit.hasDies(exit), stored)
        }
      })
    )
  })
}
