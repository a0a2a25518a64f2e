/** How PostgreSQL reads files by their ids before it has any statistics of the table. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
import { byIds } from "../src/database/ByIds.ts"
import { Database } from "../src/database/Database.ts"
import { addManyFiles } from "./addManyFiles.ts"
import { layer, newAccount } from "./FilesTest.ts"

testLayer(layer(TestDatabase.layerPostgresNew), { timeout: "60 seconds" })("Plans by ids", (it) => {
  it.effect("DB-116 rows that are named by their ids are found by them, not among all rows of their account", () =>
    Effect.gen(function*() {
      const database = yield* Database
      const { sql, tables: t } = database
      const me = yield* newAccount
      const ids = yield* addManyFiles(me, 5_000)
      const plan = yield* sql<{ readonly "QUERY PLAN": string }>`
        EXPLAIN SELECT f.id FROM ${t.files} f WHERE ${byIds(database, "f", me, ids.slice(0, 20))}
      `
      const text = plan.map((line) => line["QUERY PLAN"]).join("\n")
      assert.include(text, "files_pkey")
      assert.notInclude(text, "Index Cond: (account_id")
      const other = yield* newAccount
      const found = (accountId: typeof me) =>
        sql`SELECT f.id FROM ${t.files} f WHERE ${byIds(database, "f", accountId, ids.slice(0, 20))}`
      assert.lengthOf(yield* found(me), 20)
      assert.lengthOf(yield* found(other), 0)
    }))
})
