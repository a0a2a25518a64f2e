/** What one account's objects that are to be removed cost another. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { DateTime, Effect } from "effect"
import { Statement } from "effect/sql"
import { layer, newAccount } from "../../test/FilesTest.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Database } from "../database/Database.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { PendingDeletionKey } from "./PendingDeletion.ts"
import { PendingDeletions } from "./PendingDeletions.ts"
import { PendingDeletionsRepo } from "./PendingDeletionsRepo.ts"

const count = 3_000

const keysOf = (account: AccountId, length = count): ReadonlyArray<PendingDeletionKey> =>
  Array.from({ length }, (_, n) => ({
    bucket: "private",
    storeKey: `files/${account}/${String(n).padStart(6, "0")}`,
    storageId: ""
  }))

const first: PendingDeletionKey = { bucket: "private", storeKey: "", storageId: "" }

/** The plan of a look for the account's next objects, as it was carried out. */
const planOf = Effect.fnUntraced(function*(account: AccountId, now: DateTime.Utc) {
  const repo = yield* PendingDeletionsRepo
  let plan = ""
  yield* repo.takeNext(account, first, now, 100).pipe(
    Effect.provideService(Statement.CurrentTransformer, (statement, sql) =>
      Effect.sync(() => {
        const [text, values] = statement.compile()
        return sql.unsafe(`EXPLAIN (ANALYZE, BUFFERS) ${text}`, values)
      })),
    Effect.tap((rows) => Effect.sync(() => plan = JSON.stringify(rows)))
  )
  return plan
})

const analyze = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  yield* sql`ANALYZE ${t.pending_deletions}`
})

const repository = PendingDeletionsRepo.layer

testLayer(layer(TestDatabase.layerNew), { timeout: "60 seconds" })("Objects that are to be removed", (it) => {
  it.effect("DB-56 those of other accounts are not gone through, wherever their keys are", () =>
    Effect.gen(function*() {
      const repo = yield* PendingDeletionsRepo
      const accounts = [yield* newAccount, yield* newAccount].sort()
      const now = yield* DateTime.now
      for (const account of accounts) yield* repo.insert(account, keysOf(account), now)
      yield* analyze
      const plan = yield* planOf(accounts[1]!, now)
      assert.notMatch(plan, /Rows Removed by Filter: [1-9]/)
    }).pipe(Effect.provide(repository)))
})

// By name: on a server, a transaction that began before and has not ended keeps places from being marked.
testLayer(layer(TestDatabase.layerMemory), { timeout: "60 seconds" })("Objects that were removed", (it) => {
  it.effect("DB-74 a look for the next of an account's objects passes over the rows of those that are gone", () =>
    Effect.gen(function*() {
      const deletions = yield* PendingDeletions
      const transaction = yield* AccountTransaction
      const me = yield* newAccount
      const now = yield* DateTime.now
      const keys = keysOf(me, 10_000)
      for (let at = 0; at < keys.length; at += 200) {
        const some = keys.slice(at, at + 200)
        yield* transaction.run(me, () => deletions.schedule(me, some, now))
        assert.isTrue(yield* deletions.removeNow(me, some))
      }
      const plan = yield* planOf(me, now)
      const pages = Number(/Buffers: shared hit=(\d+)/.exec(plan)![1])
      assert.isBelow(pages, keys.length / 30, plan)
    }).pipe(Effect.provide(repository)))
})
