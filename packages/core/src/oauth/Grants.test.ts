import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import {
  api,
  codeOf,
  exchange,
  granted,
  issue,
  isValid,
  listed,
  mcp,
  refresh,
  services,
  verifier
} from "../../test/GrantsTest.ts"
import { newUser } from "../../test/TestHttp.ts"
import { SessionToken } from "../accounts/Session.ts"
import { Sessions } from "../accounts/Sessions.ts"
import * as Limits from "../limits/Limits.ts"
import { Bearers } from "./Bearers.ts"

layer(services)("grants", (it) => {
  it.effect("OAUTH-1 a code gives an access token with what was allowed, for the resources that were asked for", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const tokens = yield* granted(me)
      assert.match(tokens.accessToken, /^fda_[\w-]{43}$/)
      assert.match(tokens.refreshToken, /^fdr_[\w-]{43}\.[\w-]{43}$/)
      assert.strictEqual(Duration.toSeconds(tokens.lifetime), 3_600)
      assert.deepStrictEqual(tokens.permissions, ["read", "add"])
      const caller = yield* (yield* Sessions).resolve(SessionToken.make(tokens.accessToken), api)
      assert.deepStrictEqual(caller.limits, { permissions: ["read", "add"], folderId: null })
      const credential = yield* (yield* Bearers).resolve(tokens.accessToken, mcp)
      assert.deepStrictEqual([credential.accountId, credential.name, credential.id], [me, "An app", caller.tokenId])
    }))

  it.effect("OAUTH-2 an access token is refused at a resource that it was not issued for", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const code = yield* issue(me)
      const tokens = yield* exchange(code, { resources: [mcp] })
      assert.deepStrictEqual(tokens.resources, [mcp])
      assert.isFalse(yield* isValid(tokens))
      assert.isTrue(yield* isValid(tokens, mcp))
      const elsewhere = Bearers.use((bearers) => bearers.resolve(tokens.accessToken, "https://drive.test/a2a"))
      assert.strictEqual(yield* codeOf(elsewhere), "invalid_token")
      const other = yield* issue(me)
      assert.strictEqual(yield* codeOf(exchange(other, { resources: ["https://other.test"] })), "invalid_target")
      // A refusal uses no code up.
      assert.deepStrictEqual((yield* exchange(other)).resources, [api, mcp])
    }))

  it.effect("OAUTH-3 a code is good for 60 seconds, for its client, redirect and verifier only", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const code = yield* issue(me)
      for (
        const change of [
          { clientId: "other" },
          { redirectUri: "https://app.test/other" },
          { verifier: `${verifier}.` },
          { verifier: "" }
        ]
      ) assert.strictEqual(yield* codeOf(exchange(code, change)), "invalid_grant")
      yield* TestClock.adjust(Limits.oauth.codeLifetime)
      assert.strictEqual(yield* codeOf(exchange(code)), "invalid_grant")
      assert.strictEqual(yield* codeOf(exchange("fdc_unknown")), "invalid_grant")
      assert.deepStrictEqual(yield* listed(me), [])
    }))

  it.effect("OAUTH-4 a code that is used twice ends the grant with all its tokens", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const code = yield* issue(me)
      const tokens = yield* exchange(code)
      assert.isTrue(yield* isValid(tokens))
      assert.strictEqual(yield* codeOf(exchange(code, { verifier: "stolen" })), "invalid_grant")
      assert.isFalse(yield* isValid(tokens))
      assert.strictEqual(yield* codeOf(refresh(tokens)), "invalid_grant")
      assert.deepStrictEqual(yield* listed(me), [])
    }))

  it.effect("OAUTH-4 of exchanges of one code at the same time none keeps a grant", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const code = yield* issue(me)
      const results = yield* Effect.all(Array.from({ length: 4 }, () => Effect.result(exchange(code))), {
        concurrency: "unbounded"
      })
      const got = results.filter(Result.isSuccess).map(({ success }) => success)
      assert.isAtMost(got.length, 1)
      for (const tokens of got) assert.isFalse(yield* isValid(tokens))
      assert.deepStrictEqual(yield* listed(me), [])
    }))

  it.effect("OAUTH-5 a refresh gives new tokens, and the tasks' owner stays the grant", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const first = yield* granted(me)
      const second = yield* refresh(first)
      assert.notStrictEqual(second.refreshToken, first.refreshToken)
      const bearers = yield* Bearers
      const [one, other] = yield* Effect.forEach(
        [first, second],
        ({ accessToken }) => bearers.resolve(accessToken, mcp)
      )
      assert.strictEqual(one!.id, other!.id)
      assert.lengthOf(yield* listed(me), 1)
    }))

  it.effect("OAUTH-6 a refresh token that was used before ends the grant, however long ago that was", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const first = yield* granted(me)
      let newest = yield* refresh(first)
      for (let round = 0; round < 5; round++) newest = yield* refresh(newest)
      assert.strictEqual(yield* codeOf(refresh(first)), "invalid_grant")
      assert.isFalse(yield* isValid(newest))
      assert.strictEqual(yield* codeOf(refresh(newest)), "invalid_grant")
      assert.deepStrictEqual(yield* listed(me), [])
    }))

  it.effect("OAUTH-6 of refreshes with one token at the same time none keeps a grant", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const first = yield* granted(me)
      const results = yield* Effect.all(Array.from({ length: 4 }, () => Effect.result(refresh(first))), {
        concurrency: "unbounded"
      })
      assert.isAtMost(results.filter(Result.isSuccess).length, 1)
      assert.deepStrictEqual(yield* listed(me), [])
    }))

  it.effect("OAUTH-7 a refresh may ask for less, never for more; its own client's only", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const first = yield* granted(me)
      assert.strictEqual(yield* codeOf(refresh(first, { permissions: ["delete"] })), "invalid_scope")
      assert.strictEqual(yield* codeOf(refresh(first, { resources: ["https://drive.test/a2a"] })), "invalid_target")
      assert.strictEqual(yield* codeOf(refresh(first, { clientId: "other" })), "invalid_grant")
      const less = yield* refresh(first, { permissions: ["read"], resources: [mcp] })
      assert.deepStrictEqual([less.permissions, less.resources], [["read"], [mcp]])
      const { limits } = yield* (yield* Bearers).resolve(less.accessToken, mcp)
      assert.deepStrictEqual(limits.permissions, ["read"])
      // The grant has what it had.
      assert.deepStrictEqual((yield* refresh(less)).permissions, ["read", "add"])
    }))
})
