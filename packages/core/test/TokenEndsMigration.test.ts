/** The step from which on tokens end when they expire, with what they have: those that were made before, too. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Schema } from "effect"
import tokenEnds from "../src/accounts/0050_token_ends.ts"
import { apiTokenExpiryJob } from "../src/accounts/TokenLifetimes.ts"
import { Database } from "../src/database/Database.ts"
import drive from "../src/database/migrations/0001_drive.ts"
import { inSchemaOfItsOwn } from "./inSchemaOfItsOwn.ts"

const me = "019845e1-682f-7b02-a706-0000000000aa"
const id = (n: number) => `019845e1-682f-7b02-a707-00000000000${n}`

testLayer(TestDatabase.layer, { timeout: "60 seconds" })("Tokens of before", (it) => {
  it.effect("AUTH-61 tokens made before that expire have a job at that time, and a folder with tokens can't be deleted before them", () =>
    Effect.gen(function*() {
      yield* inSchemaOfItsOwn(
        "token_ends",
        Effect.gen(function*() {
          const { sql, tables: t } = yield* Database
          yield* drive
          yield* sql`INSERT INTO ${t.accounts} (id) VALUES (${me})`
          yield* sql`
            INSERT INTO ${t.folders} (id, account_id, name, folded_name, path, folded_path, depth, insert_time)
            VALUES (${id(5)}, ${me}, 'A', 'a', '/A', '/a', 1, '2026-01-01')
          `
          yield* sql`
            INSERT INTO ${t.api_tokens} (id, account_id, name, token_hash, folder_id, insert_time, expire_time)
            VALUES (${id(1)}, ${me}, 'never', '\\x01', ${id(5)}, '2026-01-01', NULL),
              (${id(2)}, ${me}, 'later', '\\x02', NULL, '2026-01-01', '2026-03-01Z')
          `
          yield* tokenEnds
          const jobs = yield* sql<{ readonly kind: string; readonly key: string; readonly time: Date }>`
            SELECT kind, key, run_time AS time FROM ${t.jobs}
          `
          const key = Schema.encodeSync(apiTokenExpiryJob.key)({ accountId: me, id: id(2) } as any)
          assert.deepStrictEqual(jobs, [{ kind: apiTokenExpiryJob.kind, key, time: new Date("2026-03-01T00:00:00Z") }])
          yield* Effect.flip(sql.withTransaction(sql`DELETE FROM ${t.folders}`))
          yield* sql`DELETE FROM ${t.api_tokens}`
          yield* sql`DELETE FROM ${t.folders}`
        })
      )
    }))
})
