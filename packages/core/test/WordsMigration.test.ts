/** The step that gives tables the names of what is in them: a database of the release before it comes up unharmed. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Layer } from "effect"
import { Database, DatabaseSchema } from "../src/database/Database.ts"
import { steps } from "../src/database/Migrations.ts"
import { migrate } from "../src/Drive.ts"

const accountId = "019845e1-682f-7b02-a706-0000000000a1"
const fileId = "019845e1-682f-7b02-a707-000000000001"

testLayer(TestDatabase.layer, { timeout: "60 seconds" })("Tables with names of what is in them", (it) => {
  it.effect("DB-76 a database of the release before comes up with everything that waits in the renamed tables", () =>
    Effect.gen(function*() {
      const schema = `words_${process.pid}`
      const before = yield* Database
      yield* Effect.addFinalizer(() => Effect.orDie(before.sql`DROP SCHEMA ${before.sql(schema)} CASCADE`))
      yield* before.sql`CREATE SCHEMA ${before.sql(schema)}`
      yield* Effect.gen(function*() {
        const { sql, tables: t } = yield* Database
        const former = (name: string) => sql(`${schema}.${name}`)
        const taken = Object.entries(steps).filter(([name]) => Number.parseInt(name, 10) < 28)
        for (const [, step] of taken) yield* step
        yield* sql`CREATE TABLE ${former("migrations")} (
          migration_id integer PRIMARY KEY NOT NULL, created_at timestamp with time zone NOT NULL DEFAULT now(), name VARCHAR(255) NOT NULL
        )`
        for (const [name] of taken) {
          yield* sql`INSERT INTO ${former("migrations")} (migration_id, name)
            VALUES (${Number.parseInt(name, 10)}, ${name.slice(5)})`
        }
        yield* sql`INSERT INTO ${t.accounts} (id) VALUES (${accountId})`
        yield* sql`
          INSERT INTO ${t.files} (id, account_id, type, file_name, mime_type, size, object_key, store_key, etag, insert_time)
          VALUES (${fileId}, ${accountId}, 'Other', 'x', '', 5, 'users/1', 'f', '', '2026-01-01')
        `
        yield* sql`
          INSERT INTO ${former("doomed_objects")} (bucket, store_key, storage_id, account_id, due_time)
          VALUES ('private', 'k', '', ${accountId}, '2026-01-01')
        `
        yield* sql`
          INSERT INTO ${
          former("file_moves")
        } (file_id, account_id, to_public, store_key, storage_id, parts_done, part_count, insert_time)
          VALUES (${fileId}, ${accountId}, TRUE, 'p', '', 0, 2, '2026-01-01')
        `

        yield* migrate

        const [waiting] = yield* sql<{ readonly key: string }>`SELECT store_key AS key FROM ${t.pending_deletions}`
        const [moving] = yield* sql<{ readonly key: string }>`SELECT store_key AS key FROM ${t.bucket_transfers}`
        assert.deepStrictEqual([waiting?.key, moving?.key], ["k", "p"])
        const left = yield* sql`
          SELECT indexname FROM pg_indexes WHERE schemaname = ${schema} AND (indexname LIKE 'doomed%' OR indexname LIKE 'file_moves%')
        `
        assert.deepStrictEqual(left, [])
      }).pipe(
        Effect.provide(Database.layer.pipe(Layer.provide(Layer.succeed(DatabaseSchema, schema))))
      )
    }))
})
