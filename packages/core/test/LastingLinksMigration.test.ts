/** The step from which on a trashed file's lasting link answers nobody: what was in trash before is looked after too. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
import { Database } from "../src/database/Database.ts"
import drive from "../src/database/migrations/0001_drive.ts"
import lastingLinks from "../src/database/migrations/0019_lasting_links.ts"
import { inSchemaOfItsOwn } from "./inSchemaOfItsOwn.ts"

const account = (n: number) => `019845e1-682f-7b02-a706-0000000000a${n}`

testLayer(TestDatabase.layer, { timeout: "60 seconds" })("Lasting links, brought to follow trash", (it) => {
  it.effect("DL-11 accounts with public files in trash have them looked after, others don't", () =>
    Effect.gen(function*() {
      yield* inSchemaOfItsOwn(
        "links",
        Effect.gen(function*() {
          const { sql, tables: t } = yield* Database
          yield* drive
          for (const n of [1, 2, 3]) yield* sql`INSERT INTO ${t.accounts} (id) VALUES (${account(n)})`
          yield* sql`
            INSERT INTO ${t.files} (id, account_id, type, file_name, mime_type, size, object_key, store_key, etag,
              insert_time, is_public, trash_time)
            SELECT ('019845e1-682f-7b02-a707-00000000000' || n)::uuid, account::uuid, 'Other', 'x', '', 5, 'users/' || n,
              'f' || n, '', '2026-01-01', is_public, trash_time::timestamptz
            FROM (VALUES
              (1, ${account(1)}, TRUE, '2026-01-02'), (2, ${account(1)}, TRUE, '2026-01-03'),
              (3, ${account(2)}, TRUE, NULL), (4, ${account(3)}, FALSE, '2026-01-02')
            ) AS f (n, account, is_public, trash_time)
          `
          yield* lastingLinks
          const jobs = yield* sql<{ readonly key: string }>`SELECT key FROM ${t.jobs} WHERE kind = 'files.links'`
          assert.deepStrictEqual(jobs.map(({ key }) => key), [account(1)])
        })
      )
    }))
})
