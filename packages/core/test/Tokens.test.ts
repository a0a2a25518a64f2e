import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { AccountsAdmin } from "../src/accounts/AccountsAdmin.ts"
import { ApiTokens } from "../src/accounts/ApiTokens.ts"
import { Sessions } from "../src/accounts/Sessions.ts"
import { Database } from "../src/database/Database.ts"
import { AccountId } from "../src/shared/Ids.ts"
import * as Checked from "./Checked.ts"
import { call, exchange, newUser, send, signedIn, testHttp, TestLog, withToken } from "./TestHttp.ts"

const told = ({ body, status }: { readonly status: number; readonly body: { readonly code?: string } }) => [
  status,
  body.code
]

layer(testHttp())("sessions and tokens", (it) => {
  describe("exchange", () => {
    it.effect("AUTH-1 an API token becomes a session of one day", () =>
      Effect.gen(function*() {
        const userId = yield* withToken("fdt_one0000000000000000000000000")
        const answer = yield* exchange("fdt_one0000000000000000000000000")
        assert.strictEqual(answer.status, 200)
        assert.deepStrictEqual(Object.keys(answer.body).sort(), ["expiresIn", "gelToken", "userId"])
        assert.deepInclude(answer.body, { expiresIn: 86_400, userId })
        assert.match(answer.body.gelToken, /^[\w-]{43}$/)
        assert.strictEqual((yield* call(answer.body.gelToken, "/select-api-tokens")).status, 200)
      }))

    it.effect("AUTH-1 the exchange takes no body, an empty one, null or an object", () =>
      Effect.gen(function*() {
        yield* withToken("fdt_bodies0000000000000000000000")
        for (const body of [undefined, "", "null", "{}"]) {
          const headers = { authorization: "Bearer fdt_bodies0000000000000000000000" }
          const answer = yield* send("/auth/exchange-token", {
            method: "POST",
            headers,
            ...(body !== undefined && { body })
          })
          assert.strictEqual(answer.status, 200, `with the body ${body}`)
        }
      }))

    it.effect("AUTH-2 a token that is unknown, missing, expired or revoked is invalid_token", () =>
      Effect.gen(function*() {
        const now = yield* DateTime.now
        yield* withToken("fdt_brief00000000000000000000000", { expireTime: DateTime.add(now, { hours: 1 }) })
        assert.strictEqual((yield* exchange("fdt_brief00000000000000000000000")).body.expiresIn, 3_600)
        yield* TestClock.adjust("1 hour")
        for (
          const token of [
            "fdt_brief00000000000000000000000",
            "fdt_nobody0000000000000000000000",
            "",
            "a b",
            "fdt_brie000000000000000000000000",
            "fdt_brieff0000000000000000000000"
          ]
        ) {
          assert.deepStrictEqual(told(yield* exchange(token)), [401, "invalid_token"], token)
        }
      }))

    it.effect("AUTH-2 a token of a user who no longer exists is invalid_token, a suspended user's is not_allowed", () =>
      Effect.gen(function*() {
        const tokens = yield* ApiTokens
        const nobody = AccountId.make("019845e1-682f-7b02-a706-3b2422d13aec")
        const token = { name: Checked.tokenName("t"), limits: { permissions: null, folderId: null }, expireTime: null }
        yield* tokens.register(nobody, Checked.tokenText("fdt_ghost00000000000000000000000"), token)
        assert.deepStrictEqual(told(yield* exchange("fdt_ghost00000000000000000000000")), [401, "invalid_token"])
        const userId = yield* withToken("fdt_suspended0000000000000000000")
        yield* (yield* AccountsAdmin).suspend(userId)
        assert.deepStrictEqual(told(yield* exchange("fdt_suspended0000000000000000000")), [403, "not_allowed"])
        // A refused exchange leaves no session behind.
        assert.deepStrictEqual(yield* (yield* Sessions).list(userId), [])
        assert.deepStrictEqual(yield* (yield* Sessions).list(nobody), [])
      }))

    it.effect("AUTH-13 suspending a user ends every session, and lifting it lets the user in again", () =>
      Effect.gen(function*() {
        const admin = yield* AccountsAdmin
        const userId = yield* withToken("fdt_out0000000000000000000000000")
        const { gelToken } = (yield* exchange("fdt_out0000000000000000000000000")).body
        const own = yield* (yield* Sessions).open(userId)
        assert.isTrue(Option.getOrThrow(yield* admin.suspend(userId)).suspended)
        for (const token of [gelToken, own.token]) {
          assert.deepStrictEqual(told(yield* call(token, "/select-user-files")), [401, "no_session"])
        }
        yield* admin.unsuspend(userId)
        assert.strictEqual((yield* exchange("fdt_out0000000000000000000000000")).status, 200)
      }))
  })

  describe("sessions", () => {
    it.effect("AUTH-3 a session works to its last second and not longer", () =>
      Effect.gen(function*() {
        yield* withToken("fdt_day0000000000000000000000000")
        const { gelToken } = (yield* exchange("fdt_day0000000000000000000000000")).body
        yield* TestClock.adjust(Duration.seconds(86_399))
        assert.strictEqual((yield* call(gelToken, "/select-user-files")).status, 200)
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(told(yield* call(gelToken, "/select-user-files")), [401, "session_expired"])
      }))

    it.effect("AUTH-3 anything but a session token is no_session, an API token too", () =>
      Effect.gen(function*() {
        yield* withToken("fdt_api0000000000000000000000000")
        for (
          const authorization of [
            "",
            "Bearer",
            "Bearer ",
            "Bearer nonsense",
            "Basic Zm9v",
            "Bearer fdt_api0000000000000000000000000",
            "é"
          ]
        ) {
          const answer = yield* send("/api/select-user-files", {
            method: "POST",
            headers: { "x-service-app": "filedrive", ...(authorization !== "" && { authorization }) }
          })
          assert.deepStrictEqual(told(answer), [401, "no_session"], authorization)
        }
      }))

    it.effect("AUTH-11 a session is in the database, hashed: another process with the same database knows it", () =>
      Effect.gen(function*() {
        const { token, userId } = yield* signedIn
        const { sql, tables: t } = yield* Database
        const rows = yield* sql`SELECT * FROM ${t.sessions} WHERE account_id = ${userId}`
        assert.strictEqual(rows.length, 1)
        assert.notInclude(JSON.stringify(rows), token)
        assert.strictEqual((yield* call(token, "/select-user-files")).status, 200)
      }))

    it.effect("AUTH-14 a host opens, lists and ends sessions of a user it signed in", () =>
      Effect.gen(function*() {
        const sessions = yield* Sessions
        const userId = yield* newUser()
        const first = yield* sessions.open(userId)
        yield* TestClock.adjust("1 minute")
        const second = yield* sessions.open(userId, { permissions: ["read"], folderId: null })
        const listed = yield* sessions.list(userId)
        assert.deepStrictEqual(listed.map(({ expireTime }) => expireTime), [second.expireTime, first.expireTime])
        assert.deepStrictEqual(told(yield* call(second.token, "/select-api-tokens")), [403, "token_limit"])
        const other = yield* newUser()
        assert.isFalse(yield* sessions.endById(other, listed[1]!.id))
        assert.isTrue(yield* sessions.endById(userId, listed[1]!.id))
        assert.deepStrictEqual(told(yield* call(first.token, "/select-user-files")), [401, "no_session"])
        yield* sessions.end(second.token)
        assert.deepStrictEqual(yield* sessions.list(userId), [])
      }))

    it.effect("AUTH-15 sessions and tokens that ended long ago are swept, those that did not are not", () =>
      Effect.gen(function*() {
        const sessions = yield* Sessions
        const { sql, tables: t } = yield* Database
        const userId = yield* newUser()
        yield* sessions.open(userId)
        const count = Effect.map(
          sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM ${t.sessions} WHERE account_id = ${userId}`,
          ([row]) => row!.n
        )
        yield* TestClock.adjust("7 days")
        yield* sessions.sweep
        assert.strictEqual(yield* count, 1)
        yield* TestClock.adjust("2 days")
        yield* sessions.open(userId)
        yield* sessions.sweep
        assert.strictEqual(yield* count, 1)
        assert.strictEqual((yield* sessions.list(userId)).length, 1)
      }))
  })

  describe("API tokens", () => {
    it.effect("AUTH-5 a new token is shown once, with 256 random bits; only its hash is kept", () =>
      Effect.gen(function*() {
        const { token, userId } = yield* signedIn
        const made = yield* call(token, "/create-api-token", { name: "printer" })
        assert.strictEqual(made.status, 200)
        assert.match(made.body.token, /^fdt_[\w-]{43}$/)
        assert.deepStrictEqual(Object.keys(made.body).sort(), [
          "expireTime",
          "folder",
          "id",
          "insertTime",
          "name",
          "permissions",
          "token"
        ])
        assert.deepInclude(made.body, { name: "printer", permissions: null, folder: null, expireTime: null })
        const { sql, tables: t } = yield* Database
        const rows =
          yield* sql`SELECT *, encode(token_hash, 'escape') FROM ${t.api_tokens} WHERE account_id = ${userId}`
        assert.notInclude(JSON.stringify(rows), made.body.token.slice(4))
      }))

    it.effect("AUTH-6 tokens are listed newest first, without secrets, with their last use at the exchange", () =>
      Effect.gen(function*() {
        const { token } = yield* signedIn
        const first = (yield* call(token, "/create-api-token", { name: "a", permissions: ["read", "add"] })).body
        yield* TestClock.adjust("1 minute")
        const expireTime = DateTime.formatIso(DateTime.add(yield* DateTime.now, { days: 1 }))
        const second = (yield* call(token, "/create-api-token", { name: "b", expireTime })).body
        const used = DateTime.formatIso(yield* DateTime.now)
        const { gelToken } = (yield* exchange(first.token)).body
        yield* TestClock.adjust("1 minute")
        yield* call(gelToken, "/select-user-files")
        const listed = yield* call(token, "/select-api-tokens")
        const [{ token: _one, ...a }, { token: _two, ...b }] = [first, second]
        const unused = { lastUsedTime: null, clientId: null }
        assert.deepStrictEqual(listed.body, [{ ...b, ...unused }, { ...a, ...unused, lastUsedTime: used }])
        assert.strictEqual(b.expireTime, expireTime)
      }))

    it.effect("AUTH-7 revoking a token ends every session exchanged for it at once, and no other", () =>
      Effect.gen(function*() {
        const { token } = yield* signedIn
        const made = (yield* call(token, "/create-api-token", { name: "a" })).body
        const one = (yield* exchange(made.token)).body.gelToken
        const two = (yield* exchange(made.token)).body.gelToken
        const revoked = yield* call(token, "/revoke-api-token", { id: made.id })
        assert.deepStrictEqual([revoked.status, revoked.body], [200, { revoked: true }])
        for (const session of [one, two]) {
          assert.deepStrictEqual(told(yield* call(session, "/select-user-files")), [401, "no_session"])
        }
        assert.deepStrictEqual(told(yield* exchange(made.token)), [401, "invalid_token"])
        assert.strictEqual((yield* call(token, "/select-user-files")).status, 200)
        assert.deepStrictEqual(told(yield* call(token, "/revoke-api-token", { id: made.id })), [404, "not_found"])
      }))

    it.effect("SEC-2 another account's token can't be revoked or seen", () =>
      Effect.gen(function*() {
        const owner = yield* signedIn
        const made = (yield* call(owner.token, "/create-api-token", { name: "mine" })).body
        const other = yield* signedIn
        const refused = yield* call(other.token, "/revoke-api-token", { id: made.id })
        assert.deepStrictEqual(told(refused), [404, "not_found"])
        assert.notInclude(JSON.stringify(refused.body), "mine")
        assert.deepStrictEqual((yield* call(other.token, "/select-api-tokens")).body, [])
        assert.strictEqual((yield* exchange(made.token)).status, 200)
      }))

    it.effect("AUTH-10 a limited session makes, lists and revokes no token", () =>
      Effect.gen(function*() {
        const { token } = yield* signedIn
        const folder = (yield* call(token, "/create-folder", { path: "/A" })).body
        for (const limits of [{ permissions: ["read", "add", "organize"] }, { folder: folder.id }]) {
          const made = (yield* call(token, "/create-api-token", { name: "a", ...limits })).body
          const { gelToken } = (yield* exchange(made.token)).body
          for (
            const [route, body] of [
              ["/create-api-token", { name: "more" }],
              ["/select-api-tokens", undefined],
              ["/revoke-api-token", { id: made.id }]
            ] as const
          ) {
            assert.deepStrictEqual(told(yield* call(gelToken, route, body)), [403, "token_limit"], route)
          }
        }
      }))

    it.effect("AUTH-9 a token's folder must be the caller's", () =>
      Effect.gen(function*() {
        const owner = yield* signedIn
        const folder = (yield* call(owner.token, "/create-folder", { path: "/A" })).body
        const other = yield* signedIn
        const refused = yield* call(other.token, "/create-api-token", { name: "a", folder: folder.id })
        assert.deepStrictEqual(told(refused), [404, "not_found"])
        const made = yield* call(owner.token, "/create-api-token", { name: "a", folder: folder.id })
        assert.strictEqual(made.body.folder, folder.id)
      }))

    it.effect("AUTH-5 a token that would have expired already, or has no name, is refused naming the field", () =>
      Effect.gen(function*() {
        const { token } = yield* signedIn
        const now = DateTime.formatIso(yield* DateTime.now)
        for (
          const [body, code, field] of [
            [{ name: "a", expireTime: now }, "invalid_field", "expireTime"],
            [{ name: "a", expireTime: "soon" }, "invalid_field", "expireTime"],
            [{ name: "" }, "invalid_field", "name"],
            [{}, "missing_field", "name"],
            [{ name: "a", permissions: [] }, "invalid_field", "permissions"],
            [{ name: "a", permissions: ["read", "fly"] }, "invalid_field", "permissions[1]"],
            [{ name: "a\u0000" }, "invalid_field", "name"]
          ] as const
        ) {
          const answer = yield* call(token, "/create-api-token", body)
          assert.deepStrictEqual([answer.status, answer.body.code, answer.body.field], [400, code, field])
        }
      }))

    it.effect("AUTH-16 tokens are in no log and no error", () =>
      Effect.gen(function*() {
        const log = yield* TestLog
        const { token } = yield* signedIn
        const made = (yield* call(token, "/create-api-token", { name: "a" })).body
        yield* exchange(`${made.token}x`)
        const answer = yield* call(`${token}x`, "/select-user-files")
        for (const secret of [token, made.token]) {
          assert.notInclude(JSON.stringify(answer.body), secret)
          assert.notInclude(log.join("\n"), secret)
        }
      }))
  })
})
