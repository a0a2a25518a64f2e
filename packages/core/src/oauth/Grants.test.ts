import { assert, layer } from "@effect/vitest"
import { MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Duration, Effect, Layer, Result } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { newUser } from "../../test/TestHttp.ts"
import { AccountsAdmin } from "../accounts/AccountsAdmin.ts"
import * as AccountsSql from "../accounts/AccountsSql.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { ApiTokens } from "../accounts/ApiTokens.ts"
import { CurrentAccount, unlimited } from "../accounts/CurrentAccount.ts"
import { SessionToken } from "../accounts/Session.ts"
import { Sessions } from "../accounts/Sessions.ts"
import * as Limits from "../limits/Limits.ts"
import type { AccountId } from "../shared/Ids.ts"
import { Bearers } from "./Bearers.ts"
import type { CodeRequest, Consent, IssuedTokens } from "./Grant.ts"
import { Grants } from "./Grants.ts"
import { OauthClients } from "./OauthClients.ts"

const services = Layer.mergeAll(Grants.layer, OauthClients.layer, Bearers.layer, ApiTokens.layer, AccountsAdmin.layer)
  .pipe(
    Layer.provideMerge(Sessions.layer),
    Layer.provideMerge(AccountTransaction.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        AccountsSql.layer,
        MemoryObjectStore.layer,
        ManualJobs.layer,
        Digest.layerWebCrypto,
        SecureRandom.layerWebCrypto
      )
    ),
    Layer.provideMerge(TestDatabase.layer),
    Layer.orDie
  )

const api = "https://drive.test/api"
const mcp = "https://drive.test/mcp"
const verifier = "a verifier of at least forty-three characters, as it is sent"

const consent = (change: Partial<Consent> = {}) =>
  Effect.gen(function*() {
    const digest = yield* Digest.Digest
    const hash = yield* digest.digest(Digest.sha256, new TextEncoder().encode(verifier))
    const page = Base64Url.encode(yield* (yield* SecureRandom.SecureRandom).randomBytes(16))
    return {
      clientId: "app",
      clientName: "An app",
      redirectUri: "https://app.test/back",
      challenge: Base64Url.encode(hash),
      resources: [api, mcp],
      permissions: ["read", "add"],
      folderId: null,
      page,
      ...change
    } satisfies Consent
  })

const request = (code: string, change: Partial<CodeRequest> = {}): CodeRequest => ({
  code,
  clientId: "app",
  redirectUri: "https://app.test/back",
  verifier,
  resources: null,
  ...change
})

const issue = (accountId: AccountId, change: Partial<Consent> = {}) =>
  Effect.flatMap(consent(change), (given) => Grants.use((grants) => grants.issueCode(accountId, given)))

const exchange = (code: string, change: Partial<CodeRequest> = {}) =>
  Grants.use((grants) => grants.exchangeCode(request(code, change)))

const granted = (accountId: AccountId, change: Partial<Consent> = {}) =>
  Effect.flatMap(issue(accountId, change), (code) => exchange(code, { clientId: change.clientId ?? "app" }))

const refresh = ({ refreshToken }: Pick<IssuedTokens, "refreshToken">, change: object = {}) =>
  Grants.use((grants) =>
    grants.refresh({ refreshToken, clientId: "app", permissions: null, resources: null, ...change })
  )

const codeOf = <A, E extends { readonly code: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ code }) => code)

const asUser = (id: AccountId) => Effect.provideService(CurrentAccount, { id, tokenId: null, limits: unlimited })

const listed = (id: AccountId) => ApiTokens.use((tokens) => tokens.list).pipe(asUser(id))

const isValid = ({ accessToken }: IssuedTokens, resource = api) =>
  Effect.map(
    Effect.result(Sessions.use((sessions) => sessions.resolve(SessionToken.make(accessToken), resource))),
    Result.isSuccess
  )

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
      // Asking is no use of it.
      assert.isTrue(yield* isValid(next))
      const { text } = yield* ApiTokens.use((service) =>
        service.create({ name: Checked.tokenName("a"), limits: unlimited, expireTime: null })
      ).pipe(asUser(me))
      assert.deepInclude(yield* grants.introspect(text), { accountId: me, clientId: null, kind: "apiToken" })
      for (const wrong of ["", "fda_x", "fdr_x", "fdr_x.y", "fdt_x", next.accessToken.slice(0, -1)]) {
        assert.isNull(yield* grants.introspect(wrong))
      }
    }))

  it.effect("OAUTH-15 a registered app that nobody allowed anything is forgotten after a day without use", () =>
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
