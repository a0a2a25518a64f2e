import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { accountsOn, afterWaiting, begin, holding, newAccount, outcome, revision } from "../../test/AccountTurnsTest.ts"
import { Database } from "../database/Database.ts"
import { AccountTransaction } from "./AccountTransaction.ts"
import { Quota } from "./Quota.ts"

const suite = (database: typeof TestDatabase.layer) => {
  layer(accountsOn(database), { timeout: "60 seconds" })("Transactions of an account", (it) => {
    it.effect("DB-95 changes that wait for the same account share one transaction, and are answered after its commit", () =>
      Effect.gen(function*() {
        const id = yield* newAccount
        const { share } = yield* AccountTransaction
        const quota = yield* Quota
        const before = yield* revision(id)
        const seen: Array<number> = []
        const exits = yield* afterWaiting(
          id,
          Array.from({ length: 10 }, (_, at) =>
            share(id, (balance) =>
              Effect.gen(function*() {
                seen.push(balance.usedBytes)
                yield* quota.add(id, { usedBytes: at + 1 })
                return at
              })).pipe(
                Effect.tap(() => Effect.map(quota.balance(id), (held) => assert.strictEqual(held.usedBytes, 55)))
              ))
        )
        assert.deepStrictEqual(exits, Array.from({ length: 10 }, (_, at) => Exit.succeed(at)))
        // Each sees what those before it have counted.
        assert.deepStrictEqual(seen, [0, 1, 3, 6, 10, 15, 21, 28, 36, 45])
        // The holder's transaction, and one for all ten.
        assert.strictEqual((yield* revision(id)) - before, 2)
      }))

    it.effect("DB-96 when one fails, its own rows and counts are rolled back, and those of the others stay", () =>
      Effect.gen(function*() {
        const id = yield* newAccount
        const { run, share } = yield* AccountTransaction
        const { sql, tables: t } = yield* Database
        const quota = yield* Quota
        const event = sql`UPDATE ${t.accounts} SET event_seq = event_seq + 1 WHERE id = ${id}`
        const fails = new Set([2, 4, 5])
        const exits = yield* afterWaiting(
          id,
          Array.from({ length: 7 }, (_, at) =>
            share(id, () =>
              Effect.gen(function*() {
                yield* event
                yield* quota.add(id, { usedBytes: 10 ** at, heldBytes: 1 })
                // Nothing of a nested savepoint that fails stays either.
                yield* run(id, () => Effect.andThen(quota.add(id, { usedBytes: 5 }), Effect.fail("inner"))).pipe(
                  Effect.exit
                )
                if (at === 4) yield* Effect.orDie(sql`SELECT 1 / 0`)
                if (at === 5) return yield* Effect.interrupt
                return at === 2 ? yield* Effect.fail("refused" as const) : at
              })))
        )
        assert.deepStrictEqual(exits.map(Exit.isSuccess), exits.map((_, at) => !fails.has(at)))
        assert.strictEqual(outcome(exits[2]!), "refused")
        assert.deepStrictEqual(yield* quota.balance(id), { usedBytes: 1_001_011, heldBytes: 4 })
        const [row] = yield* sql<
          { readonly seq: number }
        >`SELECT event_seq::int AS seq FROM ${t.accounts} WHERE id = ${id}`
        assert.strictEqual(row!.seq, 4)
      }))

    it.effect("DB-96 the first of them fails alone, and the others follow in another transaction", () =>
      Effect.gen(function*() {
        const id = yield* newAccount
        const { share } = yield* AccountTransaction
        const quota = yield* Quota
        const exits = yield* afterWaiting(
          id,
          Array.from(
            { length: 4 },
            (_, at) =>
              share(
                id,
                () => Effect.andThen(quota.add(id, { usedBytes: 1 }), at < 2 ? Effect.fail(at) : Effect.succeed(at))
              )
          )
        )
        assert.deepStrictEqual(exits.map(outcome), [0, 1, 2, 3])
        assert.strictEqual((yield* quota.balance(id)).usedBytes, 2)
      }))

    it.effect("DB-97 when the commit fails, the calls of all who share it fail, and none of their changes is stored", () =>
      Effect.gen(function*() {
        const id = yield* newAccount
        const { share } = yield* AccountTransaction
        const { sql } = yield* Database
        const quota = yield* Quota
        const exits = yield* afterWaiting(
          id,
          Array.from({ length: 3 }, (_, at) =>
            share(id, () =>
              Effect.gen(function*() {
                yield* quota.add(id, { usedBytes: 1 })
                if (at !== 1) return at
                // A constraint that is checked by the commit.
                yield* Effect.orDie(sql`CREATE TEMPORARY TABLE parent (id int PRIMARY KEY) ON COMMIT DROP`)
                yield* Effect.orDie(
                  sql`CREATE TEMPORARY TABLE child (id int REFERENCES parent DEFERRABLE INITIALLY DEFERRED) ON COMMIT DROP`
                )
                yield* Effect.orDie(sql`INSERT INTO child VALUES (1)`)
                return at
              })))
        )
        assert.deepStrictEqual(exits.map(Exit.isFailure), [true, true, true])
        assert.strictEqual((yield* quota.balance(id)).usedBytes, 0)
      }))

    it.effect("DB-98 a caller that leaves before its turn changes nothing; one that leaves later does not delay others", () =>
      Effect.gen(function*() {
        const id = yield* newAccount
        const { share } = yield* AccountTransaction
        const quota = yield* Quota
        const end = yield* Deferred.make<void>()
        const holder = yield* holding(id, end)
        const add = (usedBytes: number) => share(id, () => quota.add(id, { usedBytes }))
        const inside = yield* Deferred.make<void>()
        const more = yield* Deferred.make<void>()
        const slow = share(id, () =>
          quota.add(id, { usedBytes: 100 }).pipe(
            Effect.andThen(Deferred.succeed(inside, undefined)),
            Effect.andThen(Deferred.await(more))
          ))
        const [, gone, begun, last] = yield* begin([add(1), add(10), slow, add(1_000)])
        yield* Fiber.interrupt(gone!)
        yield* Deferred.succeed(end, undefined)
        yield* Fiber.join(holder)
        yield* Deferred.await(inside)
        // Its caller needn't wait for it any longer.
        yield* Fiber.interrupt(begun!)
        yield* Deferred.succeed(more, undefined)
        yield* Fiber.join(last!)
        assert.strictEqual((yield* quota.balance(id)).usedBytes, 1_101)
      }))

    it.effect("DB-99 those who wait for an account hold no connection, so other accounts are served meanwhile", () =>
      Effect.gen(function*() {
        const id = yield* newAccount
        const other = yield* newAccount
        const { run, share } = yield* AccountTransaction
        const quota = yield* Quota
        const end = yield* Deferred.make<void>()
        const begun = yield* Deferred.make<void>()
        const holder = yield* Effect.forkChild(
          run(id, () => Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(end)))
        )
        yield* Deferred.await(begun)
        const waiting = yield* begin(
          Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? run : share)(id, () => quota.add(id, { heldBytes: 1 })))
        )
        // The embedded database has one session, and the holder uses it.
        if (database !== TestDatabase.layerMemory) {
          yield* run(other, () => quota.add(other, { usedBytes: 7 }))
          assert.strictEqual((yield* quota.balance(other)).usedBytes, 7)
        }
        yield* Deferred.succeed(end, undefined)
        yield* Fiber.join(holder)
        yield* Fiber.joinAll(waiting)
        assert.strictEqual((yield* quota.balance(id)).heldBytes, 60)
      }))
  })
}

suite(TestDatabase.layerMemory)
suite(TestDatabase.layerPostgres)
