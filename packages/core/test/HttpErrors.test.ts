import { assert, describe, layer } from "@effect/vitest"
import { Faults, MemoryObjectStore } from "@filedrive/testing"
import { Effect } from "effect"
import { DriveHttp } from "../src/http/DriveHttp.ts"
import { type Answer, call, send, signedIn, testHttp } from "./TestHttp.ts"

const told = ({ body, status }: Answer) => ({
  status,
  code: body.code,
  ...(body.field === undefined ? {} : { field: body.field })
})

const missing = "019845e1-682f-7b02-a706-3b2422d13aec"

/** Sends a raw body to a route that takes `{ id }`. */
const raw = Effect.fnUntraced(function*(body: BodyInit | undefined, headers: Record<string, string> = {}) {
  const { token } = yield* signedIn
  return yield* send("/api/generate-download-url", {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "x-service-app": "filedrive",
      "content-type": "application/json",
      ...headers
    },
    ...(body !== undefined && { body }),
    ...(body instanceof ReadableStream && { duplex: "half" })
  })
})

layer(testHttp())("errors over HTTP", (it) => {
  describe("bodies", () => {
    it.effect("ERR-2 a body that is no JSON object is 400 invalid_body, in a sentence", () =>
      Effect.gen(function*() {
        for (
          const [body, headers] of [
            [undefined, {}],
            ["", {}],
            ["{", {}],
            ["null", {}],
            ["7", {}],
            ["\"text\"", {}],
            ["[]", {}],
            ["{}", { "content-type": "text/plain" }],
            ["id=1", { "content-type": "application/x-www-form-urlencoded" }],
            ["{}", { "content-type": "application/jsonx" }],
            ["{}", { "content-encoding": "gzip" }],
            [new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), {}]
          ] as const
        ) {
          const answer = yield* raw(body, headers)
          assert.deepStrictEqual(told(answer), { status: 400, code: "invalid_body" }, String(body))
          assert.match(answer.body.error, /^[A-Z].*\.$/)
          assert.strictEqual(answer.body.retryable, false)
        }
      }))

    it.effect("ERR-2 JSON with a charset, a suffix or no content type at all is JSON", () =>
      Effect.gen(function*() {
        const { token } = yield* signedIn
        const body = new TextEncoder().encode(JSON.stringify({ id: missing }))
        for (
          const type of ["application/json; charset=utf-8", "application/json", "application/vnd.x+json", undefined]
        ) {
          const answer = yield* send("/api/generate-download-url", {
            method: "POST",
            headers: {
              authorization: `Bearer ${token}`,
              "x-service-app": "filedrive",
              ...(type && { "content-type": type })
            },
            body
          })
          assert.deepStrictEqual(told(answer), { status: 403, code: "file_not_found" }, type)
        }
      }))

    it.effect("ERR-2 a body over 4 MiB is 400 without being read, and a streamed one is cut at the limit", () =>
      Effect.gen(function*() {
        const large = JSON.stringify({ id: "x".repeat(4 * 1024 * 1024) })
        assert.deepStrictEqual(told(yield* raw(large)), { status: 400, code: "invalid_body" })
        let pulled = 0
        const endless = new ReadableStream<Uint8Array>({
          pull: (controller) => {
            pulled += 65_536
            controller.enqueue(new Uint8Array(65_536).fill(32))
          }
        })
        assert.deepStrictEqual(told(yield* raw(endless)), { status: 400, code: "invalid_body" })
        assert.isBelow(pulled, 5 * 1024 * 1024)
        const untouched = new ReadableStream<Uint8Array>({ pull: () => Promise.reject(new Error("It was read.")) }, {
          highWaterMark: 0
        })
        const answer = yield* raw(untouched, { "content-length": String(5 * 1024 * 1024) })
        assert.include(answer.body.error, "larger")
      }))

    it.effect("ERR-12 a route without a body takes none, an empty one, null and any object; not an array", () =>
      Effect.gen(function*() {
        const { token } = yield* signedIn
        for (const body of [undefined, null, {}, { since: 1 }]) {
          assert.strictEqual((yield* call(token, "/select-user-files", body)).status, 200)
        }
        for (const body of [[], "x", 1]) {
          const answer = yield* call(token, "/select-user-files", body)
          assert.deepStrictEqual(told(answer), { status: 400, code: "invalid_body" })
        }
      }))
  })

  describe("fields", () => {
    it.effect("ERR-3 the first offending field is named with its path, in words for people", () =>
      Effect.gen(function*() {
        const { token, userId } = yield* signedIn
        const file = {
          type: "Other",
          fileName: "a",
          fileSize: 1,
          objectKey: `users/${userId}/a`,
          mimeType: "text/plain"
        }
        for (
          const [route, body, code, field, error] of [
            ["/generate-download-url", {}, "missing_field", "id", "id is missing."],
            ["/generate-download-url", { id: null }, "invalid_field", "id", "id must be text."],
            ["/generate-download-url", { id: 7 }, "invalid_field", "id", "id must be text."],
            ["/generate-download-url", { id: "7" }, "invalid_field", "id", "id must be a UUID."],
            ["/trash-files", [{ id: missing }, {}], "missing_field", "[1].id", "[1].id is missing."],
            ["/trash-files", [{ id: missing }, 7], "invalid_field", "[1]", "[1] must be an object."],
            ["/trash-files", [], "invalid_field", undefined, "The body must have 1 to 100 items."],
            ["/trash-files", {}, "invalid_body", undefined, "The body must be a JSON array."],
            [
              "/insert-file",
              { ...file, creator: { id: 1 } },
              "invalid_field",
              "creator.id",
              "creator.id must be text."
            ],
            ["/insert-file", { ...file, isPublic: 1 }, "invalid_field", "isPublic", "isPublic must be true or false."],
            ["/insert-file", { ...file, fileSize: "1" }, "invalid_field", "fileSize", "fileSize must be a number."],
            [
              "/insert-file",
              { ...file, fileSize: 0.5 },
              "invalid_field",
              "fileSize",
              "fileSize must be a whole number."
            ],
            [
              "/sign-upload-parts",
              { token: "x", partNumbers: [1, 2, 0] },
              "invalid_field",
              "partNumbers[2]",
              "partNumbers[2] must be at least 1."
            ]
          ] as const
        ) {
          const { body: answer, status } = yield* call(token, route, body)
          assert.deepStrictEqual([status, answer.code, answer.field, answer.error], [400, code, field, error])
        }
      }))

    it.effect("ERR-13 text that no database can hold is 400 naming the field, wherever it stands", () =>
      Effect.gen(function*() {
        const { token, userId } = yield* signedIn
        const file = { type: "Other", fileName: "a", fileSize: 1, objectKey: `users/${userId}/a` }
        for (
          const [route, body, field] of [
            ["/generate-file-urls", { ...file, fileName: "\ud800" }, "fileName"],
            ["/generate-file-urls", { ...file, objectKey: `users/${userId}/\ud800` }, "objectKey"],
            ["/insert-file", { ...file, creator: { id: "\u0000" } }, "creator.id"],
            ["/complete-multipart-upload", { token: "\udc00" }, "token"],
            ["/create-api-token", { name: "\u0000" }, "name"]
          ] as const
        ) {
          const answer = yield* call(token, route, body)
          assert.deepStrictEqual(told(answer), { status: 400, code: "invalid_field", field })
        }
        assert.strictEqual((yield* call(token, "/select-user-files", { unknown: "\u0000" })).status, 200)
      }))

    it.effect("ERR-30 with strict handling an unknown field is refused by name, with the known fields", () =>
      Effect.gen(function*() {
        const { token } = yield* signedIn
        for (
          const [route, body, prefer, field, known] of [
            [
              "generate-download-url",
              { id: missing, extra: 1 },
              "handling=strict",
              "extra",
              "; the known ones are id."
            ],
            [
              "generate-download-url",
              { id: missing, extra: 1 },
              "respond-async, Handling = \"strict\"",
              "extra",
              "id."
            ],
            ["generate-download-url", { id: 7, extra: 1 }, "handling=strict", "extra", "id."],
            ["trash-files", [{ id: missing }, { id: missing, name: "x" }], "handling=strict", "[1].name", "id."],
            [
              "search-files",
              { within: { south: 1, west: 1, north: 2, east: 2, up: 1 } },
              "handling=strict",
              "within.up",
              "south, west, north, east."
            ],
            ["select-collections", { folder: "/" }, "handling=strict", "folder", "; there are none."]
          ] as const
        ) {
          const answer = yield* call(token, `/${route}`, body, { prefer })
          assert.deepStrictEqual(told(answer), { status: 400, code: "unknown_field", field }, route)
          assert.isTrue(answer.body.error.startsWith(`${field} is not a known field; `), answer.body.error)
          assert.isTrue(answer.body.error.endsWith(known), answer.body.error)
        }
        const { fetch } = yield* DriveHttp
        const follow = (headers: Readonly<Record<string, string>>) =>
          Effect.promise(async () => {
            const request = new Request("http://drive.test/api/drive-events?after=now&since=never", {
              headers: { authorization: `Bearer ${token}`, "x-service-app": "filedrive", ...headers }
            })
            const answer = await fetch(request)
            return { status: answer.status, headers: answer.headers, body: await answer.json() }
          })
        const query = yield* follow({ prefer: "handling=strict" })
        assert.deepStrictEqual(told(query), { status: 400, code: "unknown_field", field: "after" })
        assert.match(query.body.error, /^after is not a known field; the known ones are since, kinds, /)
        assert.deepInclude(told(yield* follow({})), { status: 400, code: "invalid_field", field: "since" })
        for (const prefer of ["handling=lenient", "handling=strictly", "x-handling=strict", ""]) {
          const answer = yield* call(token, "/generate-download-url", { id: missing, extra: 1 }, { prefer })
          assert.strictEqual(answer.body.code, "file_not_found", prefer)
        }
        assert.strictEqual((yield* call(token, "/search-files", {}, { prefer: "handling=strict" })).status, 200)
        assert.strictEqual((yield* call(token, "/select-user-files", {}, { prefer: "handling=strict" })).status, 200)
      }))

    it.effect("ERR-4 fields nobody knows are ignored, whatever they hold", () =>
      Effect.gen(function*() {
        const answer = yield* raw(
          `{"id":"${missing}","__proto__":{"id":1},"constructor":7,"extra":[{"a":"\\u0000"}],"id2":null}`
        )
        assert.deepStrictEqual(told(answer), { status: 403, code: "file_not_found" })
      }))
  })

  describe("routes", () => {
    it.effect("ERR-6 an unknown route is 404 unknown_route, for every method", () =>
      Effect.gen(function*() {
        for (const path of ["/", "/api", "/api/", "/api/nothing", "/api/trash-files/", "/api/Trash-Files", "/api//x"]) {
          for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
            assert.deepStrictEqual(told(yield* send(path, { method })), { status: 404, code: "unknown_route" }, path)
          }
        }
      }))

    it.effect("ERR-5 a known route with another method is 405 with Allow", () =>
      Effect.gen(function*() {
        for (
          const [path, allow] of [
            ["/api/trash-files", "POST"],
            ["/auth/exchange-token", "POST"],
            ["/healthz", "GET, HEAD"],
            ["/api/openapi.json", "GET, HEAD"]
          ] as const
        ) {
          for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS", allow === "POST" ? "GET" : "POST"]) {
            const answer = yield* send(`${path}?x=1`, { method })
            assert.deepStrictEqual(told(answer), { status: 405, code: "method_not_allowed" })
            assert.strictEqual(answer.headers.get("allow"), allow)
          }
        }
      }))

    it.effect("AUTH-4 401 comes before 400, and the wrong app before both", () =>
      Effect.gen(function*() {
        const { token } = yield* signedIn
        const post = (headers: Record<string, string>) =>
          send("/api/trash-files", { method: "POST", headers: { "content-type": "text/plain", ...headers }, body: "{" })
        const app = { "x-service-app": "filedrive" }
        const session = { authorization: `Bearer ${token}` }
        assert.deepStrictEqual(told(yield* post({})), { status: 403, code: "wrong_app" })
        assert.deepStrictEqual(told(yield* post({ ...session, "x-service-app": "Filedrive" })), {
          status: 403,
          code: "wrong_app"
        })
        assert.deepStrictEqual(told(yield* post(app)), { status: 401, code: "no_session" })
        assert.deepStrictEqual(told(yield* post({ ...app, ...session })), { status: 400, code: "invalid_body" })
      }))

    it.effect("DL-2 AUTH-3 where a session is optional, a bad one is still refused", () =>
      Effect.gen(function*() {
        const post = (headers: Record<string, string>) =>
          send("/api/generate-download-url", {
            method: "POST",
            headers: { "x-service-app": "filedrive", "content-type": "application/json", ...headers },
            body: JSON.stringify({ id: missing })
          })
        assert.deepStrictEqual(told(yield* post({})).status === 401, false)
        assert.deepStrictEqual(told(yield* post({ authorization: "Bearer x" })), { status: 401, code: "no_session" })
      }))
  })

  it.effect("ERR-9 storage that is away is 502 storage_unavailable, and retryable", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      yield* (yield* MemoryObjectStore).plant("signForm", Faults.notReached)
      const file = { type: "Other", fileName: "a", fileSize: 1, objectKey: `users/${userId}/a` }
      const answer = yield* call(token, "/generate-file-urls", file)
      assert.deepStrictEqual(told(answer), { status: 502, code: "storage_unavailable" })
      assert.strictEqual(answer.body.retryable, true)
    }))
})
