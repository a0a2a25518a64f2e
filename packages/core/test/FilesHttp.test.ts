/** Files and the library as they are on the wire. */
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { unlimited } from "../src/accounts/CurrentAccount.ts"
import { Sessions } from "../src/accounts/Sessions.ts"
import { Database } from "../src/database/Database.ts"
import { FileRecord } from "../src/files/FileRecord.ts"
import { DriveHttp } from "../src/http/DriveHttp.ts"
import { StorageUsage } from "../src/library/StorageUsage.ts"
import type { AccountId } from "../src/shared/Ids.ts"
import { addFile, unknownFile } from "./FilesTest.ts"
import { call, send, signedIn, testHttp } from "./TestHttp.ts"

const withFile = Effect.gen(function*() {
  const { token, userId } = yield* signedIn
  return { token, userId, id: yield* addFile(userId, { fileName: "first.txt" }) }
})

/** Without a session, but with the app header. */
const anonymous = (route: string, body: unknown) =>
  send(`/api${route}`, {
    method: "POST",
    headers: { "x-service-app": "filedrive", "content-type": "application/json" },
    body: JSON.stringify(body)
  })

const limitedSession = Effect.fnUntraced(function*(userId: AccountId, permissions: typeof unlimited.permissions) {
  const sessions = yield* Sessions
  return (yield* sessions.open(userId, { ...unlimited, permissions })).token
})

layer(testHttp(), { timeout: "60 seconds" })("files over HTTP", (it) => {
  it.effect("DL-1 DL-2 a link for its owner, and for anyone once the file is public", () =>
    Effect.gen(function*() {
      const { id, token } = yield* withFile
      const mine = yield* call(token, "/generate-download-url", { id })
      assert.strictEqual(mine.status, 200)
      yield* Schema.decodeUnknownEffect(FileRecord)(mine.body)
      assert.deepInclude((yield* anonymous("/generate-download-url", { id })).body, {
        code: "invalid_field",
        field: "id",
        retryable: false
      })
      const opened = yield* call(token, "/toggle-file-access", { id })
      const theirs = yield* anonymous("/generate-download-url", { id })
      assert.deepStrictEqual(theirs.body, { ...opened.body, folder: null, objectKey: null })
    }))

  it.effect("DL-2 SEC-2 without a session a private id and an unknown one read the same", () =>
    Effect.gen(function*() {
      const { id } = yield* withFile
      const [hidden, unknown] = [
        yield* anonymous("/generate-download-url", { id }),
        yield* anonymous("/generate-download-url", { id: unknownFile })
      ]
      assert.deepStrictEqual([hidden.status, hidden.body], [400, unknown.body])
    }))

  it.effect("DL-4 with a session both are 403 file_not_found", () =>
    Effect.gen(function*() {
      const { id } = yield* withFile
      const { token } = yield* signedIn
      for (const wanted of [id, unknownFile]) {
        const answer = yield* call(token, "/generate-download-url", { id: wanted })
        assert.deepStrictEqual([answer.status, answer.body.code], [403, "file_not_found"])
      }
    }))

  it.effect.each([
    { route: "/generate-download-url", body: {}, code: "missing_field", field: "id" },
    { route: "/generate-download-url", body: { id: "x" }, code: "invalid_field", field: "id" },
    { route: "/toggle-file-access", body: { id: 7 }, code: "invalid_field", field: "id" },
    { route: "/rename-file", body: { fileId: unknownFile }, code: "missing_field", field: "fileName" },
    { route: "/rename-file", body: { fileId: unknownFile, fileName: "" }, code: "invalid_field", field: "fileName" },
    {
      route: "/rename-file",
      body: { fileId: unknownFile, fileName: "a\nb" },
      code: "invalid_field",
      field: "fileName"
    },
    {
      route: "/rename-file",
      body: { fileId: unknownFile, fileName: "é".repeat(513) },
      code: "invalid_field",
      field: "fileName"
    },
    {
      route: "/update-file-description",
      body: { fileId: unknownFile, description: "x".repeat(10_001) },
      code: "invalid_field",
      field: "description"
    },
    { route: "/update-file-description", body: { fileId: unknownFile }, code: "missing_field", field: "description" },
    { route: "/trash-files", body: [{ id: unknownFile }, {}], code: "missing_field", field: "[1].id" }
  ])(
    "DL-3 ERR-3 $route $body is 400 naming $field",
    ({ body, code, field, route }) =>
      Effect.gen(function*() {
        const { token } = yield* signedIn
        const answer = yield* call(token, route, body)
        assert.deepInclude(answer.body, { code, field, retryable: false })
        assert.strictEqual(answer.status, 400)
      })
  )

  it.effect("LIM-2 TR-11 one to a hundred files are taken by a call, none and more are not", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const refs = (count: number) => Array.from({ length: count }, () => ({ id: unknownFile }))
      for (const route of ["/trash-files", "/delete-files"]) {
        assert.strictEqual((yield* call(token, route, refs(100))).status, 200)
        for (const count of [0, 101]) {
          const answer = yield* call(token, route, refs(count))
          assert.deepStrictEqual([answer.status, answer.body.code], [400, "invalid_field"])
        }
      }
      assert.strictEqual((yield* call(token, "/restore-files", refs(101))).status, 200)
      assert.strictEqual((yield* call(token, "/restore-files", [])).status, 400)
    }))

  it.effect("META-1 META-2 META-3 names and descriptions of the longest length; 404 for another's file", () =>
    Effect.gen(function*() {
      const { id, token } = yield* withFile
      const fileName = "é".repeat(512)
      const renamed = yield* call(token, "/rename-file", { fileId: id, fileName })
      assert.strictEqual(renamed.body.fileName, fileName)
      const description = "x".repeat(10_000)
      const described = yield* call(token, "/update-file-description", { fileId: id, description })
      assert.deepStrictEqual([described.status, described.body], [200, {}])
      const { body: [listed] } = yield* call(token, "/select-user-files")
      assert.deepInclude(listed, { id, fileName, description })
      const { token: stranger } = yield* signedIn
      for (const route of ["/rename-file", "/update-file-description"]) {
        const answer = yield* call(stranger, route, { fileId: id, fileName: "x", description: "x" })
        assert.deepStrictEqual([answer.status, answer.body.code], [404, "not_found"])
      }
    }))

  it.effect("TR-1 TR-2 TR-3 TR-4 TR-5 the trash, as answers", () =>
    Effect.gen(function*() {
      const { id, token, userId } = yield* withFile
      const second = yield* addFile(userId)
      const refs = [{ id }, { id: second }]
      assert.deepStrictEqual((yield* call(token, "/trash-files", refs)).body, { trashed: [id, second] })
      const trash = yield* call(token, "/select-trashed-files")
      assert.sameMembers(trash.body.map((file: FileRecord) => file.id), [id, second])
      assert.deepStrictEqual((yield* call(token, "/restore-files", [{ id }])).body, { restored: [id] })
      assert.deepStrictEqual((yield* call(token, "/purge-trashed-files")).body, {})
      const usage = yield* call(token, "/get-user-storage-usage")
      yield* Schema.decodeUnknownEffect(StorageUsage)(usage.body)
      assert.deepInclude(usage.body, { usedBytes: 10, objectCount: 1, trashedBytes: 0 })
      assert.deepStrictEqual((yield* call(token, "/delete-files", refs)).body, { deleted: [id] })
      assert.deepStrictEqual((yield* call(token, "/select-user-files")).body, [])
    }))

  it.effect("AUTH-8 each route asks for its permission", () =>
    Effect.gen(function*() {
      const { id, userId } = yield* withFile
      const token = yield* limitedSession(userId, ["add"])
      const routes = [
        ["/generate-download-url", { id }],
        ["/rename-file", { fileId: id, fileName: "x" }],
        ["/update-file-description", { fileId: id, description: "x" }],
        ["/toggle-file-access", { id }],
        ["/select-user-files", undefined],
        ["/select-trashed-files", undefined],
        ["/get-user-storage-usage", undefined],
        ["/trash-files", [{ id }]],
        ["/restore-files", [{ id }]],
        ["/purge-trashed-files", undefined],
        ["/delete-files", [{ id }]]
      ] as const
      for (const [route, body] of routes) {
        const answer = yield* call(token, route, body)
        assert.deepStrictEqual([answer.status, answer.body.code], [403, "token_limit"], route)
      }
    }))

  it.effect("LIB-5 a long list is sent piece by piece, its first piece before the last is read", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const { fetch } = yield* DriveHttp
      const { token, userId } = yield* signedIn
      yield* sql`
        INSERT INTO ${t.files} (id, account_id, type, file_name, mime_type, size, object_key, store_key, etag, insert_time)
        SELECT gen_random_uuid(), ${userId}, 'Text', 'f' || n, 'text/plain', 0, 'k' || n, ${userId}::text || n, 'e',
          to_timestamp(n)
        FROM generate_series(1, 5000) n
      `
      const response = yield* Effect.promise(() =>
        fetch(
          new Request("http://drive.test/api/select-user-files", {
            method: "POST",
            headers: { authorization: `Bearer ${token}`, "x-service-app": "filedrive" }
          })
        )
      )
      assert.strictEqual(response.headers.get("content-type"), "application/json")
      assert.isNull(response.headers.get("content-length"))
      const reader = response.body!.getReader()
      const pieces: Array<string> = []
      const decoder = new TextDecoder()
      const readPiece = Effect.promise(() => reader.read())
      for (let piece = yield* readPiece; !piece.done; piece = yield* readPiece) pieces.push(decoder.decode(piece.value))
      assert.isAtLeast(pieces.length, 6)
      assert.isTrue(pieces.every((piece) => piece.length < 1_000_000))
      const records: ReadonlyArray<FileRecord> = JSON.parse(pieces.join(""))
      assert.deepStrictEqual([records.length, records[0]!.fileName, records.at(-1)!.fileName], [5_000, "f5000", "f1"])
    }))
})
