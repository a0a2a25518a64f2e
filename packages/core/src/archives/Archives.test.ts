import { assert, layer as testLayer } from "@effect/vitest"
import { MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import {
  addBytes,
  addFiles,
  checkHolds,
  content,
  create,
  layer,
  look,
  opened,
  runJobs,
  skips
} from "../../test/ArchivesTest.ts"
import * as Checked from "../../test/Checked.ts"
import { addDerivative, addFolder, as, checkBooks, newAccount, unknownFile } from "../../test/FilesTest.ts"
import { Quota } from "../accounts/Quota.ts"
import { FileAccess } from "../files/FileAccess.ts"
import { Trash } from "../files/Trash.ts"
import { Lists } from "../organize/Lists.ts"
import { Shares } from "../shares/Shares.ts"
import { ArchiveTitle } from "./Archive.ts"
import { ArchiveEnds } from "./ArchiveEnds.ts"
import { Archives } from "./Archives.ts"

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Archives", (it) => {
  it.effect("ZIP-1 ZIP-8 files become a ZIP that holds them as they are, with the time they were inserted", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const sizes = [0, 1, 5_000, 25_000]
      const fileIds = yield* addFiles(me, sizes)
      const inserted = Math.floor((yield* DateTime.now).epochMilliseconds / 1000)
      yield* TestClock.adjust("3 days")
      const asked = yield* create(me, { fileIds: [...fileIds, fileIds[1]!] })
      assert.deepInclude(asked, { title: "Archive", status: "working", fileCount: 4, receivedBytes: 0, skipped: [] })
      assert.deepInclude(yield* look(me, asked), {
        status: "working",
        bytes: asked.bytes,
        downloadUrl: null,
        expireTime: null
      })
      yield* runJobs
      const item = yield* look(me, asked)
      yield* checkHolds(item, sizes, [0, 1, 2, 3])
      assert.strictEqual((yield* opened(item)).get("1.bin")!.modifiedSeconds, inserted)
    }))

  it.effect("ZIP-1 none or several of the three, and wrong titles, are named", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const lists = yield* Lists
      const fileIds = yield* addFiles(me, [1])
      const { list } = yield* lists.create("playlist", { title: Checked.listTitle("p") }).pipe(as(me))
      for (
        const [request, code, field] of [
          [{}, "missing_field", "fileIds"],
          [{ fileIds, playlistId: list.id }, "invalid_field", "playlistId"],
          [{ galleryId: list.id, playlistId: list.id }, "invalid_field", "playlistId"],
          [
            {
              fileIds: Array.from(
                { length: 100_001 },
                (_, at) => `019845e1-682f-7b02-a706-${String(at).padStart(12, "0")}` as never
              )
            },
            "invalid_field",
            "fileIds"
          ]
        ] as const
      ) {
        assert.deepInclude(yield* Effect.flip(create(me, request)), { _tag: "InvalidField", code, field })
      }
      for (const title of ["", "x".repeat(201), "two\nlines"]) assert.isFalse(Schema.is(ArchiveTitle)(title), title)
      assert.deepInclude(yield* Effect.flip(create(me, { galleryId: list.id })), {
        _tag: "NotFound",
        resource: "gallery"
      })
      assert.deepInclude(yield* Effect.flip(create(me, { playlistId: list.id })), { _tag: "NotFound" })
      assert.deepInclude(yield* Effect.flip(create(me, { fileIds: [unknownFile] })), { _tag: "NotFound" })
    }))

  it.effect("ZIP-2 ZIP-5 own, public and shared files go in; what is in trash or out of sight is named", () =>
    Effect.gen(function*() {
      const [me, other] = [yield* newAccount, yield* newAccount]
      const folderId = yield* addFolder(me, "/Mine")
      const theirFolder = yield* addFolder(other, "/Secret")
      const own = yield* addBytes(me, content(10, 1), { fileName: "own.bin", folderId })
      const trashed = yield* addBytes(me, content(10), { fileName: "trashed.bin" })
      yield* (yield* Trash).put([trashed]).pipe(as(me))
      const theirs = (fileName: string) => addBytes(other, content(10, 2), { fileName, folderId: theirFolder })
      const shared = yield* theirs("shared.bin")
      yield* (yield* Shares).share([shared], [me]).pipe(as(other))
      const open = yield* theirs("public.bin")
      yield* (yield* FileAccess).toggle(open).pipe(as(other))
      const closed = yield* theirs("closed.bin")
      const theirTrash = yield* theirs("gone.bin")
      yield* (yield* Shares).share([theirTrash], [me]).pipe(as(other))
      yield* (yield* Trash).put([theirTrash]).pipe(as(other))
      const picture = yield* addDerivative(me, own)
      const asked = yield* create(me, {
        fileIds: [closed, own, trashed, shared, open, theirTrash, unknownFile, picture]
      })
      const expected = [
        [closed, "not_found"],
        [trashed, "trashed"],
        [theirTrash, "not_found"],
        [unknownFile, "not_found"],
        [picture, "not_found"]
      ] as const
      assert.deepStrictEqual<unknown>(skips(asked), expected)
      yield* runJobs
      const item = yield* look(me, asked)
      assert.deepStrictEqual<unknown>(skips(item), expected)
      assert.deepStrictEqual([...(yield* opened(item)).keys()], ["Mine/own.bin", "shared.bin", "public.bin"])
    }))

  it.effect("ZIP-2 ZIP-5 a list's files go in by its order without folders, and of a public one those the caller sees", () =>
    Effect.gen(function*() {
      const [me, other] = [yield* newAccount, yield* newAccount]
      const lists = yield* Lists
      const folderId = yield* addFolder(me, "/Photos")
      const image = (fileName: string) => addBytes(me, content(10), { fileName, folderId, type: "Image" })
      const ids = [yield* image("b.jpg"), yield* image("a.jpg"), yield* image("B.jpg"), yield* image("trashed.jpg")]
      const { list } = yield* lists.create("gallery", { title: Checked.listTitle("g"), fileIds: ids, isPublic: true })
        .pipe(as(me))
      yield* (yield* Trash).put([ids[3]!]).pipe(as(me))
      const asked = yield* create(me, { galleryId: list.id, title: Checked.archiveTitle("Pictures") })
      assert.deepStrictEqual(skips(asked), [[ids[3]!, "trashed"]])
      yield* runJobs
      assert.deepStrictEqual([...(yield* opened(yield* look(me, asked))).keys()], ["b.jpg", "a.jpg", "B (2).jpg"])

      assert.deepInclude(yield* Effect.flip(create(other, { galleryId: list.id })), { _tag: "NotFound" })
      yield* (yield* FileAccess).toggle(ids[1]!).pipe(as(me))
      const theirs = yield* create(other, { galleryId: list.id })
      assert.deepStrictEqual([theirs.fileCount, skips(theirs)], [1, []])
    }))

  it.effect("ZIP-3 a token limited to a folder puts in that folder's files and sees what such tokens asked for", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const archives = yield* Archives
      const [folderId, inner, elsewhere] = [
        yield* addFolder(me, "/F"),
        yield* addFolder(me, "/F/In"),
        yield* addFolder(me, "/G")
      ]
      const ids = [
        yield* addBytes(me, content(10), { fileName: "a", folderId }),
        yield* addBytes(me, content(10), { fileName: "b", folderId: inner }),
        yield* addBytes(me, content(10), { fileName: "c", folderId: elsewhere })
      ]
      yield* (yield* FileAccess).toggle(ids[2]!).pipe(as(me))
      const limited = as(me, { folderId, permissions: ["read"] })
      const asked = yield* archives.create({ fileIds: ids }).pipe(limited)
      assert.deepStrictEqual([asked.fileCount, skips(asked)], [2, [[ids[2]!, "not_found"]]])
      const whole = yield* create(me, { fileIds: ids })
      const seen = (limits: typeof limited) =>
        Effect.map(archives.select([whole.id, asked.id]).pipe(limits), (found) => found.map(({ id }) => id))
      assert.deepStrictEqual(yield* seen(limited), [asked.id])
      assert.deepStrictEqual(yield* seen(as(me, { folderId: inner })), [])
      assert.deepStrictEqual(yield* seen(as(me, { folderId: elsewhere })), [])
      assert.deepStrictEqual(yield* seen(as(me)), [whole.id, asked.id])
      assert.deepStrictEqual(yield* seen(as(yield* newAccount)), [])
      const refused = { _tag: "Refused", code: "token_limit" } as const
      const noRead = as(me, { permissions: ["add"] })
      assert.deepInclude(yield* archives.create({ fileIds: ids }).pipe(noRead, Effect.flip), refused)
      assert.deepInclude(yield* archives.select([asked.id]).pipe(noRead, Effect.flip), refused)
      assert.deepInclude(
        yield* archives.create({ fileIds: [ids[2]!] }).pipe(limited, Effect.flip),
        { _tag: "NotFound" }
      )
    }))

  it.effect("ZIP-14 an account has at most ten archives under way", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const fileIds = yield* addFiles(me, [1])
      const asked = yield* Effect.forEach(
        Array.from({ length: 10 }),
        (_, at) => create(me, { fileIds, title: Checked.archiveTitle(`${at}`) })
      )
      assert.deepInclude(yield* Effect.flip(create(me, { fileIds })), { _tag: "Refused", code: "not_allowed" })
      yield* runJobs
      assert.strictEqual((yield* look(me, asked[9]!)).status, "done")
      yield* create(me, { fileIds })
    }))

  it.effect("ZIP-16 a link works for six hours, and the archive is saved under its title", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const memory = yield* MemoryObjectStore
      const fileIds = yield* addFiles(me, [1])
      const asked = yield* create(me, { fileIds, title: Checked.archiveTitle("Fotos “2026”") })
      yield* runJobs
      const { downloadUrl } = yield* look(me, asked)
      const get = Effect.promise(() => memory.fetch(downloadUrl!))
      const answer = yield* get
      assert.strictEqual(answer.headers.get("content-type"), "application/zip")
      assert.include(answer.headers.get("content-disposition"), "filename*=UTF-8''Fotos%20%E2%80%9C2026%E2%80%9D.zip")
      yield* TestClock.adjust("5 hours")
      assert.strictEqual((yield* get).status, 200)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* get).status, 403)
    }))

  it.effect("ZIP-17 it is kept seven days whatever becomes of its files, counts against nothing, and goes with its bytes", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const memory = yield* MemoryObjectStore
      const quota = yield* Quota
      const ends = yield* ArchiveEnds
      const sizes = [100, 20_000]
      const fileIds = yield* addFiles(me, sizes)
      const before = yield* quota.balance(me)
      const asked = yield* create(me, { fileIds })
      yield* runJobs
      const done = yield* look(me, asked)
      assert.strictEqual(done.expireTime!.getTime(), (yield* DateTime.now).epochMilliseconds + 7 * 24 * 3_600_000)
      assert.deepStrictEqual(yield* quota.balance(me), before)
      yield* (yield* Trash).delete(fileIds).pipe(as(me))
      yield* TestClock.adjust("6 days")
      yield* ends.sweep
      yield* runJobs
      yield* checkHolds(yield* look(me, asked), sizes, [0, 1])
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(yield* (yield* Archives).select([asked.id]).pipe(as(me)), [])
      yield* ends.sweep
      const mine = (yield* memory.objects).filter(({ key }) => key.includes(me))
      assert.deepStrictEqual(mine, [])
      yield* checkBooks(me)
    }))
})
