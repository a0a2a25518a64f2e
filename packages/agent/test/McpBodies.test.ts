import { assert, describe, it } from "@effect/vitest"
import { Bearers, type Credential, type Ids, Operations, RateLimitsGuard, RequestBody } from "@filedrive/core"
import { Effect, Fiber, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { McpHttp } from "../src/mcp.ts"

/** Each token is another account's. */
const TestTokens = Layer.succeed(
  Bearers,
  Bearers.of({
    resolve: (text) =>
      Effect.succeed(
        {
          id: `0199a000-0000-7000-8000-0000000000b${text}` as Ids.ApiTokenId,
          accountId: `0199a000-0000-7000-8000-0000000000a${text}` as Ids.AccountId,
          limits: { permissions: null, folderId: null },
          name: "token"
        } satisfies Credential
      )
  })
)

const url = "https://drive.test/mcp"
const ping = new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }))

describe("bodies of messages", () => {
  it.effect("MCP-18 a body that arrives slowly is given up when another account waits, to be sent again", () =>
    Effect.gen(function*() {
      const [mount] = yield* McpHttp.make({ path: "/mcp", url, name: "filedrive" })
      const answer = (token: string, body: Effect.Effect<Uint8Array>) => {
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
        const request = HttpServerRequest.fromWeb(new Request(url, { method: "POST", headers, body: "{}" }))
        return Effect.map(mount!.run(request), HttpServerResponse.toWeb).pipe(
          Effect.provideService(RequestBody.BodyReader, () => body)
        )
      }
      const slow = yield* Effect.forEach(
        ["1", "2"],
        (token) => Effect.forkChild(Effect.flip(answer(token, Effect.never)))
      )
      yield* TestClock.adjust("6 seconds")
      const other = yield* Effect.forkChild(answer("3", Effect.succeed(ping)))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(other.pollUnsafe()?._tag, "Success")
      assert.strictEqual((yield* Fiber.join(other)).status, 200)
      const given = slow.filter((fiber) => fiber.pollUnsafe() !== undefined)
      assert.lengthOf(given, 1)
      assert.deepInclude(yield* Fiber.join(given[0]!), { code: "unavailable", retryable: true })
    }).pipe(Effect.provide([
      TestTokens,
      RateLimitsGuard.layer,
      Layer.succeed(Operations.Operations, {} as Operations.Operations["Service"]),
      SecureRandom.layerWebCrypto
    ])))
})
