/** The step from which on forms hold their bytes: what was issued before holds them too, once for each key. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
import { Database } from "../src/database/Database.ts"
import drive from "../src/database/migrations/0001_drive.ts"
import forms from "../src/database/migrations/0013_forms.ts"
import { AccountId } from "../src/shared/Ids.ts"
import { inSchemaOfItsOwn } from "./inSchemaOfItsOwn.ts"

const [me, other] = ["019845e1-682f-7b02-a706-0000000000aa", "019845e1-682f-7b02-a706-0000000000ab"].map((id) =>
  AccountId.make(id)
) as [AccountId, AccountId]
const id = (n: number) => `019845e1-682f-7b02-a707-00000000000${n}`

testLayer(TestDatabase.layer, { timeout: "60 seconds" })("Forms, brought to hold their bytes", (it) => {
  it.effect("UP-61 of forms issued before, the newest of each key that is no file's holds its bytes", () =>
    Effect.gen(function*() {
      yield* inSchemaOfItsOwn(
        "forms",
        Effect.gen(function*() {
          const { sql, tables: t } = yield* Database
          yield* drive
          yield* sql`INSERT INTO ${t.accounts} (id, held_bytes) VALUES (${me}, 1000), (${other}, 0)`
          yield* sql`
            INSERT INTO ${t.files} (id, account_id, type, file_name, mime_type, size, object_key, store_key, etag, insert_time)
            VALUES (${id(9)}, ${me}, 'Other', 'x', '', 5, 'users/filed', 'f', '', '2026-01-01')
          `
          yield* sql`
            INSERT INTO ${t.upload_forms} (id, account_id, object_key, store_key, size, insert_time, expire_time)
            SELECT id::uuid, account::uuid, key, id, size, issued::timestamptz, '2026-01-09' FROM (VALUES
              (${id(1)}, ${me}, 'users/a', 10, '2026-01-01'), (${id(2)}, ${me}, 'users/a', 20, '2026-01-02'),
              (${id(3)}, ${me}, 'users/b', 40, '2026-01-02'), (${id(4)}, ${me}, 'users/b', 80, '2026-01-02'),
              (${id(5)}, ${me}, 'users/filed', 160, '2026-01-02'), (${id(6)}, ${other}, 'users/a', 320, '2026-01-01')
            ) AS f (id, account, key, size, issued)
          `
          yield* forms
          const open = yield* sql<{ readonly id: string }>`
            SELECT id FROM ${t.upload_forms} WHERE state = 'open' ORDER BY id
          `
          assert.deepStrictEqual(open.map((row) => row.id), [id(2), id(4), id(6)])
          const held = yield* sql<{ readonly bytes: number }>`
            SELECT held_bytes::float8 AS bytes FROM ${t.accounts} ORDER BY id
          `
          assert.deepStrictEqual(held.map((row) => row.bytes), [1100, 320])
        })
      )
    }))
})
