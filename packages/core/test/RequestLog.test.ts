import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, signedIn, testHttp, TestLog } from "./TestHttp.ts"

layer(testHttp({ logRequests: true }))("accounts in code", (it) => {
  it.effect("HOST-15 an answered request is logged by route, status and duration when the host asks for it", () =>
    Effect.gen(function*() {
      const log = yield* TestLog
      const { token } = yield* signedIn
      yield* call(token, "/select-api-tokens?secret=1")
      const line = log.find((line) => line.includes("/api/select-api-tokens"))
      assert.match(line!, /status=200/)
      assert.notInclude(log.join("\n"), "secret")
      assert.notInclude(log.join("\n"), token)
    }))
})
