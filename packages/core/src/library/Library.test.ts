import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import {
  addDerivative,
  addFile,
  addFolder,
  as,
  checkBooks,
  layer,
  newAccount,
  quotaBytes
} from "../../test/FilesTest.ts"
import { Quota } from "../accounts/Quota.ts"
import { Database } from "../database/Database.ts"
import usageStep from "../database/migrations/0010_usage.ts"
import { FileAccess } from "../files/FileAccess.ts"
import { Trash } from "../files/Trash.ts"
import type { AccountId } from "../shared/Ids.ts"
import { Library, type Listing } from "./Library.ts"

const read = (listing: Listing) => Effect.map(Stream.runCollect(listing), (pages) => pages.flat())

const ids = Effect.fnUntraced(function*(scope: "files" | "trash", me: AccountId, limits = {}) {
  const library = yield* Library
  return (yield* library.list(scope).pipe(as(me, limits), Effect.flatMap(read))).map((record) => record.id)
})

/** Many files by SQL alone: their bytes don't matter here. */
const addMany = Effect.fnUntraced(function*(me: AccountId, count: number) {
  const { sql, tables: t } = yield* Database
  yield* sql`
    INSERT INTO ${t.files} (id, account_id, type, file_name, mime_type, size, object_key, store_key, etag, insert_time)
    SELECT gen_random_uuid(), ${me}, 'Text', 'f' || n, 'text/plain', 0, 'k' || n, ${me}::text || n, 'e',
      to_timestamp(n / 10)
    FROM generate_series(1, ${count}::int) n
  `
})

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Library", (it) => {
  it.effect("LIB-1 LIB-2 LIB-6 the caller's files, newest first, without trash, derivatives and other people's", () =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const [me, other] = [yield* newAccount, yield* newAccount]
      const first = yield* addFile(me)
      yield* TestClock.adjust("1 second")
      const second = yield* addFile(me)
      const third = yield* addFile(me)
      yield* addDerivative(me, first)
      yield* addFile(other)
      assert.deepStrictEqual(yield* ids("files", me), [third, second, first])
      yield* trash.put([second]).pipe(as(me))
      assert.deepStrictEqual(yield* ids("files", me), [third, first])
      assert.deepStrictEqual(yield* ids("files", yield* newAccount), [])
    }))

  it.effect("TR-3 the trash, what was put there last first", () =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const me = yield* newAccount
      const [a, b, c] = [yield* addFile(me), yield* addFile(me), yield* addFile(me)]
      for (const id of [b, c, a]) {
        yield* trash.put([id]).pipe(as(me))
        yield* TestClock.adjust("1 second")
      }
      assert.deepStrictEqual(yield* ids("trash", me), [a, c, b])
      yield* trash.restore([c]).pipe(as(me))
      assert.deepStrictEqual(yield* ids("trash", me), [a, b])
    }))

  it.effect("LIB-4 a public file is listed with its lasting link, a private one and one in trash without", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const trash = yield* Trash
      const library = yield* Library
      const me = yield* newAccount
      const [open, hidden] = [yield* addFile(me), yield* addFile(me)]
      const { downloadUrl } = yield* access.toggle(open).pipe(as(me))
      const links = (scope: "files" | "trash") =>
        library.list(scope).pipe(
          as(me),
          Effect.flatMap(read),
          Effect.map((records) => new Map(records.map((record) => [record.id, record.downloadUrl])))
        )
      assert.deepStrictEqual(yield* links("files"), new Map([[open, downloadUrl], [hidden, null]]))
      yield* trash.put([open]).pipe(as(me))
      assert.deepStrictEqual(yield* links("trash"), new Map([[open, null]]))
    }))

  it.effect("LIB-5 every file of many equally old ones is listed once, page by page", () =>
    Effect.gen(function*() {
      const library = yield* Library
      const me = yield* newAccount
      yield* addMany(me, 3_333)
      const pages = yield* library.list("files").pipe(as(me), Effect.flatMap(Stream.runCollect))
      assert.deepStrictEqual(pages.map((page) => page.length), [100, 1_000, 1_000, 1_000, 233])
      const records = pages.flat()
      assert.strictEqual(new Set(records.map((record) => record.id)).size, 3_333)
      const times = records.map((record) => record.insertTime)
      assert.deepStrictEqual(times, times.toSorted().toReversed())
    }))

  it.effect("LIB-7 files that come and go while a list is read neither double nor hide others", () =>
    Effect.gen(function*() {
      const library = yield* Library
      const trash = yield* Trash
      const me = yield* newAccount
      yield* addMany(me, 500)
      const before = yield* ids("files", me)
      const listing = yield* library.list("files").pipe(as(me))
      yield* TestClock.adjust("1 hour")
      yield* addFile(me)
      yield* trash.put([before[10]!, before[400]!]).pipe(as(me))
      const listed = (yield* read(listing)).map((record) => record.id)
      assert.deepStrictEqual(listed, before.filter((id) => id !== before[400]))
    }))

  it.effect("AUTH-9 AUTH-8 a token limited to a folder lists that folder, and one that may not read nothing", () =>
    Effect.gen(function*() {
      const library = yield* Library
      const me = yield* newAccount
      const folder = yield* addFolder(me, "/A")
      const inner = yield* addFolder(me, "/a/B")
      const inside = yield* addFile(me, { folderId: inner, sizeBytes: 5 })
      yield* addFile(me)
      assert.deepStrictEqual(yield* ids("files", me, { folderId: folder }), [inside])
      const usage = yield* library.usage.pipe(as(me, { folderId: folder }))
      assert.deepInclude(usage, { usedBytes: 5, objectCount: 1, pendingBytes: 0 })
      const error = yield* library.list("files").pipe(as(me, { permissions: ["add"] }), Effect.flip)
      assert.deepInclude(error, { _tag: "Refused", code: "token_limit" })
    }))

  it.effect("USE-1 USE-2 USE-3 USE-4 usage tells buckets, kinds, trash, pending bytes and the quota", () =>
    Effect.gen(function*() {
      const library = yield* Library
      const access = yield* FileAccess
      const trash = yield* Trash
      const quota = yield* Quota
      const me = yield* newAccount
      const video = yield* addFile(me, { type: "Video", sizeBytes: 1_000 })
      const [text] = [yield* addFile(me, { sizeBytes: 30 }), yield* addFile(me, { sizeBytes: 4 })]
      yield* addDerivative(me, video)
      yield* access.toggle(video).pipe(as(me))
      yield* trash.put([text]).pipe(as(me))
      yield* quota.add(me, { heldBytes: 77 })
      assert.deepStrictEqual(yield* library.usage.pipe(as(me)), {
        usedBytes: 1_034,
        quotaBytes,
        objectCount: 3,
        buckets: [
          { bucket: "private", bytes: 34, objects: 2, kinds: [{ type: "Text", bytes: 34, objects: 2 }] },
          { bucket: "public", bytes: 1_000, objects: 1, kinds: [{ type: "Video", bytes: 1_000, objects: 1 }] }
        ],
        trashedBytes: 30,
        pendingBytes: 77
      })
      yield* quota.add(me, { heldBytes: -77 })
      yield* checkBooks(me)
    }))

  it.effect("USE-5 the sums of an account that was there before they were kept are what its files add up to", () =>
    Effect.gen(function*() {
      const library = yield* Library
      const { schema, sql, tables: t } = yield* Database
      const me = yield* newAccount
      const video = yield* addFile(me, { type: "Video", sizeBytes: 1_000 })
      const text = yield* addFile(me, { sizeBytes: 30 })
      yield* addDerivative(me, video)
      yield* (yield* FileAccess).toggle(video).pipe(as(me))
      yield* (yield* Trash).put([text]).pipe(as(me))
      const kept = yield* library.usage.pipe(as(me))
      const anew = Effect.gen(function*() {
        yield* sql`DROP TABLE ${t.usage_counts}`
        yield* sql`DROP FUNCTION ${sql(`${schema}.count_usage`)} CASCADE`
        yield* usageStep
        return yield* library.usage.pipe(as(me))
      })
      // Given up at the end: other tests are at work in the same tables.
      const found = yield* Effect.flip(sql.withTransaction(Effect.flatMap(anew, Effect.fail)))
      assert.deepStrictEqual(found as unknown, kept)
      assert.deepInclude(kept, { usedBytes: 1_030, objectCount: 2, trashedBytes: 30 })
    }))
})
