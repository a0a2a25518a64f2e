/** Objects the drive itself stores, copies, lists and removes. */
import { assert, type Vitest } from "@effect/vitest"
import { ObjectStore as Port } from "@filedrive/core"
import { DateTime, Effect, Option, Schema, Stream } from "effect"
import { cacheControlOf, content, type DataPlane, freshAddress, headers, read, request, stored } from "./DataPlane.ts"

class SourceFailed extends Schema.TaggedError<SourceFailed>()("SourceFailed", {}) {}

export const keepingSuite = (it: Vitest.MethodsNonLive<Port.ObjectStore | DataPlane>) => {
  it.effect("STO-12 a body of its stated length is stored, in however many pieces it comes", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const at = freshAddress()
      const whole = content(200_000)
      const pieces = Array.from({ length: 20 }, (_, i) => whole.slice(i * 10_000, (i + 1) * 10_000))
      const object = yield* store.put({ at, headers, sizeBytes: whole.length, body: Stream.fromIterable(pieces) })
      assert.deepStrictEqual(yield* read(at), whole)
      assert.strictEqual(Option.getOrThrow(yield* store.head(at)).etag, object.etag)
      assert.strictEqual(object.sizeBytes, whole.length)
    }))

  it.effect.each([{ stated: 10, sent: 9 }, { stated: 10, sent: 11 }, { stated: 10, sent: 0 }, { stated: 0, sent: 1 }])(
    "STO-12 a body of $sent bytes where $stated were stated fails and stores nothing",
    ({ sent, stated }) =>
      Effect.gen(function*() {
        const store = yield* Port.ObjectStore
        const at = freshAddress()
        const body = Stream.make(content(sent))
        const failure = yield* Effect.flip(store.put({ at, headers, sizeBytes: stated, body }))
        assert.strictEqual(failure._tag, "Unavailable")
        assert.isTrue(Option.isNone(yield* store.head(at)))
      })
  )

  it.effect("STO-12 a body that fails half-way fails the same way and stores nothing", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const at = freshAddress()
      const body = Stream.concat(Stream.make(content(5)), Stream.fail(new SourceFailed()))
      const failure = yield* Effect.flip(store.put({ at, headers, sizeBytes: 10, body }))
      assert.strictEqual(failure._tag, "SourceFailed")
      assert.isTrue(Option.isNone(yield* store.head(at)))
    }))

  it.effect("STO-12 a failed body leaves what was stored before", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const { at } = yield* stored(content(10))
      yield* Effect.flip(store.put({ at, headers, sizeBytes: 10, body: Stream.make(content(9, 1)) }))
      assert.deepStrictEqual(yield* read(at), content(10))
    }))

  it.effect("STO-20 the etag changes when the bytes do, and stays while they do", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const { at, etag } = yield* stored(content(10))
      assert.strictEqual(Option.getOrThrow(yield* store.head(at)).etag, etag)
      assert.notInclude(etag, `"`)
      const { etag: second } = yield* stored(content(10, 1), at)
      assert.notStrictEqual(second, etag)
      assert.deepStrictEqual(yield* read(at), content(10, 1))
    }))

  it.effect("STO-20 nothing is found where nothing was stored", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      assert.isTrue(Option.isNone(yield* store.head(freshAddress())))
    }))

  it.effect("STO-13 a copy goes to the other bucket with new headers, and outlives what it was made of", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const { at: from } = yield* stored(content(100))
      const to = freshAddress("public")
      const asked = { contentType: "text/plain", contentDisposition: "attachment", cacheControl: "public, max-age=7" }
      const copy = Option.getOrThrow(yield* store.copy(from, to, asked))
      assert.strictEqual(copy.sizeBytes, 100)
      assert.strictEqual(Option.getOrThrow(yield* store.head(to)).etag, copy.etag)
      assert.deepStrictEqual(yield* read(from), content(100))
      yield* store.remove([from])
      const answer = yield* request(store.publicUrl(to.key))
      assert.deepStrictEqual(answer.bytes, content(100))
      assert.strictEqual(answer.headers.get("content-type"), asked.contentType)
      assert.strictEqual(cacheControlOf(answer), asked.cacheControl)
    }))

  it.effect("STO-13 a copy replaces what is there, and copies nothing from nothing", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const { at: from } = yield* stored(content(100))
      const { at: to } = yield* stored(content(50, 1))
      yield* store.copy(from, to, headers)
      assert.deepStrictEqual(yield* read(to), content(100))
      assert.isTrue(Option.isNone(yield* store.copy(freshAddress(), to, headers)))
      assert.deepStrictEqual(yield* read(to), content(100))
    }))

  it.effect("STO-13 a copy onto itself changes an object's headers, and neither its bytes nor its link", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const { at: from } = yield* stored(content(100))
      const at = freshAddress("public")
      yield* store.copy(from, at, headers)
      const renamed = { ...headers, contentDisposition: "attachment; filename=\"new.bin\"" }
      const copy = Option.getOrThrow(yield* store.copy(at, at, renamed))
      assert.strictEqual(Option.getOrThrow(yield* store.head(at)).etag, copy.etag)
      const answer = yield* request(store.publicUrl(at.key))
      assert.deepStrictEqual(answer.bytes, content(100))
      assert.strictEqual(answer.headers.get("content-disposition"), renamed.contentDisposition)
    }))

  it.effect("STO-15 removing counts as done for what is not there, and for many at once", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const objects = yield* Effect.forEach([1, 2, 3], (seed) => stored(content(10, seed)))
      const there = objects.map(({ at }) => at)
      assert.deepStrictEqual(yield* store.remove([...there, freshAddress(), freshAddress("public")]), [])
      for (const at of there) assert.isTrue(Option.isNone(yield* store.head(at)))
      assert.deepStrictEqual(yield* store.remove(there), [])
      assert.deepStrictEqual(yield* store.remove([]), [])
    }))

  it.effect("STO-16 objects below a prefix are listed, those of the other bucket not", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const folder = freshAddress().key
      const names = ["b", "a", "a/b", "a-b", "Z", "a0", "c_d"]
      for (const name of names) yield* stored(content(3), { bucket: "private", key: `${folder}/${name}` })
      yield* stored(content(3), { bucket: "public", key: `${folder}/elsewhere` })
      yield* stored(content(3), { bucket: "private", key: `${folder}0` })
      const listed = yield* Stream.runCollect(store.list("private", `${folder}/`))
      assert.deepStrictEqual(listed.map(({ key }) => key).sort(), names.map((name) => `${folder}/${name}`).sort())
      assert.deepStrictEqual(new Set(listed.map(({ sizeBytes }) => sizeBytes)), new Set([3]))
      const narrowed = yield* Stream.runCollect(store.list("private", `${folder}/a`))
      assert.deepStrictEqual(narrowed.map(({ key }) => key.slice(folder.length)).sort(), ["/a", "/a-b", "/a/b", "/a0"])
    }))

  it.effect("STO-16 more objects than a page holds are all listed", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const folder = freshAddress().key
      const keys = Array.from({ length: 1_005 }, (_, i) => `${folder}/${String(i).padStart(5, "0")}`)
      yield* Effect.forEach(keys, (key) => stored(content(1), { bucket: "private", key }), { concurrency: 16 })
      const list = Stream.runCollect(store.list("private", folder))
      assert.deepStrictEqual((yield* list).map(({ key }) => key).sort(), keys)
      // Run again, it lists anew.
      assert.strictEqual((yield* list).length, keys.length)
    }), 60_000)

  it.effect("STO-17 open uploads are listed with their bucket's, and no others", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const [kept, aborted, elsewhere] = [freshAddress(), freshAddress(), freshAddress("public")]
      const uploadId = yield* store.createUpload(kept, headers)
      yield* store.abortUpload(aborted, yield* store.createUpload(aborted, headers))
      yield* store.createUpload(elsewhere, headers)
      const list = Stream.runCollect(store.listUploads("private"))
      const listed = yield* list
      const again = (yield* list).filter(({ key }) => key === kept.key)
      assert.deepStrictEqual(again.map(({ uploadId }) => uploadId), [uploadId])
      const mine = listed.filter(({ key }) => [kept.key, aborted.key, elsewhere.key].includes(key))
      assert.deepStrictEqual(mine.map(({ key, uploadId }) => ({ key, uploadId })), [{ key: kept.key, uploadId }])
      const ageMillis = DateTime.toEpochMillis(yield* DateTime.now) -
        DateTime.toEpochMillis(mine[0]?.startTime ?? DateTime.makeUnsafe(0))
      assert.isBelow(Math.abs(ageMillis), 60_000)
    }))

  it.effect("STO-17 a store that works passes its check", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      yield* store.check
    }))
}
