import { assert, layer as testLayer } from "@effect/vitest"
import { MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { addFile, addFolder, as, layer, newAccount, open, unknownFile } from "../../test/FilesTest.ts"
import { Downloads } from "./Downloads.ts"
import { FileAccess } from "./FileAccess.ts"
import { FileDetails } from "./FileDetails.ts"
import { FileRecord } from "./FileRecord.ts"
import { Trash } from "./Trash.ts"

const stranger = { address: "192.0.2.1", userAgent: "test" }

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Downloads", (it) => {
  it.effect("DL-1 DL-8 the owner's link to a private file carries its type and name, for six hours", () =>
    Effect.gen(function*() {
      const downloads = yield* Downloads
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const id = yield* addFile(me, { fileName: "a b.html", mimeType: "text/html", sizeBytes: 12 })
      const { downloadUrl } = yield* downloads.link(id).pipe(as(me))
      const response = yield* Effect.promise(() => memory.fetch(downloadUrl!))
      assert.deepStrictEqual(
        ["content-type", "content-length", "content-disposition", "cache-control"].map((name) =>
          response.headers.get(name)
        ),
        ["text/html", "12", "attachment; filename=\"a b.html\"", "private, max-age=21600"]
      )
      yield* Effect.promise(async () => response.body?.cancel())
      yield* TestClock.adjust("359 minutes")
      assert.strictEqual((yield* open(downloadUrl)).status, 200)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual((yield* open(downloadUrl)).status, 403)
    }))

  it.effect("DL-4 DL-7 SEC-2 somebody else's private file, an unknown one and one in trash are refused alike", () =>
    Effect.gen(function*() {
      const downloads = yield* Downloads
      const trash = yield* Trash
      const [me, other] = [yield* newAccount, yield* newAccount]
      const theirs = yield* addFile(other, { fileName: "secret.txt" })
      const trashed = yield* addFile(me)
      yield* trash.put([trashed]).pipe(as(me))
      const refusals = yield* Effect.forEach([theirs, trashed, unknownFile], (id) =>
        downloads.link(id).pipe(
          as(me),
          Effect.flip,
          Effect.map((error) => ({ ...error, message: error.message.replace(id, "…") }))
        ))
      for (const refusal of refusals) {
        assert.deepInclude(refusal, { _tag: "Refused", code: "file_not_found", message: refusals[0]!.message })
      }
    }))

  it.effect("DL-2 SEC-2 without a session a public file opens, and everything else is the same refusal of `id`", () =>
    Effect.gen(function*() {
      const downloads = yield* Downloads
      const access = yield* FileAccess
      const trash = yield* Trash
      const me = yield* newAccount
      const [open1, hidden, binned] = [yield* addFile(me), yield* addFile(me), yield* addFile(me)]
      yield* access.toggle(open1).pipe(as(me))
      yield* access.toggle(binned).pipe(as(me))
      yield* trash.put([binned]).pipe(as(me))
      assert.strictEqual((yield* open((yield* downloads.publicLink(open1, stranger)).downloadUrl)).status, 200)
      const errors = yield* Effect.forEach(
        [hidden, binned, unknownFile],
        (id) => Effect.flip(downloads.publicLink(id, stranger))
      )
      for (const error of errors) {
        assert.deepInclude(error, { code: "invalid_field", field: "id", because: errors[0]!.because })
      }
    }))

  it.effect("DL-9 SEC-2 who is not the owner sees a public file without its folder, tags and key", () =>
    Effect.gen(function*() {
      const downloads = yield* Downloads
      const access = yield* FileAccess
      const [me, other] = [yield* newAccount, yield* newAccount]
      const folder = yield* addFolder(me, "/Taxes 2024")
      const id = yield* addFile(me, { folderId: folder })
      yield* access.toggle(id).pipe(as(me))
      const mine = yield* downloads.link(id).pipe(as(me))
      assert.deepStrictEqual(mine.folder, { id: folder, path: "/Taxes 2024" })
      const limitedElsewhere = { folderId: yield* addFolder(me, "/Other") }
      const views = [
        yield* downloads.publicLink(id, stranger),
        yield* downloads.link(id).pipe(as(other)),
        yield* downloads.link(id).pipe(as(me, limitedElsewhere))
      ]
      for (const view of views) {
        assert.deepStrictEqual(view, { ...mine, folder: null, tags: [], objectKey: null })
      }
    }))

  it.effect("AUTH-9 a token limited to a folder opens what is inside it, however its path is spelt", () =>
    Effect.gen(function*() {
      const downloads = yield* Downloads
      const me = yield* newAccount
      const folder = yield* addFolder(me, "/Ärger_100%")
      const inside = yield* addFile(me, { folderId: yield* addFolder(me, "/Ärger_100%/B") })
      const outside = yield* addFile(me, { folderId: yield* addFolder(me, "/ÄrgerX100Y/B") })
      const top = yield* addFile(me)
      assert.strictEqual((yield* downloads.link(inside).pipe(as(me, { folderId: folder }))).id, inside)
      for (const id of [outside, top]) {
        const error = yield* downloads.link(id).pipe(as(me, { folderId: folder }), Effect.flip)
        assert.deepInclude(error, { _tag: "Refused", code: "file_not_found" })
      }
    }))

  it.effect("AUTH-9 a folder of another account opens nothing", () =>
    Effect.gen(function*() {
      const downloads = yield* Downloads
      const [me, other] = [yield* newAccount, yield* newAccount]
      const mine = yield* addFile(me, { folderId: yield* addFolder(me, "/A") })
      const theirFolder = yield* addFolder(other, "/A")
      const error = yield* downloads.link(mine).pipe(as(me, { folderId: theirFolder }), Effect.flip)
      assert.deepInclude(error, { _tag: "Refused", code: "file_not_found" })
    }))

  it.effect("LIB-3 a record has every field of its schema, times with milliseconds", () =>
    Effect.gen(function*() {
      const details = yield* FileDetails
      const trash = yield* Trash
      const me = yield* newAccount
      yield* TestClock.adjust("1234567 millis")
      const id = yield* addFile(me, { folderId: yield* addFolder(me, "/A"), sizeBytes: 0 })
      yield* trash.put([id]).pipe(as(me))
      const record = yield* details.rename(id, Checked.fileName("r.txt")).pipe(as(me))
      assert.match(record.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
      assert.deepStrictEqual(Object.keys(record).toSorted(), Object.keys(FileRecord.fields).toSorted())
      assert.deepStrictEqual(yield* Schema.decodeUnknownEffect(FileRecord)(JSON.parse(JSON.stringify(record))), record)
      for (const time of [record.insertTime, record.trashTime]) assert.match(time!, /^\d{4}-.*T.*\.\d{3}Z$/)
    }))
})
