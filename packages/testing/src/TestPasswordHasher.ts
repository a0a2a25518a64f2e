/** A {@link PasswordHasher} for tests: as quick as it is weak. */
import { PasswordHasher } from "@filedrive/core"
import { Effect, Layer } from "effect"

/** 32 bits by FNV-1a. */
const digest = (text: string): string => {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0
  return hash.toString(16)
}

export const layer: Layer.Layer<PasswordHasher.PasswordHasher> = Layer.sync(PasswordHasher.PasswordHasher, () => {
  let salts = 0
  return PasswordHasher.PasswordHasher.of({
    hash: (password) =>
      Effect.sync(() => {
        const salt = (salts++).toString(36)
        return `test:${salt}:${digest(`${salt} ${password}`)}`
      }),
    verify: (password, stored) =>
      Effect.sync(() => {
        if (stored === null) return false
        const [kind, salt, hash] = stored.split(":")
        if (kind !== "test") throw new Error("A stored password hash is not one of the test's.")
        return digest(`${salt} ${password}`) === hash
      })
  })
})
