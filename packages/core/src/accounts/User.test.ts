import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, newUser, testHttp } from "../../test/TestHttp.ts"
import { Sessions } from "./Sessions.ts"

layer(testHttp())("the user of a session", (it) => {
  it.effect("AUTH-34 is told to it, with what it may do", () =>
    Effect.gen(function*() {
      const sessions = yield* Sessions
      const userId = yield* newUser()
      const told = Effect.fnUntraced(function*(permissions: ReadonlyArray<"read" | "add"> | null) {
        const { token } = yield* sessions.open(userId, { permissions, folderId: null })
        return yield* call(token, "/get-user")
      })
      assert.deepStrictEqual((yield* told(null)).body, { userId, permissions: null, folder: null })
      assert.deepStrictEqual((yield* told(["add"])).body, { userId, permissions: ["add"], folder: null })
    }))
})
