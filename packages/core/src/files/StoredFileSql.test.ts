/** Files that are read as values. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
import { addFile, layer, newAccount } from "../../test/FilesTest.ts"
import { Database } from "../database/Database.ts"
import type { StoredFile } from "./StoredFile.ts"
import * as StoredFileSql from "./StoredFileSql.ts"

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Rows of files", (it) => {
  it.effect("GEN-41 a file that is read as values is the one that is read as a row", () =>
    Effect.gen(function*() {
      const database = yield* Database
      const { sql } = database
      const me = yield* newAccount
      const id = yield* addFile(me, { type: "Image", mimeType: "image/png" })
      const select = sql<StoredFile>`
        SELECT ${StoredFileSql.columns(database)} FROM ${
        StoredFileSql.from(database)
      } WHERE f.account_id = ${me} AND f.id = ${id}
      `
      const [row] = yield* select
      const [values] = yield* select.values
      assert.deepStrictEqual<ReadonlyArray<string>>(StoredFileSql.names, Object.keys(row!))
      assert.deepStrictEqual(StoredFileSql.ofValues(["another column", ...values!], 1), row!)
    }))
})
