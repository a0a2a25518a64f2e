import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Deferred, Effect, Fiber } from "effect"
import {
  codeOf,
  consent,
  exchange,
  granted,
  issue,
  isValid,
  listed,
  refresh,
  servicesOn
} from "../../test/GrantsTest.ts"
import { newUser } from "../../test/TestHttp.ts"
import { Database } from "../database/Database.ts"
import * as Limits from "../limits/Limits.ts"
import { Grants } from "./Grants.ts"

layer(servicesOn(TestDatabase.layerPostgres), { timeout: "60 seconds" })("grants under concurrency", (it) => {
  it.effect("OAUTH-11 a page is not answered again after the grant of its code has ended", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const given = yield* consent()
      const grants = yield* Grants
      const code = yield* grants.issueCode(me, given)
      const tokens = yield* exchange(code)
      yield* grants.revoke(tokens.refreshToken, "app")
      assert.deepStrictEqual(yield* listed(me), [])
      const again = yield* Effect.flip(grants.issueCode(me, given))
      assert.isTrue(again._tag === "ConsentRefused" && again.reason === "answered")
      assert.strictEqual(yield* codeOf(exchange(code)), "invalid_grant")
    }))

  it.effect("OAUTH-22 an account has a bounded number of codes, the newest of them", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const [other, codes] = [yield* newUser(), new Array<string>()]
      const kept = yield* issue(other)
      for (let count = 0; count < Limits.oauth.codesOfAccount + 3; count++) codes.push(yield* issue(me))
      const { sql, tables: t } = yield* Database
      const [row] = yield* sql<{ readonly count: number }>`
        SELECT count(*)::int AS count FROM ${t.oauth_codes} WHERE account_id = ${me}
      `
      assert.strictEqual(row!.count, Limits.oauth.codesOfAccount)
      assert.isTrue(yield* isValid(yield* exchange(kept)))
    }))

  it.effect("OAUTH-99 refreshes with one token at the same time give the same answer", () =>
    Effect.gen(function*() {
      const first = yield* granted(yield* newUser())
      const all = yield* Effect.all(Array.from({ length: 8 }, () => refresh(first)), { concurrency: "unbounded" })
      for (const one of all) assert.deepStrictEqual(one, all[0])
      assert.isTrue(yield* isValid(yield* refresh(all[0]!)))
    }))

  it.effect("OAUTH-23 whoever refreshes a grant and whoever ends it lock its rows in one order, so that neither is given up", () =>
    Effect.gen(function*() {
      const me = yield* newUser()
      const tokens = yield* granted(me)
      const { sql, tables: t } = yield* Database
      const [held, isWaitedFor] = [yield* Deferred.make<number>(), yield* Deferred.make<void>()]
      // Like a deletion of the grant: first its row among the tokens, then what belongs to it.
      const ending = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
        yield* sql`SELECT 1 FROM ${t.api_tokens} WHERE account_id = ${me} FOR UPDATE`
        const [{ pid }] = (yield* sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`) as [{ pid: number }]
        yield* Deferred.succeed(held, pid)
        yield* Deferred.await(isWaitedFor)
        return yield* sql`SELECT 1 FROM ${t.oauth_grants} WHERE account_id = ${me} FOR UPDATE NOWAIT`
      })))
      const pid = yield* Deferred.await(held)
      const refreshing = yield* Effect.forkChild(refresh(tokens))
      yield* Effect.repeat(sql`SELECT 1 FROM pg_stat_activity WHERE ${pid}::int = ANY (pg_blocking_pids(pid))`, {
        until: (rows) => rows.length > 0
      })
      yield* Deferred.succeed(isWaitedFor, undefined)
      assert.lengthOf(yield* Fiber.join(ending), 1)
      assert.isTrue(yield* isValid(yield* Fiber.join(refreshing)))
    }))
})
