/** What a caller is told while storage has no room, over the routes. */
import { assert, it } from "@effect/vitest"
import { Faults, MemoryObjectStore } from "@filedrive/testing"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { call, signedIn, testHttp } from "./TestHttp.ts"

it.layer(testHttp())("a full storage", (it) => {
  const file = (userId: string, name: string) => ({
    type: "Other",
    fileName: name,
    fileSize: 3,
    objectKey: `users/${userId}/${name}`
  })

  const stored = Effect.fnUntraced(function*(userId: string, token: string, name: string) {
    const memory = yield* MemoryObjectStore
    const { body } = yield* call(token, "/generate-file-urls", file(userId, name))
    yield* memory.sendZeros({ url: body.uploadUrl, fields: body.uploadForm }, 3)
    return (yield* call(token, "/insert-file", { ...file(userId, name), creator: { id: userId } })).body.id as string
  })

  it.effect("UP-52 a form, an upload in parts, an import and an archive that find no room are 503 no_space, and leave nothing", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const { token, userId } = yield* signedIn
      const fileId = yield* stored(userId, token, "there")
      for (
        const [route, body] of [
          ["/generate-file-urls", file(userId, "a")],
          ["/create-multipart-upload", file(userId, "a")],
          ["/import-from-url", { url: "https://files.example.com/a.bin" }],
          ["/create-archive-request", { fileIds: [fileId] }]
        ] as const
      ) {
        yield* memory.plant("room", Faults.noSpace)
        const refused = yield* call(token, route, body)
        assert.deepStrictEqual([route, refused.status, refused.body], [route, 503, {
          error: "The drive's disk is full; try again when there is room.",
          code: "no_space",
          retryable: true
        }])
        assert.deepStrictEqual(yield* memory.openUploads, [])
      }
    }))

  it.effect("UP-52 deleting needs no room", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const { token, userId } = yield* signedIn
      const fileId = yield* stored(userId, token, "there")
      for (const method of ["room", "put", "putPart", "copy", "copyPart", "createUpload"] as const) {
        yield* memory.plant(method, Faults.noSpace, 100)
      }
      const deleted = yield* call(token, "/delete-files", [{ id: fileId }])
      assert.strictEqual(deleted.status, 200)
      // What was uploaded with its form is removed after the insert was answered.
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual((yield* memory.objects).filter(({ key }) => key.includes(userId)), [])
      assert.strictEqual(
        (yield* call(token, "/insert-file", { ...file(userId, "x"), creator: { id: userId } })).status,
        400
      )
    }))
})
