/** The OpenAPI document: complete, and enough for a program to call the drive by it alone. */
import { assert, describe, it as test, layer } from "@effect/vitest"
import { Effect } from "effect"
import { defaults } from "../src/http/HttpConfig.ts"
import * as OpenApiDocument from "../src/http/OpenApiDocument.ts"
import { driveRoutes } from "./driveRoutes.ts"
import { publicRoutes } from "./publicRoutes.ts"
import { type Answer, exchange, send, testHttp, withToken } from "./TestHttp.ts"

// oxlint-disable-next-line no-explicit-any
type Json = any

const document: Json = JSON.parse(JSON.stringify(OpenApiDocument.make({ ...defaults, origin: "https://drive.test" })))
const operations: ReadonlyArray<readonly [string, Json]> = Object.entries<Json>(document.paths).flatMap((
  [path, item]
) => item.post === undefined ? [] : [[path, item.post]])

const resolve = (schema: Json): Json =>
  schema.$ref === undefined ? schema : resolve(document.components.schemas[schema.$ref.split("/").at(-1)])

/** Why `value` does not fit a JSON schema of the kind the document uses, or undefined. */
const misfit = (given: Json, value: Json, at = "$"): string | undefined => {
  const schema = resolve(given)
  if ("const" in schema && value !== schema.const) return `${at} is not ${schema.const}`
  if (schema.enum && !schema.enum.includes(value)) return `${at} is not one of ${schema.enum}`
  const options = schema.anyOf ?? schema.oneOf
  if (options) {
    const misfits = options.map((option: Json) => misfit(option, value, at))
    if (!misfits.includes(undefined)) return misfits.join(", ")
  }
  switch (schema.type) {
    case "string":
    case "boolean":
    case "number":
      return typeof value === schema.type ? undefined : `${at} is not a ${schema.type}`
    case "integer":
      return Number.isInteger(value) ? undefined : `${at} is not an integer`
    case "null":
      return value === null ? undefined : `${at} is not null`
    case "array":
      if (!Array.isArray(value)) return `${at} is no array`
      return value.map((item, index) => misfit(schema.items, item, `${at}[${index}]`)).find((found) => found)
    case "object": {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return `${at} is no object`
      const absent = (schema.required ?? []).find((name: string) => !(name in value))
      if (absent) return `${at}.${absent} is missing`
      for (const [name, inner] of Object.entries(value)) {
        const property = schema.properties?.[name] ?? schema.additionalProperties
        if (property === undefined || property === false) return `${at}.${name} is not declared`
        const found = property === true ? undefined : misfit(property, inner, `${at}.${name}`)
        if (found) return found
      }
      return undefined
    }
    default:
      return undefined
  }
}

const bodyOf = (content: Json): Json => content?.content?.["application/json"]?.schema

describe("the document", () => {
  test("HOST-8 it is OpenAPI 3.1 of the specification's version, and every reference resolves", () => {
    assert.match(document.openapi, /^3\.1\./)
    assert.strictEqual(document.info.version, "2026.09.28")
    assert.deepStrictEqual(document.servers, [{ url: "https://drive.test/api" }])
    for (const [, ref] of JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      assert.property(document.components.schemas, ref!)
    }
  })

  test("HOST-8 every route of the drive is there", () => {
    assert.sameMembers(operations.map(([path]) => path), driveRoutes)
    assert.strictEqual(new Set(operations.map(([, { operationId }]) => operationId)).size, operations.length)
  })

  test("HOST-8 the live feed is a GET with its parameters", () => {
    const { get, post } = document.paths["/drive-events"]
    assert.isUndefined(post)
    assert.property(get.responses["200"].content, "text/event-stream")
    assert.includeMembers(get.parameters.map(({ name }: Json) => name), ["since", "kinds", "folder", "X-Service-App"])
  })

  const withoutBody = new Set([
    "/get-image-allowance",
    "/exchange-token",
    "/select-api-tokens",
    "/select-waiting-tasks",
    "/select-user-files",
    "/get-user",
    "/get-user-storage-usage",
    "/select-trashed-files",
    "/purge-trashed-files",
    "/select-collections"
  ])

  const withoutSession = new Set(["/generate-download-url", "/select-playlist", "/select-gallery"])

  for (const [path, operation] of operations) {
    test(`HOST-8 ${path} says its request, answer, errors, security and app header`, () => {
      const request = bodyOf(operation.requestBody)
      assert.strictEqual(request === undefined, withoutBody.has(path))
      // A body that may be left out may be null, too.
      const options: ReadonlyArray<Json> = request ? resolve(request).anyOf ?? [request] : []
      for (const option of options) assert.include(["object", "array", "null"], resolve(option).type)
      const answer = resolve(bodyOf(operation.responses["200"]))
      for (const option of answer.anyOf ?? [answer]) assert.include(["object", "array"], resolve(option).type)

      const statuses = Object.keys(operation.responses)
      assert.includeMembers(statuses, ["200", "400", "403", "429", "500", "503"])
      assert.strictEqual(statuses.includes("401"), !publicRoutes.includes(path))
      for (const status of statuses.filter((status) => status !== "200")) {
        const error = resolve(bodyOf(operation.responses[status]))
        assert.includeMembers(error.required, ["error", "code", "retryable"])
        assert.isNotEmpty(resolve(error.properties.code).enum ?? [resolve(error.properties.code).const])
        assert.isNotEmpty(operation.responses[status].description)
      }

      const header = operation.parameters.find(({ name }: Json) => name === "X-Service-App")
      if (path === "/exchange-token") {
        assert.isUndefined(header)
        assert.deepStrictEqual(operation.security, [{ apiToken: [] }])
        assert.deepStrictEqual(operation.servers, [{ url: "https://drive.test/auth" }])
      } else if (publicRoutes.includes(path)) {
        assert.isUndefined(header)
        assert.deepStrictEqual(operation.security, [])
        const access = operation.parameters.find(({ name }: Json) => name === "X-Link-Access")
        assert.deepInclude(access, { in: "header", required: false })
      } else {
        assert.deepInclude(header, { in: "header", required: true, schema: { type: "string", const: "filedrive" } })
        assert.deepStrictEqual(operation.security, withoutSession.has(path) ? [{ bearer: [] }, {}] : [{ bearer: [] }])
      }
    })
  }
})

/** A client made of nothing but the document. */
const client = (tokens: Record<string, string>) => (operationId: string, body?: unknown) => {
  const [path, operation] = operations.find(([, operation]) => operation.operationId === operationId)!
  const [server] = operation.servers ?? document.servers
  const headers: Record<string, string> = { "content-type": "application/json" }
  for (const { in: place, name, required, schema } of operation.parameters) {
    if (place === "header" && required) headers[name] = schema.const
  }
  const [scheme] = Object.keys(operation.security[0])
  assert.deepInclude(document.components.securitySchemes[scheme!], { type: "http", scheme: "bearer" })
  headers["authorization"] = `Bearer ${tokens[scheme!]}`
  return send(new URL(server.url).pathname + path, {
    method: "POST",
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) })
  }).pipe(
    Effect.tap(({ body, status }: Answer) =>
      Effect.sync(() => {
        const declared = operation.responses[String(status)]
        assert.isDefined(declared, `${path} answers an undeclared ${status}: ${JSON.stringify(body)}`)
        assert.isUndefined(misfit(bodyOf(declared), body))
      })
    )
  )
}

layer(testHttp())("a client made from it", (it) => {
  it.effect("HOST-8 calls every route, and every answer is as declared", () =>
    Effect.gen(function*() {
      const userId = yield* withToken("fdt_client0000000000000000000000")
      const tokens: Record<string, string> = { apiToken: "fdt_client0000000000000000000000" }
      const call = client(tokens)
      tokens["bearer"] = (yield* call("exchangeToken")).body.gelToken
      const missing = "019845e1-682f-7b02-a706-3b2422d13aec"
      const file = { type: "Other", fileName: "a.bin", fileSize: 10, objectKey: `users/${userId}/a.bin` }
      const made = (yield* call("createApiToken", { name: "a", permissions: ["read"] })).body
      const upload = (yield* call("createMultipartUpload", { ...file, fileSize: 200 * 1024 ** 2 })).body
      const { token } = upload
      for (
        const [operationId, body, status] of [
          ["selectApiTokens", undefined, 200],
          ["revokeApiToken", { id: made.id }, 200],
          ["revokeApiToken", { id: made.id }, 404],
          ["createApiToken", {}, 400],
          ["signUploadParts", { token, partNumbers: [1, 2] }, 200],
          ["signUploadParts", { token, partNumbers: [9] }, 400],
          ["completeMultipartUpload", { token }, 409],
          ["abortMultipartUpload", { token }, 200],
          ["abortMultipartUpload", { token: "x" }, 403],
          ["generateFileUrls", file, 200],
          ["insertFile", file, 400],
          [
            "generateUploadForms",
            { files: [file, { ...file, objectKey: `${file.objectKey}-2`, fileSize: 10 ** 12 }] },
            200
          ],
          ["insertFiles", { files: [file] }, 200],
          ["insertFiles", { files: [] }, 400],
          ["cancelFileUrls", { objectKey: file.objectKey }, 200],
          ["cancelFileUrls", { objectKey: "users/x" }, 400],
          ["generateDownloadUrl", { id: missing }, 403],
          ["selectUserFiles", undefined, 200],
          ["getUserStorageUsage", undefined, 200],
          ["trashFiles", [{ id: missing }], 200],
          ["restoreFiles", [{ id: missing }], 200],
          ["selectTrashedFiles", undefined, 200],
          ["purgeTrashedFiles", undefined, 200],
          ["deleteFiles", [{ id: missing }], 200],
          ["toggleFileAccess", { id: missing }, 404],
          ["updateFileDescription", { fileId: missing, description: "" }, 404],
          ["renameFile", { fileId: missing, fileName: "b" }, 404],
          ["readFile", { fileId: missing }, 404],
          ["setCover", { imageId: missing, trackId: missing }, 404],
          ["setVideoThumbnail", { videoId: missing, timestampSeconds: 0 }, 404],
          ["selectSimilarTracks", { fileId: missing }, 404],
          ["selectCollections", undefined, 200]
        ] as const
      ) {
        const answer = yield* call(operationId, body)
        assert.strictEqual(answer.status, status, `${operationId}: ${JSON.stringify(answer.body)}`)
      }
      tokens["bearer"] = "nonsense"
      assert.strictEqual((yield* call("selectUserFiles")).status, 401)
      tokens["apiToken"] = "nonsense"
      assert.strictEqual((yield* call("exchangeToken")).status, 401)
    }))

  it.effect("HOST-8 the document is served, and a page for people that needs nothing from elsewhere", () =>
    Effect.gen(function*() {
      const served = yield* send("/api/openapi.json", { method: "GET" })
      assert.strictEqual(served.status, 200)
      assert.deepStrictEqual(Object.keys(served.body.paths), Object.keys(document.paths))
      const page = yield* send("/api/docs", { method: "GET" })
      assert.strictEqual(page.status, 200)
      assert.include(page.headers.get("content-type")!, "text/html")
      assert.include(page.headers.get("content-security-policy")!, "default-src 'none'")
      // Examples may name addresses, but nothing is loaded from them or leads there.
      assert.notMatch(page.body, /(?:(?:src|href)="|url\(|@import )\s*(?:https?:)?\/\//)
      const head = yield* send("/api/docs", { method: "HEAD" })
      assert.deepStrictEqual([head.status, head.body], [200, ""])
    }))

  it.effect("AUTH-1 the exchange answers what the document says", () =>
    Effect.gen(function*() {
      yield* withToken("fdt_other00000000000000000000000")
      const { body } = yield* exchange("fdt_other00000000000000000000000")
      const [, operation] = operations.find(([path]) => path === "/exchange-token")!
      assert.isUndefined(misfit(bodyOf(operation.responses["200"]), body))
    }))
})
