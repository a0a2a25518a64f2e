import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { granted, isValid, services } from "../../test/GrantsTest.ts"
import { newUser } from "../../test/TestHttp.ts"
import { Sessions } from "../accounts/Sessions.ts"
import { Database } from "../database/Database.ts"
import * as SecretToken from "../shared/SecretToken.ts"

layer(services)("what is stored of an access token", (it) => {
  it.effect("OAUTH-94 it is not found as sessions are found by releases that know no resources", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const found = Effect.fnUntraced(function*(token: string) {
        const rows = yield* sql`SELECT 1 FROM ${t.sessions} WHERE token_hash = ${yield* SecretToken.hash(token)}`
        return rows.length
      })
      const me = yield* newUser()
      const tokens = yield* granted(me)
      assert.isTrue(yield* isValid(tokens))
      assert.strictEqual(yield* found(tokens.accessToken), 0)
      const { token } = yield* (yield* Sessions).open(me)
      assert.strictEqual(yield* found(token), 1)
      assert.lengthOf(yield* (yield* Sessions).list(me), 2)
    }))
})
