/** Changes of an account that the database rolls back to end a conflict with others. */
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Exit, Result } from "effect"
import { SqlError } from "effect/sql"
import { accountsOn, afterWaiting, newAccount } from "../../test/AccountTurnsTest.ts"
import { AccountTransaction } from "./AccountTransaction.ts"
import { Quota } from "./Quota.ts"

const rolledBack = (Reason: typeof SqlError.DeadlockError | typeof SqlError.SerializationError) =>
  Effect.die(
    new SqlError.SqlError({
      reason: new Reason({ cause: new Error("the transaction was rolled back"), message: "", operation: "execute" })
    })
  )
const deadlock = rolledBack(SqlError.DeadlockError)
const notSerialized = rolledBack(SqlError.SerializationError)

layer(accountsOn(TestDatabase.layerMemory), { timeout: "60 seconds" })("Deadlocks", (it) => {
  it.effect("DB-100 a change that the database rolls back to end a conflict is tried again", () =>
    Effect.gen(function*() {
      const id = yield* newAccount
      const { run, share } = yield* AccountTransaction
      const quota = yield* Quota
      const often = [share, run, share].map((kind, at) => {
        let attempts = 0
        return kind(
          id,
          () =>
            Effect.andThen(
              quota.add(id, { usedBytes: 10 ** at }),
              Effect.suspend(() => ++attempts < 3 ? at === 0 ? notSerialized : deadlock : Effect.succeed(attempts))
            )
        )
      })
      const [always, ...exits] = (yield* afterWaiting(id, [...often, share(id, () => deadlock)])).toReversed()
      assert.deepStrictEqual(exits, [Exit.succeed(3), Exit.succeed(3), Exit.succeed(3)])
      assert.strictEqual((yield* quota.balance(id)).usedBytes, 111)
      // But not for ever.
      assert.isTrue(Exit.isFailure(always!))
    }))

  it.effect("DB-100 so is each change of those that were made together", () =>
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
      const exits = yield* afterWaiting(id, [1, 10, 100].map((item) => add(id, item)))
      assert.deepStrictEqual(exits, [1, 10, 100].map(Exit.succeed))
      assert.strictEqual(together[0], 3)
      assert.strictEqual((yield* quota.balance(id)).usedBytes, 111)
    }))
})
