/** Changes of an account that the database gives up to end a deadlock. */
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Deferred, Effect, Exit, Fiber, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlError } from "effect/sql"
import { begin, holding, newAccount } from "../../test/AccountTurnsTest.ts"
import { AccountTransaction } from "./AccountTransaction.ts"
import { Quota } from "./Quota.ts"

const deadlock = Effect.die(
  new SqlError.SqlError({
    reason: new SqlError.DeadlockError({ cause: new Error("deadlock detected"), message: "", operation: "execute" })
  })
)

const Accounts = AccountTransaction.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(TestDatabase.layerMemory, SecureRandom.layerWebCrypto))
)

layer(Accounts, { timeout: "60 seconds" })("Deadlocks", (it) => {
  it.effect("DB-100 a change that the database gives up to end a deadlock is made again", () =>
    Effect.gen(function*() {
      const id = yield* newAccount
      const { run, share } = yield* AccountTransaction
      const quota = yield* Quota
      const end = yield* Deferred.make<void>()
      const holder = yield* holding(id, end)
      const fibers = yield* begin([share, run, share].map((kind, at) => {
        let attempts = 0
        return kind(
          id,
          () =>
            Effect.andThen(
              quota.add(id, { usedBytes: 10 ** at }),
              Effect.suspend(() => ++attempts < 3 ? deadlock : Effect.succeed(attempts))
            )
        )
      }))
      const never = yield* begin([share(id, () => deadlock)])
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(holder)
      assert.deepStrictEqual(yield* Fiber.joinAll(fibers), [Exit.succeed(3), Exit.succeed(3), Exit.succeed(3)])
      assert.strictEqual((yield* quota.balance(id)).usedBytes, 111)
      // Not without end.
      assert.isTrue(Exit.isFailure((yield* Fiber.joinAll(never))[0]!))
    }))

  it.effect("DB-100 so is each of those that were made together", () =>
    Effect.gen(function*() {
      const id = yield* newAccount
      const { batch } = yield* AccountTransaction
      const quota = yield* Quota
      const together: Array<number> = []
      const add = batch<number, number, never, never>({
        most: 10,
        keyOf: String,
        isAlike: () => true,
        run: (accountId, items) =>
          Effect.gen(function*() {
            together.push(items.length)
            yield* quota.add(accountId, { usedBytes: items.reduce((sum, item) => sum + item, 0) })
            return together.length < 3 ? yield* deadlock : items.map((item) => Result.succeed(item))
          })
      })
      const end = yield* Deferred.make<void>()
      const holder = yield* holding(id, end)
      const fibers = yield* begin([1, 10, 100].map((item) => add(id, item)))
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(holder)
      assert.deepStrictEqual(yield* Fiber.joinAll(fibers), [1, 10, 100].map(Exit.succeed))
      assert.strictEqual(together[0], 3)
      assert.strictEqual((yield* quota.balance(id)).usedBytes, 111)
    }))
})
