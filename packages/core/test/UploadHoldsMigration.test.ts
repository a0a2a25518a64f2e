/** The step from which on an upload's row has what it holds: what the account held for uploads before is theirs. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
import { Database } from "../src/database/Database.ts"
import drive from "../src/database/migrations/0001_drive.ts"
import uploadHolds from "../src/database/migrations/0029_upload_holds.ts"
import { inSchemaOfItsOwn } from "./inSchemaOfItsOwn.ts"

const me = "019845e1-682f-7b02-a706-0000000000aa"
const id = (n: number) => `019845e1-682f-7b02-a707-00000000000${n}`

testLayer(TestDatabase.layer, { timeout: "60 seconds" })("Uploads, brought to know what they hold", (it) => {
  it.effect("UP-106 uploads opened before that are no files hold their size, ended ones nothing", () =>
    Effect.gen(function*() {
      yield* inSchemaOfItsOwn(
        "holds",
        Effect.gen(function*() {
          const { sql, tables: t } = yield* Database
          yield* drive
          yield* sql`INSERT INTO ${t.accounts} (id) VALUES (${me})`
          yield* sql`
            INSERT INTO ${t.uploads} (id, account_id, object_key, store_key, storage_id, state, file_name, type, mime_type,
              size, insert_time, last_part_time, file_id)
            SELECT id::uuid, ${me}, id, id, '', state, 'x', 'Other', '', size, '2026-01-01', '2026-01-01', file::uuid
            FROM (VALUES
              (${id(1)}, 'open', 10, NULL), (${id(2)}, 'complete', 20, NULL), (${id(3)}, 'complete', 40, ${id(9)}),
              (${id(4)}, 'gone', 80, NULL)
            ) AS u (id, state, size, file)
          `
          yield* uploadHolds
          const held = yield* sql<{ readonly held: number }>`SELECT held::float8 AS held FROM ${t.uploads} ORDER BY id`
          assert.deepStrictEqual(held.map((row) => row.held), [10, 20, 0, 0])
        })
      )
    }))
})
