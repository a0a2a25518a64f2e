/** What every operation states of itself, and whether it is so. */
import { assert, describe, it as test, layer } from "@effect/vitest"
import { Context, Effect, Result, Schema } from "effect"
import { type HttpApi, HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import { ApiTokens } from "../src/accounts/ApiTokens.ts"
import { permissions, type unlimited } from "../src/accounts/CurrentAccount.ts"
import { ExchangeApi } from "../src/accounts/ExchangeApi.ts"
import { Sessions } from "../src/accounts/Sessions.ts"
import { Api } from "../src/http/Api.ts"
import { DriveHttp } from "../src/http/DriveHttp.ts"
import { defaults } from "../src/http/HttpConfig.ts"
import * as OpenApiDocument from "../src/http/OpenApiDocument.ts"
import * as Operation from "../src/http/Operation.ts"
import * as Payload from "../src/http/Payload.ts"
import { isPublic } from "../src/http/PublicLink.ts"
import { Session } from "../src/http/Session.ts"
import * as Given from "../src/shared/Given.ts"
import * as Checked from "./Checked.ts"
import { exchange, newUser, send, testHttp } from "./TestHttp.ts"

type Endpoint = HttpApiEndpoint.Top

const endpointsOf = (api: HttpApi.Top): ReadonlyArray<Endpoint> =>
  Object.values(api.groups as Record<string, HttpApiGroup.Top>).flatMap((group) => Object.values(group.endpoints))

const driveEndpoints = endpointsOf(Api as unknown as HttpApi.Top)
const ownEndpoints = driveEndpoints.filter((endpoint) => !isPublic(endpoint))
const publicEndpoints = driveEndpoints.filter(isPublic)
const endpoints = [...endpointsOf(ExchangeApi as unknown as HttpApi.Top), ...driveEndpoints]

const routes = new Set(endpoints.map(({ path }) => path))
const tools = new Set(
  endpoints.filter((endpoint) => Operation.of(endpoint).tool !== null).map(({ path }) =>
    path.slice(1).replaceAll("-", "_")
  )
)

const descriptionOf = ({ annotations }: Pick<Endpoint, "annotations">) =>
  Context.getOrUndefined(annotations, OpenApi.Description)

describe("what an operation states", () => {
  test("OPS-1 an endpoint that states nothing is refused", () => {
    const planted = HttpApiEndpoint.post("plantFiles", "/plant-files")
    assert.throws(() => Operation.of(planted), /plantFiles/)
    assert.throws(
      () => Operation.of(planted.annotateMerge(OpenApi.annotations({ description: "Plants." }))),
      /plantFiles/
    )
  })

  test("OPS-1 every operation of the drive states what a surface needs to know", () => {
    assert.isAbove(endpoints.length, 60)
    for (const endpoint of endpoints) {
      const { effect, isRepeatable, permissions, tool } = Operation.of(endpoint)
      // Of a session without limits, or of a token itself.
      const isUnlimited = /-api-tokens?$|-(?:waiting|agent)-tasks?$|^\/exchange-token$/.test(endpoint.path)
      assert.strictEqual(permissions.length === 0, isUnlimited || isPublic(endpoint), `${endpoint.path}: permissions`)
      assert.isTrue(!isPublic(endpoint) || tool === null, `${endpoint.path}: a program acts for a user`)
      assert.isTrue(isRepeatable || effect !== "reads", `${endpoint.path}: what only reads is repeatable`)
      assert.isTrue(tool === null || tool.endsWith("."), `${endpoint.path}: tool`)
    }
  })

  test("TASK-116 every tool that deletes or needs the permission share states what the user's words must ask for", () => {
    const free = new Set(["/set-review-note-resolved"])
    for (const endpoint of endpoints) {
      const { effect, needsConsent, permissions, tool } = Operation.of(endpoint)
      const isGrave = effect === "deletes" || effect === "changes" && permissions.includes("share")
      assert.isTrue(
        tool === null || !isGrave || needsConsent !== undefined || free.has(endpoint.path),
        `${endpoint.path}: needsConsent`
      )
      assert.isTrue(needsConsent === undefined || tool !== null && effect !== "reads", `${endpoint.path}: needsConsent`)
    }
  })

  test("OPS-2 every operation is described, and the routes and tools that descriptions name are there", () => {
    for (const endpoint of endpoints) {
      const description = descriptionOf(endpoint) ?? ""
      assert.match(description, /^[A-Z][^]{20,}\.$/, endpoint.path)
      for (const [, route] of description.matchAll(/`(\/[a-z]+(?:-[a-z]+)+)`/g)) {
        assert.isTrue(routes.has(route!), `${endpoint.path} names ${route}`)
      }
      for (const [name] of (Operation.of(endpoint).tool ?? "").matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)) {
        assert.isTrue(tools.has(name), `${endpoint.path}: its tool names ${name}`)
      }
    }
  })

  for (const endpoint of endpoints) {
    const { answer, request } = Operation.of(endpoint).example

    test(`OPS-3 the example request of ${endpoint.path} is accepted, and has no field but the declared ones`, () => {
      const body = Payload.bodyOf(endpoint).body ?? endpoint.query
      assert.strictEqual(request === undefined, body === undefined)
      if (body === undefined) return
      const read = Given.exactReader(body as Schema.Codec<unknown>)(request)
      assert.isTrue(Result.isSuccess(read), JSON.stringify(Result.isFailure(read) && read.failure))
    })

    test(`OPS-3 the example answer of ${endpoint.path} is one that it declares`, () => {
      const [success] = endpoint.success
      const codec = success as unknown as Schema.Codec<unknown>
      const decoded = Schema.decodeUnknownSync(codec, { onExcessProperty: "error" })(answer)
      assert.deepStrictEqual(Schema.encodeUnknownSync(codec)(decoded), answer)
    })
  }
})

/** Sends the example of an operation. */
const sendExample = Effect.fnUntraced(function*(endpoint: Endpoint, headers: Readonly<Record<string, string>>) {
  const { fetch } = yield* DriveHttp
  const { request } = Operation.of(endpoint).example
  const isInUrl = endpoint.method === "GET"
  const query = isInUrl ? `?${new URLSearchParams(request as Record<string, string>)}` : ""
  return yield* Effect.promise(async () => {
    const response = await fetch(
      new Request(`http://drive.test/api${endpoint.path}${query}`, {
        method: endpoint.method,
        headers: { ...headers, "content-type": "application/json" },
        ...(!isInUrl && request !== undefined && { body: JSON.stringify(request) })
      })
    )
    if (response.headers.get("content-type")?.includes("json") === true) {
      return { status: response.status, code: (await response.json()).code as string | undefined }
    }
    await response.body?.cancel()
    return { status: response.status, code: undefined }
  })
})

const signedBy = (token: string) => ({ authorization: `Bearer ${token}`, "x-service-app": "filedrive" })

layer(testHttp(), { timeout: "120 seconds" })("the permission that an operation states", (it) => {
  const sessionOf = Effect.fnUntraced(function*(limits: typeof unlimited.permissions) {
    const sessions = yield* Sessions
    return (yield* sessions.open(yield* newUser(), { permissions: limits, folderId: null })).token
  })

  for (const endpoint of ownEndpoints) {
    const needed = Operation.of(endpoint).permissions

    // What every token may do has no other token.
    if (needed.length < permissions.length) {
      it.effect(`OPS-4 ${endpoint.path} is 403 token_limit for a token that may do all but ${needed.join(", ") || "nothing"}`, () =>
        Effect.gen(function*() {
          const token = yield* sessionOf(permissions.filter((one) => !needed.includes(one)))
          assert.deepStrictEqual(yield* sendExample(endpoint, signedBy(token)), { status: 403, code: "token_limit" })
        }))
    }

    for (const permission of needed.length === 0 ? [null] : needed) {
      it.effect(`OPS-4 ${endpoint.path} is no matter of limits for a token ${permission === null ? "without any" : `that may ${permission}`}`, () =>
        Effect.gen(function*() {
          const token = yield* sessionOf(permission === null ? null : [permission])
          const { code, status } = yield* sendExample(endpoint, signedBy(token))
          assert.notStrictEqual(code, "token_limit")
          assert.isBelow(status, 500)
        }))
    }
  }

  for (const endpoint of publicEndpoints) {
    it.effect(`OPS-4 LINK-1 ${endpoint.path} needs no session and no app header, and has no use for them`, () =>
      Effect.gen(function*() {
        assert.isFalse((endpoint.middlewares as ReadonlySet<unknown>).has(Session))
        const bare = yield* sendExample(endpoint, {})
        assert.notInclude([401, 403], bare.status)
        assert.isBelow(bare.status, 500)
        assert.deepStrictEqual(yield* sendExample(endpoint, signedBy(yield* sessionOf(["read"]))), bare)
        assert.deepStrictEqual(yield* sendExample(endpoint, { authorization: "Bearer gone" }), bare)
      }))
  }

  it.effect("OPS-4 every API token may be exchanged, whatever its limits", () =>
    Effect.gen(function*() {
      const text = "fdt_limited000000000000000000000000"
      const limits = { permissions: ["read"], folderId: null } as const
      yield* (yield* ApiTokens).register(yield* newUser(), Checked.tokenText(text), {
        name: Checked.tokenName("limited"),
        limits,
        expireTime: null
      })
      assert.strictEqual((yield* exchange(text)).status, 200)
    }))

  it.effect("OPS-6 the page for people shows description, permission and example", () =>
    Effect.gen(function*() {
      const { body } = yield* send("/api/docs", { method: "GET" })
      const section = String(body).split("<article ").find((one) => one.startsWith("id=\"selectImports\""))!
      assert.include(section, "Returns the states of imports")
      assert.include(section, "A limited token needs the permission <code>add</code> or <code>read</code>.")
      assert.include(section, "&#34;receivedBytes&#34;: 1048576")
    }))
})

describe("the OpenAPI document", () => {
  // oxlint-disable-next-line no-explicit-any
  const { paths }: any = JSON.parse(JSON.stringify(OpenApiDocument.make(defaults)))

  for (const endpoint of endpoints) {
    test(`OPS-5 says what ${endpoint.path} states of itself, with its example`, () => {
      const { description, parameters, requestBody, responses, "x-operation": stated } =
        paths[endpoint.path][endpoint.method.toLowerCase()]
      const { example, ...rest } = Operation.of(endpoint)
      assert.strictEqual(description, descriptionOf(endpoint))
      assert.deepStrictEqual(stated, rest)
      const [answer] = Object.values<{ readonly example: unknown }>(responses["200"].content)
      assert.deepStrictEqual(answer!.example, example.answer)
      if (endpoint.query === undefined) {
        assert.deepStrictEqual(requestBody?.content["application/json"].example, example.request)
      } else {
        for (const [name, value] of Object.entries(example.request as object)) {
          assert.deepInclude(parameters.find((one: { readonly name: string }) => one.name === name), { example: value })
        }
      }
    })
  }

  test("OPS-5 fields of a new API token that are always refused are not shown as if they were taken", () => {
    const { schema } = paths["/create-api-token"].post.requestBody.content["application/json"]
    assert.hasAllKeys(schema.properties, ["name", "permissions", "folder", "expireTime"])
  })
})
