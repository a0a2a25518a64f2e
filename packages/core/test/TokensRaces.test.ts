/** Exchanges that race a revocation or a suspension, on real PostgreSQL. */
import { assert, layer } from "@effect/vitest"
import { MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Effect, Layer, Result } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { AccountsAdmin } from "../src/accounts/AccountsAdmin.ts"
import * as AccountsSql from "../src/accounts/AccountsSql.ts"
import { AccountTransaction } from "../src/accounts/AccountTransaction.ts"
import type { ApiTokenText } from "../src/accounts/ApiToken.ts"
import { ApiTokens } from "../src/accounts/ApiTokens.ts"
import { CurrentAccount, unlimited } from "../src/accounts/CurrentAccount.ts"
import { Sessions } from "../src/accounts/Sessions.ts"
import * as Checked from "./Checked.ts"
import { ManualJobs } from "./ManualJobs.ts"
import { newUser } from "./TestHttp.ts"

const services = Layer.mergeAll(ApiTokens.layer, AccountsAdmin.layer).pipe(
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
  Layer.provideMerge(TestDatabase.layerPostgres),
  Layer.orDie
)

/** Exchanges a token four times while `end` happens, and returns what became of the sessions. */
const race = <E, R>(text: ApiTokenText, end: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function*() {
    const tokens = yield* ApiTokens
    const sessions = yield* Sessions
    const exchange = Effect.result(tokens.exchange(text))
    const [, ...exchanged] = yield* Effect.all([end, exchange, exchange, exchange, exchange], {
      concurrency: "unbounded"
    })
    return yield* Effect.forEach(exchanged.filter(Result.isSuccess), ({ success }) =>
      Effect.result(sessions.resolve(success.token, "/api")))
  })

layer(services)("tokens under concurrency", (it) => {
  it.effect("AUTH-7 a session exchanged while its token is revoked does not outlive it", () =>
    Effect.gen(function*() {
      const tokens = yield* ApiTokens
      const userId = yield* newUser()
      const asUser = Effect.provideService(CurrentAccount, { id: userId, tokenId: null, limits: unlimited })
      for (let round = 0; round < 25; round++) {
        const { text, token } = yield* tokens.create({
          name: Checked.tokenName("a"),
          limits: unlimited,
          expireTime: null
        }).pipe(asUser)
        const found = yield* race(text, asUser(tokens.revoke(token.id)))
        assert.isTrue(found.every(Result.isFailure))
        assert.deepStrictEqual(yield* (yield* Sessions).list(userId), [])
      }
    }), 60_000)

  it.effect(
    "AUTH-13 a session exchanged while its user is suspended does not outlive that",
    () =>
      Effect.gen(function*() {
        const tokens = yield* ApiTokens
        const admin = yield* AccountsAdmin
        for (let round = 0; round < 25; round++) {
          const userId = yield* newUser()
          const text = Checked.tokenText(`fdt_race_${round}`.padEnd(32, "-"))
          yield* tokens.register(userId, text, { name: Checked.tokenName("a"), limits: unlimited, expireTime: null })
          const found = yield* race(text, admin.suspend(userId))
          assert.isTrue(found.every(Result.isFailure))
          assert.deepStrictEqual(yield* (yield* Sessions).list(userId), [])
        }
      }),
    60_000
  )
})
