/** The step that orders the events of all accounts, on a database of the release before it. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
import { Database } from "../src/database/Database.ts"
import { steps } from "../src/database/Migrations.ts"
import driveFeed from "../src/database/migrations/0030_drive_feed.ts"
import { inSchemaOfItsOwn } from "./inSchemaOfItsOwn.ts"

testLayer(TestDatabase.layer, { timeout: "60 seconds" })("Events of an earlier release", (it) => {
  it.effect("FEED-26 events of an earlier release come first, account by account, and rewrite no row", () =>
    Effect.gen(function*() {
      yield* inSchemaOfItsOwn(
        "drive_feed",
        Effect.gen(function*() {
          const { schema, sql, tables: t } = yield* Database
          for (const [step, change] of Object.entries(steps)) {
            if (Number.parseInt(step, 10) < 30) yield* change
          }
          const [ada, ben] = ["019845e1-682f-7b02-a706-0000000000a1", "019845e1-682f-7b02-a706-0000000000b1"]
          const add = (account: string, seq: number) =>
            sql`INSERT INTO ${t.events} (account_id, seq, id, kind, time, payload)
              VALUES (${account}, ${seq}::int, gen_random_uuid(), 'file', '2026-01-01', '{}')`
          for (const [account, seq] of [[ben, 1], [ada, 1], [ben, 2]] as const) yield* add(account, seq)
          const whereItIs = sql<
            { readonly file: string }
          >`SELECT pg_relation_filenode(${`${schema}.events`}::regclass)::text AS file`
          const file = yield* whereItIs
          yield* driveFeed
          assert.deepStrictEqual(yield* whereItIs, file)
          yield* add(ada, 2)
          const read = yield* sql<{ readonly account: string; readonly seq: number; readonly isOld: boolean }>`
            SELECT account_id AS account, seq::float8 AS seq, order_no = 0 AS "isOld" FROM ${t.events}
            ORDER BY order_no, account_id, seq
          `
          assert.deepStrictEqual(read.map(({ account, isOld, seq }) => [account, seq, isOld]), [
            [ada, 1, true],
            [ben, 1, true],
            [ben, 2, true],
            [ada, 2, false]
          ])
        })
      )
    }))
})
