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
import { ManualJobs } from "../../test/ManualJobs.ts"
import { newUser } from "../../test/TestHttp.ts"
import { SessionToken } from "../accounts/Session.ts"
import { Sessions } from "../accounts/Sessions.ts"
import { Database } from "../database/Database.ts"
import * as Limits from "../limits/Limits.ts"
import { Bearers } from "./Bearers.ts"
import { Grants } from "./Grants.ts"
import * as ReplacedToken from "./ReplacedToken.ts"

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

  it.effect("OAUTH-6 what else a request with a used token asks for makes no difference", () =>
    Effect.gen(function*() {
      for (
        const change of [{ permissions: ["delete"] }, { resources: ["https://other.test"] }, { clientId: "other" }]
      ) {
        const first = yield* granted(yield* newUser())
        const second = yield* refresh(first)
        yield* TestClock.adjust(Duration.seconds(30))
        assert.strictEqual(yield* codeOf(refresh(first, change)), "invalid_grant")
        assert.isFalse(yield* isValid(second))
      }
    }))

  it.effect("OAUTH-99 a client that lost the answer gets it again for 30 seconds", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const first = yield* granted(me)
      const second = yield* refresh(first)
      yield* TestClock.adjust(Duration.seconds(29))
      assert.deepStrictEqual(yield* refresh(first), second)
      assert.isTrue(yield* isValid(second))
      yield* TestClock.adjust(Duration.seconds(1))
      assert.strictEqual(yield* codeOf(refresh(first)), "invalid_grant")
      assert.isFalse(yield* isValid(second))
      assert.deepStrictEqual(yield* listed(me), [])
    }))

  it.effect("OAUTH-99 refreshes with one token at the same time give the same answer", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const first = yield* granted(me)
      const [one, ...others] = yield* Effect.all(Array.from({ length: 4 }, () => refresh(first)), {
        concurrency: "unbounded"
      })
      for (const other of others) assert.deepStrictEqual(other, one)
      assert.isTrue(yield* isValid(yield* refresh(one!)))
    }))

  it.effect("OAUTH-99 after the newer token was used, using the older one ends the grant", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const first = yield* granted(me)
      const second = yield* refresh(first)
      const third = yield* refresh(second)
      assert.deepStrictEqual(yield* refresh(second), third)
      assert.strictEqual(yield* codeOf(refresh(first)), "invalid_grant")
      assert.isFalse(yield* isValid(third))
    }))

  it.effect("OAUTH-99 a call of another client, scope or resource is not a repeat, and ends the grant", () =>
    Effect.gen(function*() {
      const changes = [
        { clientId: "other" },
        { permissions: ["read"] },
        { resources: [mcp] },
        // Beyond the grant.
        { permissions: ["read", "add", "delete"] },
        { permissions: [] },
        { resources: ["https://other.test"] }
      ]
      for (const change of changes) {
        const me = yield* newUser()
        const first = yield* granted(me)
        const second = yield* refresh(first)
        assert.strictEqual(yield* codeOf(refresh(first, change)), "invalid_grant", JSON.stringify(change))
        assert.isFalse(yield* isValid(second))
      }
    }))

  it.effect("OAUTH-99 after a revocation no answer is repeated", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const me = yield* newUser()
      const first = yield* granted(me)
      const second = yield* refresh(first)
      yield* grants.revoke(second.accessToken, "app")
      assert.strictEqual(yield* codeOf(refresh(first)), "invalid_grant")
      const third = yield* refresh(second)
      yield* grants.revoke(third.refreshToken, "app")
      assert.strictEqual(yield* codeOf(refresh(second)), "invalid_grant")
      assert.deepStrictEqual(yield* listed(me), [])
    }))

  it.effect("OAUTH-99 the stored data give no answer without the token, and none at all after 30 seconds", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const me = yield* newUser()
      const salts = Effect.map(
        sql<
          { readonly salt: Uint8Array | null }
        >`SELECT replaced_salt AS salt FROM ${t.oauth_grants} WHERE account_id = ${me}`,
        (rows) => rows.map(({ salt }) => salt)
      )
      const first = yield* granted(me)
      yield* refresh(first)
      const [salt] = yield* salts
      const ofOther = yield* ReplacedToken.successors("fdr_other.token", salt!)
      const ofFirst = yield* ReplacedToken.successors(first.refreshToken, salt!)
      assert.notStrictEqual(ofOther.refresh, ofFirst.refresh)
      yield* TestClock.adjust(Duration.seconds(30))
      yield* (yield* ManualJobs).runDue
      assert.deepStrictEqual(yield* salts, [null])
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
