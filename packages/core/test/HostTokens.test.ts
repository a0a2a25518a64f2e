/** What a host does in code: users of the drive's own, and API tokens whose text it chooses. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { Statement } from "effect/sql"
import { TestClock } from "effect/testing"

import { AccountsAdmin } from "../src/accounts/AccountsAdmin.ts"
import { ApiTokens, type NewApiToken } from "../src/accounts/ApiTokens.ts"
import { unlimited } from "../src/accounts/CurrentAccount.ts"
import { Sessions } from "../src/accounts/Sessions.ts"
import { Folders } from "../src/organize/Folders.ts"
import { AccountId } from "../src/shared/Ids.ts"
import * as Checked from "./Checked.ts"
import { call, exchange, newUser, testHttp } from "./TestHttp.ts"

const told = ({ body, status }: { readonly status: number; readonly body: { readonly code?: string } }) => [
  status,
  body.code
]

layer(testHttp())("a host's users and tokens", (it) => {
  it.effect("AUTH-19 a token text of fewer than 32 characters is refused, and makes nothing", () =>
    Effect.gen(function*() {
      const tokens = yield* ApiTokens
      const userId = yield* newUser()
      const token = { name: Checked.tokenName("t"), limits: unlimited, expireTime: null }
      for (const text of ["", "fdt_short", "x".repeat(31)].map(Checked.tokenText)) {
        const refused = yield* Effect.flip(tokens.register(userId, text, token))
        assert.strictEqual(refused.message, "text must have at least 32 characters.")
        const all = [{ accountId: userId, text: Checked.tokenText("y".repeat(32)), token }, {
          accountId: userId,
          text,
          token
        }]
        assert.strictEqual(
          (yield* Effect.flip(tokens.configure(all))).message,
          "tokens[1].text must have at least 32 characters."
        )
        assert.strictEqual((yield* exchange(text)).status, 401)
      }
      assert.strictEqual((yield* exchange("y".repeat(32))).status, 401)
      yield* tokens.register(userId, Checked.tokenText("x".repeat(32)), token)
      assert.strictEqual((yield* exchange("x".repeat(32))).status, 200)
    }))

  it.effect("UP-86 a host that makes its users at each start writes nothing where they are as they should be", () =>
    Effect.gen(function*() {
      const admin = yield* AccountsAdmin
      const start = Effect.gen(function*() {
        const made = yield* admin.create({ handle: "started" })
        const { id } = Option.getOrThrow(Option.isSome(made) ? made : yield* admin.findByHandle("started"))
        yield* admin.setPlan(id, "pro")
        yield* admin.setQuota(id, 5_000)
        return yield* admin.setDisplayName(id, "Ada")
      })
      yield* start
      const written: Array<string> = []
      const again = yield* start.pipe(
        Effect.provideService(Statement.CurrentTransformer, (statement) =>
          Effect.sync(() => {
            const [text] = statement.compile()
            if (/\b(INSERT|UPDATE)\b/.test(text)) written.push(text)
            return statement
          }))
      )
      assert.deepStrictEqual(written, [])
      assert.deepInclude(Option.getOrThrow(again), { plan: "pro", quotaBytes: 5_000, displayName: "Ada" })
    }))

  it.effect("AUTH-20 configured tokens that are rotated, removed or given to another user end with their sessions", () =>
    Effect.gen(function*() {
      const tokens = yield* ApiTokens
      const [ada, bob] = [yield* newUser(), yield* newUser()]
      const text = (name: string) => Checked.tokenText(name.padEnd(32, "-"))
      const token = { name: Checked.tokenName("configured"), limits: unlimited, expireTime: null }
      const configure = (of: ReadonlyArray<readonly [AccountId, string]>) =>
        tokens.configure(of.map(([accountId, name]) => ({ accountId, text: text(name), token })))
      const signIn = (name: string) => Effect.map(exchange(text(name)), ({ body }) => body.gelToken as string)
      const works = (session: string) => Effect.map(call(session, "/select-user-files"), ({ status }) => status === 200)

      // One that was there before configuration was marked, and one that ada made herself.
      yield* tokens.register(ada, text("old"), token)
      yield* tokens.register(ada, text("own"), token)
      yield* configure([[ada, "old"], [bob, "bob"]])
      const [old, own, bobs] = [yield* signIn("old"), yield* signIn("own"), yield* signIn("bob")]
      assert.deepStrictEqual([yield* works(old), yield* works(own), yield* works(bobs)], [true, true, true])

      // The same again ends nothing.
      yield* configure([[ada, "old"], [bob, "bob"]])
      assert.deepStrictEqual([yield* works(old), yield* works(bobs)], [true, true])

      yield* configure([[ada, "new"]])
      assert.deepStrictEqual([yield* works(old), yield* works(own), yield* works(bobs)], [false, true, false])
      assert.deepStrictEqual(told(yield* exchange(text("old"))), [401, "invalid_token"])
      assert.deepStrictEqual(told(yield* exchange(text("bob"))), [401, "invalid_token"])
      const adas = yield* signIn("new")

      yield* configure([[bob, "new"]])
      assert.isFalse(yield* works(adas))
      assert.strictEqual((yield* exchange(text("new"))).body.userId, bob)
      const refused = yield* Effect.flip(configure([[bob, "own"]]))
      assert.strictEqual(refused.message, "tokens[0].text must not be a token of another account.")
      yield* configure([])
      assert.strictEqual((yield* exchange(text("new"))).status, 401)
      assert.isTrue(yield* works(own))
    }))

  it.effect("AUTH-22 a configured token has the limits of the newest configuration, and so have its sessions", () =>
    Effect.gen(function*() {
      const tokens = yield* ApiTokens
      const ada = yield* newUser()
      const text = Checked.tokenText("ada".padEnd(32, "-"))
      const configure = (more: Partial<NewApiToken>) =>
        tokens.configure([{
          accountId: ada,
          text,
          token: { name: Checked.tokenName("configured"), limits: unlimited, expireTime: null, ...more }
        }])
      const signIn = Effect.map(exchange(text), ({ body }) => body.gelToken as string)
      const makes = (session: string) =>
        Effect.map(call(session, "/create-folder", { path: "/A" }), ({ body, status }) => [status, body.code])

      yield* configure({})
      const wide = yield* signIn
      assert.deepStrictEqual(yield* makes(wide), [200, undefined])
      const readOnly = { limits: { permissions: ["read" as const], folderId: null } }
      yield* configure(readOnly)
      assert.deepStrictEqual(yield* makes(wide), [401, "no_session"])
      const narrow = yield* signIn
      assert.deepStrictEqual(yield* makes(narrow), [403, "token_limit"])
      // The same again ends nothing.
      yield* configure(readOnly)
      assert.deepStrictEqual(yield* makes(narrow), [403, "token_limit"])
      yield* configure({ ...readOnly, expireTime: DateTime.add(yield* DateTime.now, { hours: 1 }) })
      assert.deepStrictEqual(yield* makes(narrow), [401, "no_session"])
      const late = yield* signIn
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* makes(late), [401, "session_expired"])
    }))

  it.effect("AUTH-22 another's folder or token is refused where a token is registered, configured or a session opened", () =>
    Effect.gen(function*() {
      const [tokens, sessions] = [yield* ApiTokens, yield* Sessions]
      const [ada, bob] = [yield* newUser(), yield* newUser()]
      const folder = yield* Folders.use((folders) => folders.ensure(bob, Checked.path("/B"), "folder"))
      const inBobs = {
        name: Checked.tokenName("a"),
        limits: { permissions: null, folderId: folder!.id },
        expireTime: null
      }
      const free = { ...inBobs, limits: unlimited }
      const text = Checked.tokenText("both".padEnd(32, "-"))
      assert.strictEqual((yield* Effect.flip(tokens.register(ada, text, inBobs))).code, "not_found")
      assert.strictEqual(
        (yield* Effect.flip(tokens.configure([{ accountId: ada, text, token: inBobs }]))).message,
        "tokens[0].folderId must be the id of a folder of the user's."
      )
      assert.strictEqual((yield* Effect.flip(sessions.open(ada, inBobs.limits))).code, "not_found")
      assert.strictEqual((yield* exchange(text)).status, 401)
      yield* tokens.register(bob, text, free)
      assert.strictEqual(
        (yield* Effect.flip(tokens.register(ada, text, free))).message,
        "text must not be a token of another account."
      )
      assert.strictEqual((yield* exchange(text)).body.userId, bob)
    }))

  it.effect("AUTH-13 users are made, found and changed in code; a taken id or handle changes nothing", () =>
    Effect.gen(function*() {
      const admin = yield* AccountsAdmin
      const made = Option.getOrThrow(yield* admin.create({ handle: "ada", plan: "basic", quotaBytes: 10 }))
      assert.deepInclude(made, { handle: "ada", plan: "basic", quotaBytes: 10, suspended: false, showsViews: true })
      assert.deepStrictEqual(yield* admin.find(made.id), Option.some(made))
      assert.deepStrictEqual(yield* admin.findByHandle("ada"), Option.some(made))
      assert.isTrue(Option.isNone(yield* admin.create({ handle: "ada" })))
      assert.isTrue(Option.isNone(yield* admin.create({ id: made.id })))
      yield* admin.setPlan(made.id, "pro")
      yield* admin.setQuota(made.id, null)
      const changed = Option.getOrThrow(yield* admin.setDisplayName(made.id, "Ada"))
      assert.deepStrictEqual(changed, {
        ...made,
        plan: "pro",
        quotaBytes: null,
        monthlyImages: 500,
        displayName: "Ada"
      })
      assert.isTrue(Option.isNone(yield* admin.setPlan(AccountId.make("019845e1-682f-7b02-a706-3b2422d13aec"), null)))
    }))
})
