import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { agent } from "./Agent.ts"

describe("CardHttp", () => {
  it.effect("A2A-13 the card is public, and not sent again to those who have it", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-10-01T12:00:00.678Z")))
      const answering = yield* agent()
      const get = (headers: Readonly<Record<string, string>> = {}) =>
        answering(new Request("https://drive.test/.well-known/agent-card.json", { headers }))
      const response = yield* get()
      assert.strictEqual(response.headers.get("content-type"), "application/json")
      assert.match(response.headers.get("cache-control")!, /max-age=\d+/)
      const etag = response.headers.get("etag")!
      const modified = response.headers.get("last-modified")!
      assert.match(etag, /^"[^"]+"$/)
      assert.isFalse(Number.isNaN(Date.parse(modified)))
      const card = yield* Effect.promise(() => response.json()) as Effect.Effect<any>
      assert.deepStrictEqual(card.supportedInterfaces, [
        { url: "https://drive.test/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" }
      ])
      assert.deepStrictEqual(card.capabilities, { streaming: false, pushNotifications: true, extendedAgentCard: false })
      assert.deepStrictEqual(Object.keys(card.securitySchemes).toSorted(), ["apiToken", "oauth"])
      assert.deepStrictEqual(card.securityRequirements.map(({ schemes }: any) => Object.keys(schemes)), [["oauth"], [
        "apiToken"
      ]])
      for (const skill of card.skills) assert.isNotEmpty(skill.tags)
      assert.isNotEmpty(card.skills)
      for (
        const known of [{ "if-none-match": etag }, { "if-none-match": `"x", W/${etag}` }, { "if-none-match": "*" }, {
          "if-modified-since": modified
        }]
      ) {
        assert.strictEqual((yield* get(known)).status, 304, JSON.stringify(known))
      }
      const changed = { "if-none-match": "\"other\"", "if-modified-since": modified }
      for (
        const other of [changed, { "if-modified-since": new Date(0).toUTCString() }, {
          "if-modified-since": "nonsense"
        }]
      ) {
        assert.strictEqual((yield* get(other)).status, 200, JSON.stringify(other))
      }
    }))
})
