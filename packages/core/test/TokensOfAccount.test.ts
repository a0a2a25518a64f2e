import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../src/database/Database.ts"
import * as Limits from "../src/limits/Limits.ts"
import { call, signedIn, testHttp } from "./TestHttp.ts"

const told = ({ body, status }: { readonly status: number; readonly body: { readonly code?: string } }) => [
  status,
  body.code
]

layer(testHttp())("how many tokens an account has", (it) => {
  it.effect("AUTH-60 an account at its limit of API tokens makes another once it has revoked one", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const { token, userId } = yield* signedIn
      const named = { name: "one more" }
      yield* sql`
        INSERT INTO ${t.api_tokens} (id, account_id, name, token_hash, insert_time)
        SELECT gen_random_uuid(), ${userId}, 'many', sha256(n::text::bytea), now()
        FROM generate_series(1, ${Limits.tokensOfAccount}::int) n
      `
      const refused = yield* call(token, "/create-api-token", named)
      assert.deepStrictEqual(told(refused), [403, "not_allowed"])
      const listed = yield* call(token, "/select-api-tokens")
      assert.lengthOf(listed.body as unknown as ReadonlyArray<unknown>, Limits.tokensOfAccount)
      const { id } = (listed.body as unknown as ReadonlyArray<{ readonly id: string }>)[0]!
      assert.strictEqual((yield* call(token, "/revoke-api-token", { id })).status, 200)
      assert.strictEqual((yield* call(token, "/create-api-token", named)).status, 200)
    }))
})
