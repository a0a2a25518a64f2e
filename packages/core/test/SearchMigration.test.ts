/** The step that made docs of rows: what was found before is found after. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Layer } from "effect"
import { Database, DatabaseSchema } from "../src/database/Database.ts"
import drive from "../src/database/migrations/0001_drive.ts"
import search from "../src/database/migrations/0002_search.ts"
import organize from "../src/database/migrations/0003_organize.ts"
import feed from "../src/database/migrations/0004_feed.ts"
import media from "../src/database/migrations/0005_media.ts"
import archives from "../src/database/migrations/0006_archives.ts"
import imports from "../src/database/migrations/0007_imports.ts"
import segments from "../src/database/migrations/0008_search_segments.ts"
import revision from "../src/database/migrations/0009_revision.ts"
import { AccountId } from "../src/shared/Ids.ts"
import { docsOfIndex } from "./docsOfIndex.ts"

const [me, other] = ["019845e1-682f-7b02-a706-0000000000aa", "019845e1-682f-7b02-a706-0000000000ab"].map((id) =>
  AccountId.make(id)
) as [AccountId, AccountId]
const fileId = (n: number) => `019845e1-682f-7b02-a707-00000000000${n}`

testLayer(TestDatabase.layer, { timeout: "60 seconds" })("Search, brought to segments", (it) => {
  it.effect("SRCH-6 what files were found by in rows they are found by as docs", () =>
    Effect.gen(function*() {
      const schema = `rows_${process.pid}`
      const before = yield* Database
      yield* Effect.addFinalizer(() => Effect.orDie(before.sql`DROP SCHEMA ${before.sql(schema)} CASCADE`))
      yield* before.sql`CREATE SCHEMA ${before.sql(schema)}`
      yield* Effect.gen(function*() {
        const { sql, tables: t } = yield* Database
        for (const step of [drive, search, organize, feed, media, archives, imports]) yield* step
        yield* sql`INSERT INTO ${t.accounts} (id) VALUES (${me}), (${other})`
        yield* sql`
          INSERT INTO ${t.folders} (id, account_id, name, folded_name, path, folded_path, depth, insert_time)
          VALUES (${fileId(9)}, ${me}, 'A', 'a', '/A', '/a', 1, '2026-01-01')
        `
        yield* sql`
          INSERT INTO ${t.files} (id, account_id, folder_id, type, file_name, mime_type, size, object_key, store_key, etag,
            insert_time)
          SELECT id::uuid, account::uuid, folder::uuid, 'Audio', 'x', '', 0, id, id, '', '2026-01-01' FROM (VALUES
            (${fileId(1)}, ${me}, ${fileId(9)}), (${fileId(2)}, ${me}, NULL), (${fileId(3)}, ${other}, NULL)
          ) AS f (id, account, folder)
        `
        yield* sql`
          INSERT INTO ${
          sql(`${schema}.search_files`)
        } (file_id, account_no, type, key, is_public, duration, tempo, latitude,
            longitude, insert_time, size, taken_time, name_key, lexemes)
          VALUES
            (${fileId(1)}, 1, 2, 19, true, 61.5, 120.25, 48.5, 2.25, '2026-01-02T03:04:05.678Z', 5000000000,
              '2020-02-03T04:05:06.007Z', 'x1', ${`'1:beach' '1:8' '#12' '/1' '1!Audio' '1+'`}::tsvector),
            (${fileId(2)}, 1, 2, NULL, false, NULL, NULL, NULL, NULL, '2026-01-01', 0, NULL, 'x2',
              ${`'1:it''s' '1!Audio' '1-'`}::tsvector),
            (${fileId(3)}, 2, 2, NULL, false, NULL, NULL, NULL, NULL, '2026-01-01', 0, NULL, 'x3', '')
        `
        yield* segments
        yield* revision
        const none = {
          type: 1,
          isPublic: false,
          size: 0,
          folderNo: null,
          taken: null,
          duration: null,
          tempo: null,
          latitude: null,
          longitude: null,
          key: null
        }
        const docs = (yield* docsOfIndex(me)).map((doc) => ({ ...doc, lexemes: doc.lexemes.toSorted() }))
        assert.deepStrictEqual(docs.toSorted((a, b) => a.id < b.id ? -1 : 1) as ReadonlyArray<unknown>, [
          {
            id: fileId(1),
            time: Date.parse("2026-01-02T03:04:05.678Z"),
            type: 1,
            isPublic: true,
            size: 5e9,
            nameKey: "x1",
            folderNo: 1,
            taken: Date.parse("2020-02-03T04:05:06.007Z"),
            duration: 61.5,
            tempo: 120.25,
            latitude: 48.5,
            longitude: 2.25,
            key: 19,
            lexemes: ["#12", "8", "beach"]
          },
          { ...none, id: fileId(2), time: Date.parse("2026-01-01"), nameKey: "x2", lexemes: ["it's"] }
        ])
        assert.lengthOf(yield* docsOfIndex(other), 1)
        const jobs = yield* sql`SELECT key FROM ${t.jobs} WHERE kind = 'search.settle' ORDER BY key`
        assert.deepStrictEqual(jobs, [{ key: me }, { key: other }])
      }).pipe(Effect.provide(Layer.provide(Database.layer, Layer.succeed(DatabaseSchema, schema))))
    }).pipe(Effect.scoped))
})
