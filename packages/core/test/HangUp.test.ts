/** What becomes of a call whose caller disconnects: where it is interrupted, and what it leaves. */
import { assert, layer } from "@effect/vitest"
import { MemoryObjectStore, TestMediaTools } from "@filedrive/testing"
import { Effect } from "effect"
import { FormEnds } from "../src/uploads/FormEnds.ts"
import { addFile } from "./FilesTest.ts"
import { begin, gate, status } from "./HangUps.ts"
import { call, signedIn, testHttp } from "./TestHttp.ts"

layer(testHttp())("Hanging up", (it) => {
  it.effect("HOST-18 a call that reads ends where it stands", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const { fault, interrupted, reached } = yield* gate
      yield* (yield* TestMediaTools).plant("still", fault)
      const fileId = yield* addFile(userId, { type: "Image", mimeType: "image/png" })
      const { answered, hangUp } = yield* begin(token, "/read-file", JSON.stringify({ fileId }))
      yield* reached.await
      yield* hangUp
      yield* interrupted.await
      assert.strictEqual(yield* status(answered), 499)
    }))

  it.effect("HOST-18 a call that changes something ends while its tools are at work, and leaves everything as it was", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const memory = yield* MemoryObjectStore
      const { fault, interrupted, reached } = yield* gate
      yield* (yield* TestMediaTools).plant("frame", fault)
      const videoId = yield* addFile(userId, { type: "Video", mimeType: "video/mp4" })
      const before = yield* memory.objects
      const { answered, hangUp } = yield* begin(
        token,
        "/set-video-thumbnail",
        JSON.stringify({ videoId, timestampSeconds: 1 })
      )
      yield* reached.await
      yield* hangUp
      yield* interrupted.await
      assert.strictEqual(yield* status(answered), 499)
      assert.deepStrictEqual(yield* memory.objects, before)
      const [file] = (yield* call(token, "/select-user-files")).body
      assert.strictEqual(file.thumbnailUrl, null)
    }))

  it.effect.each(["head", "copy"] as const)(
    "HOST-19 an insert whose caller disconnects at the store's %s is finished: one file, charged once, nothing left over",
    (method) =>
      Effect.gen(function*() {
        const { token, userId } = yield* signedIn
        const memory = yield* MemoryObjectStore
        const file = {
          type: "Other",
          fileName: "a.bin",
          fileSize: 10,
          objectKey: `users/${userId}/a.bin`
        }
        const { body: form } = yield* call(token, "/generate-file-urls", file)
        const sent = yield* memory.sendZeros({ url: form.uploadUrl, fields: form.uploadForm }, file.fileSize)
        assert.strictEqual(sent, 204)
        const { fault, goOn, reached } = yield* gate
        yield* memory.plant(method, fault)
        const { answered, hangUp } = yield* begin(
          token,
          "/insert-file",
          JSON.stringify({ ...file, isPublic: false, creator: { id: userId } })
        )
        yield* reached.await
        yield* hangUp
        yield* goOn.open
        assert.strictEqual(yield* status(answered), 499)
        const files = (yield* call(token, "/select-user-files")).body
        assert.deepStrictEqual(files.map(({ fileName }: { fileName: string }) => fileName), ["a.bin"])
        const usage = (yield* call(token, "/get-user-storage-usage")).body
        assert.deepInclude(usage, { usedBytes: 10, objectCount: 1, pendingBytes: 0 })
        yield* FormEnds.use((ends) => ends.cleared)
        assert.lengthOf((yield* memory.objects).filter(({ key }) => key.includes(userId)), 1)
      })
  )

  it.effect("HOST-19 a call whose caller disconnects before its body has come is never begun", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      let started = () => {}
      const begun = new Promise<void>((resolve) => {
        started = resolve
      })
      const fileId = yield* addFile(userId, { fileName: "first.txt" })
      const half = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          controller.enqueue(new TextEncoder().encode(`{"fileId":"${fileId}",`))
          started()
          return new Promise(() => {})
        }
      })
      const { answered, hangUp } = yield* begin(token, "/rename-file", half as BodyInit)
      yield* Effect.promise(() => begun)
      yield* hangUp
      assert.strictEqual(yield* status(answered), 499)
      const [file] = (yield* call(token, "/select-user-files")).body
      assert.strictEqual(file.fileName, "first.txt")
    }))
})
