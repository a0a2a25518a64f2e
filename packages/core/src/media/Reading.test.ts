import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase, TestMediaTools } from "@filedrive/testing"
import { Context, Effect, Layer, Option, Result, Stream } from "effect"
import { Base64 } from "effect/encoding"
import * as Checked from "../../test/Checked.ts"
import { addFile, addFolder, as, layer, newAccount, unknownFile } from "../../test/FilesTest.ts"
import { Derivatives } from "../files/Derivatives.ts"
import { FileAccess } from "../files/FileAccess.ts"
import type { NewFile } from "../files/NewFile.ts"
import { Trash } from "../files/Trash.ts"
import { MediaTools, type Pages } from "../ports/MediaTools.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { Unavailable, Unreadable } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"
import { Shares } from "../shares/Shares.ts"
import { Views } from "../views/Views.ts"
import type { ReadRequest } from "./ReadAnswer.ts"
import { Reading } from "./Reading.ts"

/** A file of these bytes. */
const addBytes = Effect.fnUntraced(function*(
  accountId: AccountId,
  bytes: Uint8Array | string,
  given: Partial<NewFile> = {}
) {
  const body = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes
  const id = yield* addFile(accountId, { sizeBytes: body.length, ...given })
  const store = yield* ObjectStore
  const memory = yield* MemoryObjectStore
  const { key } = (yield* memory.objects).find(({ key }) => key.includes(given.storeKey ?? accountId))!
  yield* store.put({
    at: { bucket: "private", key },
    headers: { contentType: "text/plain", contentDisposition: "attachment", cacheControl: "private" },
    sizeBytes: body.length,
    body: Stream.make(body)
  })
  return id
})

const addImage = (accountId: AccountId, fileName: string) =>
  addFile(accountId, { fileName, type: "Image", mimeType: "image/png" })

const addVideo = (accountId: AccountId, fileName: string) =>
  addFile(accountId, { fileName, type: "Video", mimeType: "video/mp4" })

const addPdf = Effect.fnUntraced(function*(accountId: AccountId, fileName: string, pages: Pages) {
  yield* (yield* TestMediaTools).say(fileName, { pages })
  return yield* addFile(accountId, { fileName, type: "Document", mimeType: "application/pdf" })
})

const decoded = (data: string | undefined) => new TextDecoder().decode(Result.getOrThrow(Base64.decode(data!)))

const reader = (reading: Reading["Service"]) => (request: Checked.Raw<typeof ReadRequest>) =>
  reading.read(Checked.reading(request))

/** A reading whose storage and media tools are as given, with what it asks of storage. */
const readingWith = Effect.fnUntraced(function*(tools: Partial<MediaTools["Service"]> = {}) {
  const store = yield* ObjectStore
  const asked: Array<number> = []
  const counting = ObjectStore.of({
    ...store,
    get: (at, range) => {
      asked.push(range === undefined ? Number.POSITIVE_INFINITY : range.end + 1 - range.start)
      return store.get(at, range)
    }
  })
  const built = yield* Layer.build(Layer.fresh(Reading.layer)).pipe(
    Effect.provideService(ObjectStore, counting),
    Effect.provideService(MediaTools, { ...(yield* MediaTools), ...tools })
  )
  return { read: reader(Context.get(built, Reading)), asked }
})

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Reading", (it) => {
  it.effect("READ-1 an image is read as a JPEG of at most 1,568 px, and so is the picture that shows a file", () =>
    Effect.gen(function*() {
      const read = reader(yield* Reading)
      const me = yield* newAccount
      const id = yield* addImage(me, "a.heic")
      const { image, ...rest } = yield* read({ fileId: id, at: 4, offset: 9 }).pipe(as(me))
      assert.strictEqual(decoded(image?.data), "still a.heic 1568")
      assert.deepInclude(rest, { id, fileName: "a.heic", type: "Image", mimeType: "image/png", fileSize: 10 })
      assert.deepStrictEqual(Object.keys(rest).sort(), ["fileName", "fileSize", "id", "mimeType", "note", "type"])
      assert.match(rest.note, /JPEG of 4 × 3 pixels/)

      const jpeg = new TextEncoder().encode("a cover")
      const picture = yield* (yield* Derivatives).replace(me, id, { jpeg })
      const cover = yield* read({ fileId: picture.id }).pipe(as(me))
      assert.deepInclude(cover, { id: picture.id, fileName: "thumbnail.jpg", mimeType: "image/jpeg" })
      assert.strictEqual(decoded(cover.image?.data), "still thumbnail.jpg 1568")
    }))

  it.effect("READ-2 READ-7 a video is read at a moment, or a tenth of the way in; past its known end is refused", () =>
    Effect.gen(function*() {
      const read = reader(yield* Reading)
      const tools = yield* TestMediaTools
      const me = yield* newAccount
      const id = yield* addVideo(me, "known.mp4")
      yield* tools.say("known.mp4", { facts: { durationSeconds: 60 } })
      const tenth = yield* read({ fileId: id }).pipe(as(me))
      assert.deepInclude(tenth, { at: 6, duration: 60 })
      assert.strictEqual(decoded(tenth.image?.data), "frame known.mp4 6")
      const at = yield* read({ fileId: id, at: 12.5 }).pipe(as(me))
      assert.deepInclude(at, { at: 12.5, duration: 60 })
      assert.match(at.note, /12\.5 seconds of 60 seconds/)
      const late = yield* read({ fileId: id, at: 60.5 }).pipe(as(me), Effect.flip)
      assert.deepInclude(late, { _tag: "InvalidField", code: "invalid_field", field: "at" })

      const unmeasured = yield* addVideo(me, "unmeasured.mp4")
      const frame = yield* read({ fileId: unmeasured, at: 1_000 }).pipe(as(me))
      assert.strictEqual(frame.at, 1_000)
      assert.notProperty(frame, "duration")
    }))

  it.effect("READ-3 READ-4 pages of a PDF: ten unless told otherwise, twenty at most, to the end and no further", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const asked: Array<unknown> = []
      const total = 30
      const { read } = yield* readingWith({
        pages: (_, { from, to, maxBytes }) =>
          Effect.sync(() => {
            asked.push([from, to, maxBytes])
            return { text: `${from}-${Math.min(to, total)}`, from, to: Math.min(to, total), total, hasPictures: true }
          })
      })
      const fileId = yield* addFile(me, { type: "Document", mimeType: "application/pdf; version=1" })
      const pagesOf = (range: { readonly fromPage?: number; readonly toPage?: number }) =>
        read({ fileId, ...range }).pipe(as(me), Effect.map(({ note, pages, text }) => ({ note, pages, text })))
      assert.deepStrictEqual(yield* pagesOf({}), {
        note: "Pages 1 to 10 of 30 are here as text. Read on with fromPage 11.",
        pages: { from: 1, to: 10, total },
        text: "1-10"
      })
      assert.deepStrictEqual(asked, [[1, 10, 102_400]])
      assert.deepStrictEqual((yield* pagesOf({ toPage: 20 })).pages, { from: 1, to: 20, total })
      assert.deepStrictEqual((yield* pagesOf({ fromPage: 25 })).pages, { from: 25, to: 30, total })
      assert.deepStrictEqual((yield* pagesOf({ fromPage: 11, toPage: 1_000 })).pages, { from: 11, to: 30, total })
      assert.strictEqual(
        (yield* pagesOf({ fromPage: 30, toPage: 30 })).note,
        "Page 30 of 30 is here as text."
      )
      const refused = (range: { readonly fromPage?: number; readonly toPage?: number }) =>
        Effect.map(Effect.flip(pagesOf(range)), (error) => error._tag === "InvalidField" ? error.field : error._tag)
      assert.strictEqual(yield* refused({ fromPage: 31 }), "fromPage")
      assert.strictEqual(yield* refused({ fromPage: 5, toPage: 4 }), "toPage")
      assert.strictEqual(yield* refused({ toPage: 21 }), "toPage")
      assert.strictEqual(yield* refused({ fromPage: 10, toPage: 1_000 }), "toPage")
    }))

  it.effect("READ-5 MEDIA-69 scanned pages, pages without text, a page cut short and damaged ones say so", () =>
    Effect.gen(function*() {
      const read = reader(yield* Reading)
      const me = yield* newAccount
      const noteOf = Effect.fnUntraced(function*(fileName: string, pages: Pages) {
        const fileId = yield* addPdf(me, fileName, pages)
        return (yield* read({ fileId }).pipe(as(me))).note
      })
      const pages = { from: 1, to: 2, total: 2, text: " \n", hasPictures: true }
      assert.match(yield* noteOf("scan.pdf", pages), /^Pages 1 to 2 of 2 are scanned/)
      assert.match(yield* noteOf("blank.pdf", { ...pages, hasPictures: false }), /^Pages 1 to 2 of 2 have no text/)
      const long = { ...pages, to: 1, text: "é".repeat(51_200) }
      assert.match(yield* noteOf("long.pdf", long), /^Page 1 of 2 is too long .* Read on with fromPage 2\.$/)
      const some = { ...pages, text: "some", damaged: [2] }
      const without = "Pages 1 to 2 of 2 are here as text. Page 2 could not be read: the file is damaged."
      assert.strictEqual(yield* noteOf("damaged.pdf", some), without)
      const none = yield* addPdf(me, "none.pdf", { ...pages, from: 1, to: 0, total: 0 })
      assert.strictEqual((yield* read({ fileId: none }).pipe(as(me), Effect.flip))._tag, "Unreadable")
    }))

  it.effect("READ-6 READ-7 tracks and what is no text are answered with a note alone, whatever else was asked", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const { asked, read } = yield* readingWith({ encoding: () => Effect.succeed(null) })
      const track = yield* addFile(me, { type: "Audio", mimeType: "audio/mpeg" })
      const archive = yield* addFile(me, { type: "Archive", mimeType: "application/zip" })
      for (const fileId of [track, archive]) {
        const answer = yield* read({ fileId, at: 1e9, fromPage: 1e9, offset: 1e9 }).pipe(as(me))
        assert.deepStrictEqual(Object.keys(answer).sort(), ["fileName", "fileSize", "id", "mimeType", "note", "type"])
        assert.match(answer.note, /\.$/)
      }
      assert.deepStrictEqual(asked, [10], "of a track nothing is fetched")
    }))

  it.effect("READ-10 READ-13 READ-16 a text is read piece by piece to its end", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const read = reader(yield* Reading)
      const text = "héllo wörld 日本\r\n".repeat(12_000)
      const bytes = new TextEncoder().encode(text)
      const fileId = yield* addBytes(me, bytes)
      let all = ""
      let offset: number | undefined = 0
      while (offset !== undefined) {
        const answer: { readonly text?: string; readonly nextOffset?: number } = yield* read({ fileId, offset })
          .pipe(as(me))
        all += answer.text!
        offset = answer.nextOffset
      }
      assert.strictEqual(all, text)
      const first = yield* read({ fileId }).pipe(as(me))
      assert.match(first.note, new RegExp(`Read on with offset ${first.nextOffset}`))
      const end = yield* read({ fileId, offset: bytes.length }).pipe(as(me))
      assert.strictEqual(end.text, "")
      assert.notProperty(end, "nextOffset")
      const past = yield* read({ fileId, offset: bytes.length + 1 }).pipe(as(me), Effect.flip)
      assert.deepInclude(past, { _tag: "InvalidField", field: "offset" })
    }))

  it.effect("READ-16 an empty file has an empty text, and no picture", () =>
    Effect.gen(function*() {
      const read = reader(yield* Reading)
      const me = yield* newAccount
      const empty = yield* addFile(me, { sizeBytes: 0 })
      assert.deepInclude(yield* read({ fileId: empty }).pipe(as(me)), { text: "", note: "The file is empty." })
      const past = yield* read({ fileId: empty, offset: 1 }).pipe(as(me), Effect.flip)
      assert.deepInclude(past, { field: "offset" })
      const image = yield* addFile(me, { sizeBytes: 0, type: "Image", mimeType: "image/png" })
      assert.strictEqual((yield* read({ fileId: image }).pipe(as(me), Effect.flip))._tag, "Unreadable")
      const { read: other } = yield* readingWith({ encoding: () => Effect.succeed("iso-2022-kr") })
      const korean = yield* addFile(me)
      assert.strictEqual((yield* other({ fileId: korean }).pipe(as(me), Effect.flip))._tag, "Unreadable")
    }))

  it.effect("READ-17 a text of a terabyte is read anywhere by under 200 KB, in two requests at most", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const { asked, read } = yield* readingWith()
      const fileId = yield* addFile(me, { sizeBytes: 2 ** 40 })
      const offsets = [0, 1, 65_000, 65_536, 81_919, 81_920, 200_000, 1024 ** 3, 2 ** 40 - 5, 2 ** 40]
      for (const offset of offsets) {
        asked.length = 0
        yield* read({ fileId, offset }).pipe(as(me))
        assert.isAtMost(asked.length, 2)
        assert.isBelow(asked.reduce((sum, bytes) => sum + bytes, 0), 200_000, `from ${offset}`)
      }
    }))

  it.effect("READ-8 others read what is public or shared with them, and each time is one open", () =>
    Effect.gen(function*() {
      const read = reader(yield* Reading)
      const [me, friend, stranger] = [yield* newAccount, yield* newAccount, yield* newAccount]
      const folder = yield* addFolder(me, "/Mine")
      const [open, shared, hidden, trashed] = [
        yield* addFile(me),
        yield* addFile(me),
        yield* addFile(me, { folderId: folder }),
        yield* addFile(me)
      ]
      yield* (yield* FileAccess).toggle(open).pipe(as(me))
      yield* (yield* Shares).share([shared], [friend]).pipe(as(me))
      yield* (yield* Trash).put([trashed]).pipe(as(me))

      const reads = (who: AccountId, fileId: typeof open, limits = {}) =>
        read({ fileId }).pipe(as(who, limits), Effect.option, Effect.map(Option.isSome))
      assert.isTrue(yield* reads(stranger, open))
      assert.isTrue(yield* reads(friend, shared))
      assert.isTrue(yield* reads(friend, shared))
      assert.isTrue(yield* reads(me, shared))
      for (const [who, id] of [[stranger, shared], [friend, hidden], [me, trashed], [me, unknownFile]] as const) {
        const error = yield* read({ fileId: id }).pipe(as(who), Effect.flip)
        assert.deepInclude(error, { _tag: "NotFound", code: "not_found" })
      }
      assert.isTrue(yield* reads(me, hidden, { folderId: folder }))
      assert.isFalse(yield* reads(me, shared, { folderId: folder }))
      const limited = yield* read({ fileId: open }).pipe(as(me, { permissions: ["add"] }), Effect.flip)
      assert.deepInclude(limited, { _tag: "Refused", code: "token_limit" })

      const { files } = yield* (yield* Views).select(Checked.views({ fileIds: [open, shared, hidden] })).pipe(as(me))
      const views = new Map(files.map(({ id, views }) => [id, views]))
      assert.deepStrictEqual([open, shared, hidden].map((id) => views.get(id)), [1, 2, 0])
    }))

  it.effect("HOSTILE-45 tools that have too much to do are told as such, and not as storage that is away", () =>
    Effect.gen(function*() {
      const read = reader(yield* Reading)
      const me = yield* newAccount
      const id = yield* addImage(me, "busy.png")
      const busy = new Unavailable({ code: "unavailable", cause: new Error("Too many files wait to be opened") })
      yield* (yield* TestMediaTools).plant("still", () => Effect.fail(busy))
      const error = yield* read({ fileId: id }).pipe(as(me), Effect.flip)
      assert.deepInclude(error, { _tag: "Unavailable", code: "unavailable" })
      assert.strictEqual((yield* read({ fileId: id }).pipe(as(me))).id, id)
    }))

  it.effect("READ-22 what storage has lost is told as lost, once and for all", () =>
    Effect.gen(function*() {
      const read = reader(yield* Reading)
      const memory = yield* MemoryObjectStore
      const store = yield* ObjectStore
      const me = yield* newAccount
      const id = yield* addFile(me)
      yield* store.remove((yield* memory.objects).filter(({ key }) => key.includes(me)))
      const lost = yield* read({ fileId: id }).pipe(as(me), Effect.flip)
      assert.deepInclude(lost, { _tag: "Unavailable", code: "fetching_file_failed", isLost: true })
    }))

  it.effect("READ-9 what can't be opened, storage that is away, and a file that moves while it is read", () =>
    Effect.gen(function*() {
      const read = reader(yield* Reading)
      const memory = yield* MemoryObjectStore
      const access = yield* FileAccess
      const context = yield* Effect.context<never>()
      const me = yield* newAccount
      const broken = yield* addImage(me, "broken.png")
      yield* (yield* TestMediaTools).say("broken.png", { picture: new Unreadable({ because: "No image." }) })
      const error = yield* read({ fileId: broken }).pipe(as(me), Effect.flip)
      assert.deepInclude(error, { _tag: "Unreadable", code: "unreadable", message: "No image." })

      const id = yield* addFile(me)
      yield* memory.plant("get", Faults.notReached)
      const away = yield* read({ fileId: id }).pipe(as(me), Effect.flip)
      assert.deepInclude(away, { _tag: "Unavailable", code: "fetching_file_failed" })

      const toggle = access.toggle(id).pipe(as(me), Effect.orDie, Effect.asVoid, Effect.provideContext(context))
      yield* memory.plant("get", Faults.before(toggle))
      // Public now; toggled again while it is read, its public object is gone.
      yield* read({ fileId: id }).pipe(as(me))
      yield* memory.plant("get", Faults.before(toggle))
      assert.strictEqual((yield* read({ fileId: id }).pipe(as(me))).id, id)
    }))
})
