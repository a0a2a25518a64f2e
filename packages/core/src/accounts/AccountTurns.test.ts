import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Deferred, Effect, Fiber } from "effect"
import { accountsOn, newAccount } from "../../test/AccountTurnsTest.ts"
import { AccountTransaction } from "./AccountTransaction.ts"

layer(accountsOn(TestDatabase.layerMemory), { timeout: "60 seconds" })("Changes that share a transaction", (it) => {
  it.effect("DB-95 changes that fail count towards how many share one, so callers that repeat them do not delay others", () =>
    Effect.gen(function*() {
      const { share } = yield* AccountTransaction
      const id = yield* newAccount
      const othersWait = yield* Deferred.make<void>()
      let failures = 0
      const first = yield* Effect.forkChild(
        Effect.map(share(id, () => Deferred.await(othersWait)), () => failures),
        { startImmediately: true }
      )
      const failing = Effect.exit(share(id, () => Effect.suspend(() => Effect.fail(++failures))))
      const repeated = Effect.repeat(failing, { while: () => failures < 500 })
      const others = yield* Effect.forEach(
        [repeated, repeated, repeated],
        (one) => Effect.forkChild(one, { startImmediately: true })
      )
      yield* Deferred.succeed(othersWait, undefined)
      assert.isBelow(yield* Fiber.join(first), 100)
      yield* Fiber.joinAll(others)
    }))
})
