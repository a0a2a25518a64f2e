import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { type Duration, Effect, Exit, Result } from "effect"
import { accountsOn, afterWaiting, newAccount, outcome } from "../../test/AccountTurnsTest.ts"
import { Database } from "../database/Database.ts"
import * as StatementTime from "../database/StatementTime.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { AccountTransaction } from "./AccountTransaction.ts"
import { Quota } from "./Quota.ts"

const suite = (database: typeof TestDatabase.layer) => {
  layer(accountsOn(database), { timeout: "60 seconds" })("Changes that are made together", (it) => {
    it.effect("DB-95 changes of one kind that wait at the same time are made together, those of one key one after the other", () =>
      Effect.gen(function*() {
        const id = yield* newAccount
        const { batch, share } = yield* AccountTransaction
        const quota = yield* Quota
        const runs: Array<ReadonlyArray<string>> = []
        const add = batch<string, number, string, never>({
          most: 4,
          keyOf: (item) => item.slice(0, 1),
          isAlike: (one, other) => one.endsWith("!") === other.endsWith("!"),
          run: (accountId, items, balance) => {
            runs.push(items)
            return Effect.as(
              quota.add(accountId, { usedBytes: items.length }),
              items.map((item, at) => item.startsWith("x") ? Result.fail(item) : Result.succeed(balance.usedBytes + at))
            )
          }
        })
        const exits = yield* afterWaiting(
          id,
          ["a", "b", "a2", "x", "c!", "d!", "e", "f"].map((item) => add(id, item)).toSpliced(
            2,
            0,
            share(id, () => Effect.as(quota.add(id, { usedBytes: 100 }), -1))
          )
        )
        const told = exits.map(outcome)
        assert.deepStrictEqual(runs, [["a", "b", "x", "e"], ["a2", "f"], ["c!", "d!"]])
        assert.deepStrictEqual(told, [0, 1, -1, 104, "x", 106, 107, 3, 105])
        assert.strictEqual((yield* quota.balance(id)).usedBytes, 108)
      }))

    it.effect("DB-101 each change runs with what its caller has set, and nothing of another's", () =>
      Effect.gen(function*() {
        const id = yield* newAccount
        const { batch, share } = yield* AccountTransaction
        const seen = Effect.all([WritePurpose.WritePurpose, StatementTime.StatementTime])
        const together = batch<number, readonly [WritePurpose.Purpose, Duration.Duration | null], never, never>({
          most: 2,
          keyOf: String,
          isAlike: () => true,
          run: (_, items) => Effect.map(seen, (set) => items.map(() => Result.succeed(set)))
        })
        // The first one, which also runs those after it, sets both; most of the others set neither.
        const exits = yield* afterWaiting(id, [
          share(id, () => seen).pipe(WritePurpose.freeing, StatementTime.patiently),
          share(id, () => seen),
          StatementTime.patiently(share(id, () => seen)),
          share(id, () => seen),
          together(id, 1),
          WritePurpose.serving(share(id, () => seen)),
          together(id, 2)
        ])
        const long = StatementTime.long
        assert.deepStrictEqual(exits.map(outcome), [
          ["frees", long],
          ["adds", null],
          ["adds", long],
          ["adds", null],
          ["adds", null],
          ["serves", null],
          ["adds", null]
        ])
      }))

    it.effect("DB-96 when changes that are made together fail as a whole, each is made alone", () =>
      Effect.gen(function*() {
        const id = yield* newAccount
        const { batch } = yield* AccountTransaction
        const { sql, tables: t } = yield* Database
        const quota = yield* Quota
        const add = batch<number, number, "refused", never>({
          most: 10,
          keyOf: String,
          isAlike: () => true,
          run: Effect.fnUntraced(function*(accountId, items) {
            yield* quota.add(accountId, { usedBytes: items.length })
            yield* Effect.orDie(
              sql`UPDATE ${t.accounts} SET event_seq = event_seq + ${items.length}::int WHERE id = ${id}`
            )
            if (items.includes(3)) yield* Effect.orDie(sql`SELECT 1 / 0`)
            if (items.includes(5)) return yield* Effect.fail("refused" as const)
            return items.map((item) => Result.succeed(item))
          })
        })
        // Once as the first of a transaction, once as one that follows in it.
        for (const first of [add(id, 0), Effect.succeed(0)]) {
          const exits = yield* afterWaiting(id, [first, ...[1, 2, 3, 4, 5, 6].map((item) => add(id, item))])
          assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, true, false, true, false, true])
          assert.strictEqual(outcome(exits[5]!), "refused")
        }
        assert.strictEqual((yield* quota.balance(id)).usedBytes, 9)
        const [row] = yield* sql<
          { readonly seq: number }
        >`SELECT event_seq::int AS seq FROM ${t.accounts} WHERE id = ${id}`
        assert.strictEqual(row!.seq, 9)
      }))
  })
}

suite(TestDatabase.layerMemory)
suite(TestDatabase.layerPostgres)
