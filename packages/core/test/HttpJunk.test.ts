/** Whatever comes in, the answer is an ApiError or a success, and never a fault of the server. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { DriveHttp } from "../src/http/DriveHttp.ts"
import { driveRoutes } from "./driveRoutes.ts"
import { signedIn, testHttp } from "./TestHttp.ts"

/** Without the one that takes an API token instead of a session. */
const routes = driveRoutes.filter((route) => route !== "/exchange-token")

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "\u0000",
    "\ud800",
    "",
    "019845e1-682f-7b02-a706-3b2422d13aec",
    "users/",
    "../..",
    "\u2028",
    "a".repeat(2_000)
  )
)
const scalar = fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constantFrom(null, -0, 2 ** 53, 1e308))
const value = fc.letrec((tie) => ({
  any: fc.oneof({ depthSize: "small" }, scalar, fc.array(tie("any"), { maxLength: 4 }), tie("object")),
  object: fc.dictionary(
    fc.oneof(
      fc.constantFrom(
        "id",
        "fileId",
        "fileName",
        "fileSize",
        "type",
        "objectKey",
        "mimeType",
        "token",
        "partNumbers",
        "name",
        "permissions",
        "folder",
        "expireTime",
        "description",
        "creator",
        "isPublic",
        "__proto__",
        "constructor",
        "toString"
      ),
      text
    ),
    tie("any"),
    { maxKeys: 8 }
  )
}))

/** A body that nearly fits: the fields are there, and one or two of them are junk. */
const nearly = (userId: string) =>
  fc.record({
    id: fc.oneof(fc.uuid(), scalar),
    fileId: fc.oneof(fc.uuid(), scalar),
    token: text,
    partNumbers: fc.oneof(fc.array(fc.integer(), { maxLength: 5 }), value.any),
    type: fc.oneof(fc.constantFrom("Other", "Video"), scalar),
    fileName: text,
    fileSize: fc.oneof(fc.nat(), fc.double(), scalar),
    objectKey: text.map((key) => `users/${userId}/${key}`),
    description: text,
    name: text,
    expireTime: fc.oneof(fc.date({ noInvalidDate: true }).map((date) => date.toISOString()), scalar)
  }, { requiredKeys: [] })

const isApiError = (body: unknown, status: number) => {
  const { code, error, retryable, ...rest } = body as Record<string, unknown>
  assert.strictEqual(typeof error, "string")
  assert.match(String(code), /^[a-z_]+$/)
  assert.strictEqual(retryable, [429, 500, 502, 503].includes(status))
  assert.includeMembers(["field", "parts", "reference"], Object.keys(rest))
}

layer(testHttp())("junk", (it) => {
  it.effect("ERR-14 no body brings a fault, and every refusal is an ApiError", () =>
    Effect.gen(function*() {
      const { fetch } = yield* DriveHttp
      const { token, userId } = yield* signedIn
      const body = fc.oneof(
        { weight: 3, arbitrary: nearly(userId).map((body) => JSON.stringify(body)) },
        { weight: 2, arbitrary: fc.array(nearly(userId), { maxLength: 3 }).map((body) => JSON.stringify(body)) },
        { weight: 3, arbitrary: value.any.map((body) => JSON.stringify(body)) },
        { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
        { weight: 1, arbitrary: fc.nat({ max: 20_000 }).map((depth) => "[".repeat(depth)) },
        { weight: 1, arbitrary: fc.nat({ max: 20_000 }).map((depth) => `${"[".repeat(depth)}${"]".repeat(depth)}`) }
      )
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.constantFrom(...routes), body, async (route, body) => {
            const response = await fetch(
              new Request(`http://drive.test/api${route}`, {
                method: "POST",
                headers: {
                  authorization: `Bearer ${token}`,
                  "x-service-app": "filedrive",
                  "content-type": "application/json"
                },
                body: body as BodyInit
              })
            )
            const answer = await response.json()
            assert.isBelow(response.status, 500, JSON.stringify(answer))
            if (response.status !== 200) isApiError(answer, response.status)
          }),
          { numRuns: 400 }
        )
      )
    }), 60_000)

  it.effect(
    "ERR-14 no path, method or header brings a fault, and every refusal is an ApiError",
    () =>
      Effect.gen(function*() {
        const { fetch } = yield* DriveHttp
        const { token } = yield* signedIn
        const printable = fc.string({
          unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code))
        })
        const path = fc.oneof(
          fc.webPath(),
          printable.map((path) => `/api/${path}`),
          printable.map((path) => `/${path}`),
          fc.constantFrom(...routes).map((route) => `/api${route}`),
          fc.constantFrom(
            "/auth/exchange-token",
            "/readyz",
            "/healthz",
            "/api/openapi.json",
            "/api/docs",
            "//",
            "/api/..;/"
          )
        )
        const headers = fc.dictionary(
          fc.constantFrom(
            "authorization",
            "x-service-app",
            "content-type",
            "content-length",
            "content-encoding",
            "origin",
            "cookie",
            "traceparent"
          ),
          fc.oneof(printable, fc.constantFrom(`Bearer ${token}`, "filedrive", "application/json", "-1", "1e9", "NaN"))
        )
        const method = fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND")
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(path, method, headers, async (path, method, headers) => {
              const response = await fetch(new Request(`http://drive.test${path}`, { method, headers }))
              const body = await response.text()
              assert.isBelow(response.status, 500, body)
              if (response.status >= 400 && method !== "HEAD") isApiError(JSON.parse(body), response.status)
            }),
            { numRuns: 400 }
          )
        )
      }),
    60_000
  )
})
