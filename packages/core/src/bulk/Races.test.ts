/** Imports among others, each in a session of its own. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Array as Arr, Effect } from "effect"
import { addFile, as, newAccount } from "../../test/FilesTest.ts"
import { listed, rows, run, withImport } from "../../test/ImportTest.ts"
import { Quota } from "../accounts/Quota.ts"
import { Database } from "../database/Database.ts"
import { Collections } from "../organize/Collections.ts"

testLayer(withImport(TestDatabase.layerPostgres), { timeout: "120 seconds" })("BulkImport among others", (it) => {
  it.effect("BULK-3 imports of the same rows at once, with inserts between, record each once and charge it once", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const me = yield* newAccount
      const given = rows(me, 3_000, { folder: "/In/Deep", tags: ["one", "two"] })
      const all = yield* Effect.all([
        run(me, given),
        run(me, given.toReversed()),
        run(me, given.slice(500, 1_800)),
        ...Arr.makeBy(20, () => Effect.as(addFile(me), undefined))
      ], { concurrency: "unbounded" })
      const recorded = all.reduce((sum, progress) => sum + (progress?.recorded ?? 0), 0)
      assert.strictEqual(recorded, 3_000)
      assert.strictEqual((yield* listed(me)).length, 3_020)
      const { usedBytes } = yield* Effect.flatMap(Quota, (quota) => quota.balance(me))
      assert.strictEqual(usedBytes, 30_200)
      const collections = yield* Effect.flatMap(Collections, (found) => found.select).pipe(as(me))
      assert.deepStrictEqual(collections.tags.map(({ fileCount }) => fileCount), [3_000, 3_000])
      assert.deepStrictEqual(collections.folders.map(({ fileCount }) => fileCount), [0, 3_000])
      const [feed] = yield* sql<{ readonly events: number; readonly last: number }>`
        SELECT count(*)::int AS events, max(seq)::float8 AS last FROM ${t.events} WHERE account_id = ${me}
      `
      assert.deepStrictEqual(feed, { events: 3_020, last: 3_020 })
    }))
})
