/** Bringing in files whose bytes are in storage already. */
import { assert, layer as testLayer } from "@effect/vitest"
import { MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Array as Arr, Effect, Exit, Stream } from "effect"
import { TestClock } from "effect/testing"
import { checkCounts } from "../../test/checkCounts.ts"
import { checkSearch } from "../../test/checkSearch.ts"
import { as, checkBooks, newAccount, open, quotaBytes, settled } from "../../test/FilesTest.ts"
import { listed, row, rows, run, stored, withImport } from "../../test/ImportTest.ts"
import { codes } from "../../test/UploadsTest.ts"
import { Quota } from "../accounts/Quota.ts"
import { Database } from "../database/Database.ts"
import { Downloads } from "../files/Downloads.ts"
import { FileAccess } from "../files/FileAccess.ts"
import { Trash } from "../files/Trash.ts"
import { Collections } from "../organize/Collections.ts"
import { BulkImport, type ImportProgress } from "./BulkImport.ts"
import type { ImportedFile } from "./ImportedFile.ts"

testLayer(withImport(TestDatabase.layer), { timeout: "120 seconds" })("BulkImport", (it) => {
  it.effect("BULK-1 files come with all that is known of them, and their old time", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const { etag } = yield* stored(me, "photos/1")
      const given: ImportedFile = {
        objectKey: `users/${me}/photos/1.jpg`,
        storedAs: "photos/1",
        fileName: "Beach.jpg",
        type: "Image",
        mimeType: "image/jpeg",
        fileSize: 10,
        etag,
        insertTime: new Date("1969-07-20T20:17:40.123Z"),
        description: "Where we were",
        folder: "/Photos/2019",
        tags: ["Sea", "sea", "Summer"],
        media: {
          title: "Beach",
          width: 4000,
          height: 3000,
          takenTime: new Date("1968-01-01T00:00:00Z"),
          location: { latitude: -33.9, longitude: 151.2 },
          camera: "Leica"
        }
      }
      yield* TestClock.setTime(Date.parse("2026-01-01"))
      const done = yield* run(me, [given], {})
      assert.deepStrictEqual(done, { rows: 1, recorded: 1, skipped: 0, bytes: 10 })
      const [file] = yield* listed(me)
      assert.strictEqual(file!.insertTime as unknown, "1969-07-20T20:17:40.123Z")
      assert.deepInclude(file, {
        fileName: "Beach.jpg",
        type: "Image",
        mimeType: "image/jpeg",
        fileSize: 10,
        description: "Where we were",
        objectKey: given.objectKey,
        isPublic: false,
        metadataStatus: "done"
      })
      assert.strictEqual(file!.folder?.path, "/Photos/2019")
      assert.deepStrictEqual(file!.tags.map(({ text }) => text), ["Sea", "Summer"])
      assert.deepStrictEqual(file!.media as unknown, {
        title: "Beach",
        width: 4000,
        height: 3000,
        takenTime: "1968-01-01T00:00:00.000Z",
        location: { latitude: -33.9, longitude: 151.2 },
        camera: "Leica"
      })
      const { downloadUrl } = yield* Effect.flatMap(Downloads, (downloads) => downloads.link(file!.id)).pipe(as(me))
      assert.strictEqual((yield* open(downloadUrl)).status, 200)
      yield* checkBooks(me)
    }))

  it.effect("BULK-1 keys of music are read by any spelling", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const track = (name: string, key: string) => row(me, name, { type: "Audio", media: { key, artists: ["A", "B"] } })
      yield* run(me, [track("a", "Bb minor"), track("b", "C")])
      const keys = (yield* listed(me)).map(({ media }) => media !== null && "key" in media ? media.key : null)
      assert.sameMembers(keys, ["A#m", "C"])
    }))

  it.effect("BULK-2 counts of folders and tags, the charge and the feed follow", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const me = yield* newAccount
      const given = Arr.makeBy(2_500, (at) =>
        row(me, `n${at}`, {
          folder: at % 5 === 0 ? "/" : `/A${at % 3}/b/${at % 2 === 0 ? "C" : "c"}`,
          tags: at % 2 === 0 ? ["even", `t${at % 7}`] : []
        }))
      yield* run(me, given)
      const collections = yield* Effect.flatMap(Collections, (found) => found.select).pipe(as(me))
      const count = (predicate: (at: number) => boolean) => given.filter((_, at) => predicate(at)).length
      for (const path of [0, 1, 2]) {
        const folder = collections.folders.find((folder) => folder.path.toLowerCase() === `/a${path}/b/c`)
        assert.strictEqual(folder?.fileCount, count((at) => at % 5 !== 0 && at % 3 === path))
      }
      assert.strictEqual(collections.folders.length, 9)
      assert.strictEqual(collections.tags.find(({ text }) => text === "even")?.fileCount, 1_250)
      assert.strictEqual(collections.tags.find(({ text }) => text === "t3")?.fileCount, count((at) => at % 14 === 10))
      const events = yield* sql<{ readonly seq: number; readonly name: string }>`
        SELECT seq::float8 AS seq, payload->'file'->>'fileName' AS name FROM ${t.events}
        WHERE account_id = ${me} ORDER BY seq
      `
      assert.deepStrictEqual(events.map(({ name }) => name), given.map(({ fileName }) => fileName))
      assert.deepStrictEqual(events.map(({ seq }) => seq), Arr.makeBy(2_500, (at) => at + 1))
      const { usedBytes } = yield* Effect.flatMap(Quota, (quota) => quota.balance(me))
      assert.strictEqual(usedBytes, 25_000)
    }))

  it.effect("BULK-2 imported files are found as if their rows were made anew", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const odd = `O'Neil \\"NULL" {a,b} Größe 東京 MP3Player`
      yield* run(me, [
        row(me, "n0", { folder: "/A/b/C", tags: ["Summer", odd], fileName: odd, description: odd }),
        row(me, "n1", {
          type: "Audio",
          media: { title: odd, artists: [odd, "NULL", ""], album: "{}", key: "Am", tempo: 1.5 }
        })
      ])
      yield* run(me, [
        row(me, "n2", { folder: "/a/B", tags: ["SUMMER"] }),
        row(me, "n3", {
          type: "Image",
          media: { takenTime: new Date(0), location: { latitude: -1e-7, longitude: 180 } }
        })
      ])
      yield* checkSearch(me)
      yield* checkCounts
      const found = (yield* listed(me)).toReversed()
      assert.sameMembers(found.map(({ description }) => description), [odd, null, null, null])
      assert.isTrue(found.some(({ media }) => media !== null && "artists" in media && media.artists[0] === odd))
    }))

  it.effect("BULK-3 an import that is repeated records nothing twice, and continues where it stopped", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const given = rows(me, 1_500)
      const told: Array<ImportProgress> = []
      const onProgress = (progress: ImportProgress) => Effect.sync(() => void told.push(progress))
      const first = yield* Effect.exit(
        run(me, [...given.slice(0, 1_200), { ...given[1_200]!, fileName: "" }], { verify: false, onProgress })
      )
      assert.deepStrictEqual(codes(first), ["invalid_field", "rows[1200].fileName"])
      const tags = Array.from({ length: 101 }, (_, at) => `t${at}`)
      const tagged = yield* Effect.exit(run(me, [{ ...given[1_300]!, tags }], { verify: false }))
      assert.deepStrictEqual(codes(tagged), ["invalid_field", "rows[0].tags"])
      assert.deepStrictEqual(told.map(({ rows }) => rows), [100, 400, 1_000])
      assert.deepStrictEqual(told.at(-1), { rows: 1_000, recorded: 1_000, skipped: 0, bytes: 10_000 })
      assert.deepInclude(yield* run(me, given), { rows: 1_500, recorded: 500, skipped: 1_000, bytes: 5_000 })
      assert.deepInclude(yield* run(me, given), { recorded: 0, skipped: 1_500 })
      assert.deepInclude(yield* run(me, [...given.slice(0, 2), ...given.slice(0, 2)]), { rows: 4, skipped: 4 })
      assert.strictEqual((yield* listed(me)).length, 1_500)
    }))

  it.effect("BULK-3 a row that names a recorded key with another size is refused", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      yield* run(me, rows(me, 1))
      const other = yield* Effect.exit(run(me, [row(me, "n1"), row(me, "n0", { fileSize: 11 })]))
      assert.deepStrictEqual(codes(other), ["size_mismatch", "rows[1].fileSize"])
      const twice = yield* Effect.exit(run(me, [row(me, "n2"), row(me, "n2", { fileSize: 11 })]))
      assert.deepStrictEqual(codes(twice), ["size_mismatch", "rows[1].fileSize"])
      assert.strictEqual((yield* listed(me)).length, 1)
    }))

  it.effect("BULK-4 a batch that does not fit the quota is refused whole; those before it stay", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const told: Array<number> = []
      const tight = rows(me, 2_000, { fileSize: quotaBytes / 2_000 })
      assert.deepInclude(yield* run(me, tight.slice(0, 1)), { recorded: 1 })
      const over = yield* Effect.exit(
        run(me, [...tight, row(me, "more")], {
          verify: false,
          onProgress: ({ rows }) => Effect.sync(() => void told.push(rows))
        })
      )
      assert.deepStrictEqual(codes(over), ["storage_limit_reached", "rows[2000].fileSize"])
      assert.deepStrictEqual(told, [100, 400, 1_000, 2_000])
      const { usedBytes } = yield* Effect.flatMap(Quota, (quota) => quota.balance(me))
      assert.strictEqual(usedBytes, quotaBytes)

      const other = yield* newAccount
      const half = rows(other, 100, { fileSize: quotaBytes / 80 })
      assert.deepStrictEqual(codes(yield* Effect.exit(run(other, half))), ["storage_limit_reached", "rows[0].fileSize"])
      assert.deepStrictEqual(yield* listed(other), [])
      assert.deepInclude(yield* run(other, half.slice(0, 80)), { recorded: 80 })
    }))

  it.effect("BULK-5 storage is asked for each object unless the host says not to", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const { etag } = yield* stored(me, "old/n0")
      const verified = (more: Partial<ImportedFile>) => Effect.exit(run(me, [row(me, "n0", more)], { verify: true }))
      assert.deepStrictEqual(codes(yield* verified({ storedAs: "old/none" })), ["object_not_found", "rows[0].storedAs"])
      assert.deepStrictEqual(codes(yield* verified({ fileSize: 9 })), ["size_mismatch", "rows[0].fileSize"])
      assert.deepStrictEqual(codes(yield* verified({})), ["invalid_field", "rows[0].etag"])
      const { etag: _, ...bare } = row(me, "n0")
      assert.deepStrictEqual(codes(yield* Effect.exit(run(me, [bare]))), ["missing_field", "rows[0].etag"])
      assert.deepInclude(yield* run(me, [bare], { verify: true }), { recorded: 1 })
      assert.deepInclude(yield* run(me, [{ ...bare, etag }], { verify: true }), { skipped: 1 })
    }))

  it.effect("BULK-6 no row reaches another account's object, or one that a file has", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const other = yield* newAccount
      yield* stored(other, "secret")
      const stolen = yield* Effect.exit(run(me, [row(me, "n0", { storedAs: "secret" })], { verify: true }))
      assert.deepStrictEqual(codes(stolen), ["object_not_found", "rows[0].storedAs"])
      for (
        const storedAs of [`../${other}/secret`, "/secret", "a//b", "a/../b", "a.b", "", "a/", "é", "x".repeat(513)]
      ) {
        const exit = yield* Effect.exit(run(me, [row(me, "n0", { storedAs })]))
        assert.deepStrictEqual(codes(exit), ["invalid_field", "rows[0].storedAs"], storedAs)
      }
      const foreign = yield* Effect.exit(run(me, [row(me, "n0", { objectKey: `users/${other}/n0` })]))
      assert.deepStrictEqual(codes(foreign), ["not_allowed", undefined])
      yield* run(me, [row(me, "n0")])
      const shared = yield* Effect.exit(run(me, [row(me, "n1", { storedAs: "old/n0" })]))
      assert.deepStrictEqual(codes(shared), ["invalid_field", "rows[0].storedAs"])
      const both = yield* Effect.exit(run(me, [row(me, "n2"), row(me, "n3", { storedAs: "old/n2" })]))
      assert.deepStrictEqual(codes(both), ["invalid_field", "rows[1].storedAs"])
    }))

  it.effect("BULK-6 an object whose file was deleted may be brought in again until it is removed", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const trash = yield* Trash
      const access = yield* FileAccess
      const me = yield* newAccount
      yield* stored(me, "old/n0")
      const { etag: _, ...bare } = row(me, "n0")
      yield* run(me, [bare], { verify: true })
      const [file] = yield* listed(me)
      // Made public, its former object goes when the links to it have ended.
      yield* access.toggle(file!.id).pipe(as(me))
      yield* run(me, [{ ...bare, objectKey: `users/${me}/again` }], { verify: true })
      yield* settled(me)
      assert.strictEqual((yield* listed(me)).length, 2)
      yield* trash.delete((yield* listed(me)).map(({ id }) => id)).pipe(as(me))
      assert.deepStrictEqual((yield* memory.objects).filter(({ key }) => key.includes(me)), [])
      const gone = yield* Effect.exit(run(me, [bare], { verify: true }))
      assert.deepStrictEqual(codes(gone), ["object_not_found", "rows[0].storedAs"])
    }))

  it.effect("BULK-7 what is wrong with a row is said with its place", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const cases: ReadonlyArray<readonly [object, string]> = [
        [{ type: "Picture" }, "type"],
        [{ fileSize: 1.5 }, "fileSize"],
        [{ mimeType: "image" }, "mimeType"],
        [{ folder: "A" }, "folder"],
        [{ folder: "/a".repeat(33) }, "folder"],
        [{ tags: ["ok", " "] }, "tags[1]"],
        [{ insertTime: new Date(NaN) }, "insertTime"],
        [{ insertTime: new Date(8.64e15) }, "insertTime"],
        [{ media: { key: "H#" } }, "media.key"],
        [{ media: { location: { latitude: 91, longitude: 0 } } }, "media.location.latitude"],
        [{ media: { artists: ["a\u0000"] } }, "media.artists[0]"],
        [{ objectKey: "users/x" }, "objectKey"]
      ]
      for (const [more, field] of cases) {
        const exit = yield* Effect.exit(run(me, [row(me, "n0"), row(me, "n1", more as never)]))
        assert.deepStrictEqual(codes(exit), ["invalid_field", `rows[1].${field}`])
      }
      assert.deepStrictEqual(codes(yield* Effect.exit(run(me, [null as never]))), ["invalid_field", "rows[0]"])
      assert.deepStrictEqual(yield* listed(me), [])
    }))

  it.effect("BULK-8 a call with limits imports nothing that it may not", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const bulk = yield* BulkImport
      const limited = (limits: Parameters<typeof as>[1]) =>
        Effect.exit(bulk.run(Stream.fromIterable(rows(me, 1)), { verify: false }).pipe(as(me, limits)))
      assert.deepStrictEqual(codes(yield* limited({ permissions: ["read"] })), ["token_limit", undefined])
      const folderId = (yield* newAccount) as never
      assert.deepStrictEqual(codes(yield* limited({ folderId })), ["token_limit", undefined])
      assert.isTrue(Exit.isSuccess(yield* limited({ permissions: ["add"] })))
    }))

  it.effect("BULK-9 rows are read as they are recorded, never far ahead", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      let read = 0
      let recorded = 0
      let ahead = 0
      function* endless() {
        for (; read < 12_000; read++) {
          ahead = Math.max(ahead, read - recorded)
          // The same again and again: what is recorded before is done sooner, and reading could run further ahead.
          yield row(me, `n${read % 10}`)
        }
      }
      const onProgress = (progress: ImportProgress) => Effect.sync(() => void (recorded = progress.rows))
      assert.deepInclude(yield* run(me, endless(), { verify: false, onProgress }), { rows: 12_000, recorded: 10 })
      assert.isAtMost(ahead, 8_000)
    }))
})
