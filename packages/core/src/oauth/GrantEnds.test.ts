import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import {
  api,
  asUser,
  codeOf,
  consent,
  exchange,
  granted,
  issue,
  isValid,
  listed,
  mcp,
  refresh,
  services
} from "../../test/GrantsTest.ts"
import { newUser } from "../../test/TestHttp.ts"
import { AccountsAdmin } from "../accounts/AccountsAdmin.ts"
import { ApiTokens } from "../accounts/ApiTokens.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
import { Sessions } from "../accounts/Sessions.ts"
import * as Limits from "../limits/Limits.ts"
import { Grants } from "./Grants.ts"
import { OauthClients } from "./OauthClients.ts"

layer(services)("the ends of grants", (it) => {
  it.effect("OAUTH-8 an access token ends after an hour, a grant that is not refreshed after 30 days", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const first = yield* granted(me)
      yield* TestClock.adjust(Limits.oauth.accessTokenLifetime)
      assert.isFalse(yield* isValid(first))
      yield* TestClock.adjust(Duration.days(29))
      const second = yield* refresh(first)
      yield* TestClock.adjust(Duration.days(29))
      const third = yield* refresh(second)
      yield* TestClock.adjust(Limits.oauth.refreshTokenLifetime)
      assert.strictEqual(yield* codeOf(refresh(third)), "invalid_grant")
    }))

  it.effect("OAUTH-9 a grant is listed under the app's name and ends by revoking it, with its tokens", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const tokens = yield* granted(me)
      const [grant] = yield* listed(me)
      assert.deepStrictEqual([grant!.name, grant!.clientId, grant!.limits.permissions], ["An app", "app", [
        "read",
        "add"
      ]])
      const other = yield* newUser()
      const byOther = ApiTokens.use((service) => service.revoke(grant!.id)).pipe(asUser(other))
      assert.strictEqual((yield* Effect.flip(byOther))._tag, "NotFound")
      assert.isTrue(yield* isValid(tokens))
      yield* ApiTokens.use((service) => service.revoke(grant!.id)).pipe(asUser(me))
      assert.isFalse(yield* isValid(tokens))
      assert.strictEqual(yield* codeOf(refresh(tokens)), "invalid_grant")
    }))

  it.effect("OAUTH-10 a client ends its own tokens: an access token alone, by a refresh token the grant", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const grants = yield* Grants
      const tokens = yield* granted(me)
      yield* grants.revoke(tokens.accessToken, "other")
      yield* grants.revoke(tokens.refreshToken, "other")
      yield* grants.revoke("fda_unknown", "app")
      assert.isTrue(yield* isValid(tokens))
      yield* grants.revoke(tokens.accessToken, "app")
      assert.isFalse(yield* isValid(tokens))
      const next = yield* refresh(tokens)
      yield* grants.revoke(next.refreshToken, "app")
      assert.isFalse(yield* isValid(next))
      assert.deepStrictEqual(yield* listed(me), [])
    }))

  it.effect("OAUTH-11 a page of consent gives one code, however often it is answered", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const given = yield* consent()
      const grants = yield* Grants
      const results = yield* Effect.all(
        Array.from({ length: 4 }, () => Effect.result(grants.issueCode(me, given))),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(results.filter(Result.isSuccess), 1)
      const again = yield* Effect.flip(grants.issueCode(me, given))
      assert.isTrue(again._tag === "ConsentRefused" && again.reason === "answered")
    }))

  it.effect("OAUTH-12 the tokens of a suspended user end, and no new ones are issued", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const tokens = yield* granted(me)
      const code = yield* issue(me)
      yield* (yield* AccountsAdmin).suspend(me)
      yield* TestClock.adjust(Duration.seconds(5))
      assert.isFalse(yield* isValid(tokens))
      assert.strictEqual(yield* codeOf(refresh(tokens)), "invalid_grant")
      assert.strictEqual(yield* codeOf(exchange(code)), "invalid_grant")
      assert.strictEqual(yield* codeOf(Effect.mapError(issue(me), (error) => error as { code: string })), "not_allowed")
    }))

  it.effect("OAUTH-13 a grant has at most 20 access tokens; one more replaces the oldest", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const first = yield* granted(me)
      let newest = first
      for (let round = 0; round < Limits.oauth.accessTokensOfGrant; round++) {
        yield* TestClock.adjust(Duration.seconds(1))
        newest = yield* refresh(newest)
      }
      assert.isFalse(yield* isValid(first))
      assert.isTrue(yield* isValid(newest))
      assert.lengthOf(yield* (yield* Sessions).list(me), Limits.oauth.accessTokensOfGrant)
    }))

  it.effect("OAUTH-14 what a token is, is told of valid ones only", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const grants = yield* Grants
      const tokens = yield* granted(me)
      const access = yield* grants.introspect(tokens.accessToken)
      assert.deepInclude(access, { accountId: me, clientId: "app", kind: "access", resources: [api, mcp] })
      assert.deepInclude(yield* grants.introspect(tokens.refreshToken), { accountId: me, kind: "refresh" })
      const next = yield* refresh(tokens)
      assert.isNull(yield* grants.introspect(tokens.refreshToken))
      // Introspection does not count as use.
      assert.isTrue(yield* isValid(next))
      const { text } = yield* ApiTokens.use((service) =>
        service.create({ name: Checked.tokenName("a"), limits: unlimited, expireTime: null })
      ).pipe(asUser(me))
      assert.deepInclude(yield* grants.introspect(text), { accountId: me, clientId: null, kind: "apiToken" })
      for (const wrong of ["", "fda_x", "fdr_x", "fdr_x.y", "fdt_x", next.accessToken.slice(0, -1)]) {
        assert.isNull(yield* grants.introspect(wrong))
      }
    }))

  it.effect("OAUTH-15 a registered app without a grant is forgotten after a day without use", () =>
    Effect.gen(function*() {
      const clients = yield* OauthClients
      const me = yield* newUser()
      const unused = yield* clients.register({ name: "unused", redirectUris: ["https://a.test/"] })
      const allowed = yield* clients.register({ name: "allowed", redirectUris: ["https://b.test/"] })
      assert.deepInclude(yield* clients.find(unused.id), { name: "unused", redirectUris: ["https://a.test/"] })
      yield* granted(me, { clientId: allowed.id })
      yield* TestClock.adjust(Duration.hours(25))
      yield* clients.sweep
      assert.isNull(yield* clients.find(unused.id))
      assert.strictEqual((yield* clients.find(allowed.id))!.name, "allowed")
      assert.isNull(yield* clients.find("\0"))
    }))
})
