/** API tokens whose text the host chooses, as those of its configuration. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ApiTokens } from "../src/accounts/ApiTokens.ts"
import { unlimited } from "../src/accounts/CurrentAccount.ts"
import type { AccountId } from "../src/shared/Ids.ts"
import { call, exchange, newUser, testHttp } from "./TestHttp.ts"

const told = ({ body, status }: { readonly status: number; readonly body: { readonly code?: string } }) => [
  status,
  body.code
]

layer(testHttp())("tokens of the host's choosing", (it) => {
  it.effect("AUTH-19 a token text of fewer than 32 characters is refused, and makes nothing", () =>
    Effect.gen(function*() {
      const tokens = yield* ApiTokens
      const userId = yield* newUser()
      const token = { name: "t", limits: unlimited, expireTime: null }
      for (const text of ["", "fdt_short", "x".repeat(31)]) {
        const refused = yield* Effect.flip(tokens.register(userId, text, token))
        assert.strictEqual(refused.message, "text must have at least 32 characters.")
        const all = [{ accountId: userId, text: "y".repeat(32), token }, { accountId: userId, text, token }]
        assert.strictEqual(
          (yield* Effect.flip(tokens.configure(all))).message,
          "tokens[1].text must have at least 32 characters."
        )
        assert.strictEqual((yield* exchange(text)).status, 401)
      }
      assert.strictEqual((yield* exchange("y".repeat(32))).status, 401)
      yield* tokens.register(userId, "x".repeat(32), token)
      assert.strictEqual((yield* exchange("x".repeat(32))).status, 200)
    }))

  it.effect("AUTH-20 configured tokens that are rotated, removed or given to another user end with their sessions", () =>
    Effect.gen(function*() {
      const tokens = yield* ApiTokens
      const [ada, bob] = [yield* newUser(), yield* newUser()]
      const text = (name: string) => name.padEnd(32, "-")
      const token = { name: "configured", limits: unlimited, expireTime: null }
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
})
