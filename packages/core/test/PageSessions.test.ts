/** Sessions of the drive's pages, which must not outlive what their reader was signed in by. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Sessions } from "../src/accounts/Sessions.ts"
import { call, exchange, newUser, signedIn, testHttp } from "./TestHttp.ts"

layer(testHttp())("sessions of pages", (it) => {
  const isOpen = (token: string) => Effect.map(call(token, "/select-user-files"), ({ status }) => status === 200)

  it.effect("AUTH-23 end when a token of the account is revoked, and no others do", () =>
    Effect.gen(function*() {
      const sessions = yield* Sessions
      const { token, userId } = yield* signedIn
      const other = yield* newUser()
      const made = (yield* call(token, "/create-api-token", { name: "a" })).body
      const kept = (yield* call(token, "/create-api-token", { name: "b" })).body
      const ofKept = (yield* exchange(kept.token)).body.gelToken
      const page = yield* sessions.openForPage(userId)
      const ofHost = yield* sessions.open(userId)
      const ofOther = yield* sessions.openForPage(other)
      assert.isTrue(yield* isOpen(page.token))
      yield* call(page.token, "/revoke-api-token", { id: made.id })
      assert.isFalse(yield* isOpen(page.token))
      for (const session of [token, ofKept, ofHost.token, ofOther.token]) assert.isTrue(yield* isOpen(session))
    }))

  it.effect("AUTH-23 end when a session of the account is ended, by its token or by its id", () =>
    Effect.gen(function*() {
      const sessions = yield* Sessions
      const userId = yield* newUser()
      const [first, second] = [yield* sessions.open(userId), yield* sessions.open(userId)]
      const page = yield* sessions.openForPage(userId)
      yield* sessions.end(first.token)
      assert.isFalse(yield* isOpen(page.token))
      assert.isTrue(yield* isOpen(second.token))
      const next = yield* sessions.openForPage(userId)
      // Again: it is no session any more.
      yield* sessions.end(first.token)
      assert.isTrue(yield* isOpen(next.token))
      assert.isTrue(yield* sessions.endById(userId, yield* sessions.idOf(second.token)))
      assert.isFalse(yield* isOpen(next.token))
    }))
})
