/** Access tokens of OAuth at the API: bearers of their own, within their limits. */
import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { TestClock } from "effect/testing"
import type { Permission } from "../src/accounts/CurrentAccount.ts"
import { Grants } from "../src/oauth/Grants.ts"
import { followFeed } from "./FollowedFeed.ts"
import { call, exchange, newUser, send, testHttp } from "./TestHttp.ts"

const origin = "https://drive.test"
const verifier = "0123456789012345678901234567890123456789abc"

/** Tokens that a new user has allowed an app. */
const allowed = Effect.fnUntraced(function*(permissions: ReadonlyArray<Permission>, resource = `${origin}/api`) {
  const [digest, grants, random] = [yield* Digest.Digest, yield* Grants, yield* SecureRandom.SecureRandom]
  const userId = yield* newUser()
  const client = { clientId: "app", redirectUri: "https://app.test/back" }
  const code = yield* grants.issueCode(userId, {
    ...client,
    clientName: "An app",
    challenge: Base64Url.encode(yield* digest.digest(Digest.sha256, new TextEncoder().encode(verifier))),
    resources: [resource],
    permissions,
    folderId: null,
    page: yield* random.uuidV4()
  })
  return { userId, ...yield* grants.exchangeCode({ ...client, code, verifier, resources: null }) }
})

const challenge = ({ headers }: { readonly headers: Headers }) => headers.get("www-authenticate")

layer(testHttp({ origin }))("access tokens at the API", (it) => {
  it.effect("OAUTH-16 an access token is the bearer itself, with the app header like a session", () =>
    Effect.gen(function*() {
      const { accessToken } = yield* allowed(["read"])
      assert.strictEqual((yield* call(accessToken, "/search-files", {})).status, 200)
      const bare = yield* send("/api/search-files", {
        method: "POST",
        headers: { authorization: `Bearer ${accessToken}` },
        body: "{}"
      })
      assert.deepStrictEqual([bare.status, bare.body.code], [403, "wrong_app"])
      assert.strictEqual((yield* exchange(accessToken)).status, 401)
    }))

  it.effect("OAUTH-17 a call without a valid token is told where sign-in is described, and what it needs", () =>
    Effect.gen(function*() {
      const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/api"`
      const none = yield* send("/api/search-files", {
        method: "POST",
        headers: { "x-service-app": "filedrive" },
        body: "{}"
      })
      assert.strictEqual(none.status, 401)
      assert.strictEqual(challenge(none), `Bearer realm="filedrive", scope="read", ${metadata}`)
      const wrong = yield* call("fda_wrong", "/search-files", {})
      assert.deepStrictEqual([wrong.status, wrong.body.code], [401, "invalid_token"])
      assert.strictEqual(challenge(wrong), `Bearer realm="filedrive", error="invalid_token", scope="read", ${metadata}`)
      const elsewhere = yield* allowed(["read"], `${origin}/mcp`)
      const refused = yield* call(elsewhere.accessToken, "/search-files", {})
      assert.deepStrictEqual([refused.status, refused.body.code], [401, "invalid_token"])
      assert.isNull(challenge(yield* call((yield* allowed(["read"])).accessToken, "/search-files", {})))
    }))

  it.effect("OAUTH-18 what its scope doesn't allow is 403 insufficient_scope, which names the scope that it has and what is missing", () =>
    Effect.gen(function*() {
      const { accessToken } = yield* allowed(["read", "add"])
      const refused = yield* call(accessToken, "/create-folder", { path: "/a" })
      assert.deepStrictEqual([refused.status, refused.body.code], [403, "token_limit"])
      assert.match(challenge(refused)!, /error="insufficient_scope", scope="read add organize"/)
      const managing = yield* call(accessToken, "/select-api-tokens", undefined)
      assert.deepStrictEqual([managing.status, challenge(managing)], [403, null], "no scope would help")
    }))

  it.effect("OAUTH-19 it manages no tokens, whatever it was allowed", () =>
    Effect.gen(function*() {
      const { accessToken } = yield* allowed(["read", "add", "organize", "share", "delete", "generate", "agent"])
      const bodies = { "/select-api-tokens": undefined, "/create-api-token": { name: "a" }, "/select-agent-tasks": {} }
      for (const [route, body] of Object.entries(bodies)) {
        const refused = yield* call(accessToken, route, body)
        assert.deepStrictEqual([refused.status, refused.body.code], [403, "token_limit"], route)
      }
    }))

  it.effect("OAUTH-20 a live feed ends with the access token that opened it", () =>
    Effect.gen(function*() {
      const { accessToken } = yield* allowed(["read"])
      const live = yield* followFeed(accessToken)
      yield* (yield* Grants).revoke(accessToken, "app")
      yield* live.until((_text, ended) => ended)
      yield* TestClock.adjust(Duration.seconds(1))
      assert.strictEqual((yield* call(accessToken, "/search-files", {})).status, 401)
    }))
})
