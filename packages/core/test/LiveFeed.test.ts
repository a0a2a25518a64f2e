/** The live feed over HTTP, in time: heartbeats, how many there may be, and the end of its session. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { AccountsAdmin } from "../src/accounts/AccountsAdmin.ts"
import { ApiTokens } from "../src/accounts/ApiTokens.ts"
import { CurrentAccount, unlimited } from "../src/accounts/CurrentAccount.ts"
import { Sessions } from "../src/accounts/Sessions.ts"
import { Database } from "../src/database/Database.ts"
import type { AccountId } from "../src/shared/Ids.ts"
import * as Checked from "./Checked.ts"
import { followFeed as follow, requestFeed as request, turn } from "./FollowedFeed.ts"
import { exchange, newUser, signedIn, testHttp, withToken } from "./TestHttp.ts"

/** A second, of which something that looks every so often has all. */
const second = Effect.forEach(
  Array.from({ length: 4 }),
  () => Effect.andThen(TestClock.adjust("250 millis"), Effect.repeat(turn, { times: 50 }))
)

type Ending = Effect.Effect<unknown, unknown, AccountsAdmin | ApiTokens | Sessions>

const beats = (text: string) => text.split(": nothing new\n").length - 1

layer(testHttp())("The live feed", (it) => {
  it.effect("FEED-17 it says that it lives when nothing happens, with the cursor to continue from", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const live = yield* follow(token)
      const text = yield* live.until((text) => beats(text) >= 2)
      assert.match(text, /^retry: 2000\n\n: nothing new\nid: e0\n\n/)
      yield* live.hangUp
    }))

  it.effect("FEED-18 SEC-2 it ends within a second of its session, whichever process ended it, or whose time is over", () =>
    Effect.gen(function*() {
      const [sessions, tokens, { sql, tables: t }] = [yield* Sessions, yield* ApiTokens, yield* Database]
      const signedInByToken = Effect.gen(function*() {
        const text = `fdt_${(yield* (yield* SecureRandom.SecureRandom).uuidV4()).repeat(2)}`
        const userId = yield* withToken(text)
        return { userId, token: (yield* exchange(text)).body.gelToken as string }
      })
      const ends = [
        ({ token }: { readonly token: string }) => sessions.end(Checked.sessionToken(token)),
        // As another process does: nobody in this one hears of it.
        ({ userId }: { readonly userId: AccountId }) => sql`DELETE FROM ${t.sessions} WHERE account_id = ${userId}`,
        ({ userId }: { readonly userId: AccountId }) => sql`DELETE FROM ${t.api_tokens} WHERE account_id = ${userId}`,
        ({ userId }: { readonly userId: AccountId }) =>
          Effect.gen(function*() {
            const caller = { id: userId, tokenId: null, limits: unlimited }
            const [token] = yield* Effect.provideService(tokens.list, CurrentAccount, caller)
            yield* Effect.provideService(tokens.revoke(token!.id), CurrentAccount, caller)
          })
      ]
      const other = yield* signedIn
      for (const end of ends) {
        const mine = yield* signedInByToken
        const lasting = (yield* sessions.open(other.userId)).token
        const [live, theirs] = [yield* follow(mine.token), yield* follow(lasting)]
        yield* second
        // The look that this second began has its answer, so that the next begins within the next second.
        for (let n = 0; n < 5; n++) yield* Effect.andThen(sql`SELECT 1`, turn)
        assert.isFalse(yield* live.hasEnded)
        yield* end(mine)
        yield* second
        // The clock stands still now: what waits for the database is waited for, and nothing else.
        while (!(yield* live.hasEnded)) yield* turn
        assert.isFalse(yield* theirs.hasEnded)
        yield* theirs.hangUp
      }
      const { token } = yield* sessions.open(other.userId)
      // Nobody follows any longer: a day passes without a look at every half second of it.
      yield* second
      yield* TestClock.adjust("86397 seconds")
      const live = yield* follow(token)
      yield* second
      assert.isFalse(yield* live.hasEnded)
      yield* second
      while (!(yield* live.hasEnded)) yield* turn
    }))

  const ways: Readonly<Record<string, (of: { readonly userId: AccountId; readonly token: string }) => Ending>> = {
    "is ended": ({ token }) => Sessions.use((sessions) => sessions.end(Checked.sessionToken(token))),
    "is ended by its id": ({ token, userId }) =>
      Sessions.use((sessions) =>
        Effect.flatMap(sessions.idOf(Checked.sessionToken(token)), (id) => sessions.endById(userId, id))
      ),
    "is ended with all of its user": ({ userId }) => AccountsAdmin.use((admin) => admin.suspend(userId)),
    "is of a token that is revoked": ({ userId }) =>
      Effect.gen(function*() {
        const tokens = yield* ApiTokens
        const [token] = yield* tokens.list
        yield* tokens.revoke(token!.id)
      }).pipe(Effect.provideService(CurrentAccount, { id: userId, tokenId: null, limits: unlimited })),
    "is of a token that the configuration leaves out": () => ApiTokens.use((tokens) => tokens.configure([]))
  }
  for (const [way, end] of Object.entries(ways)) {
    it.effect(`FEED-28 a feed has ended when the call is answered by which its session ${way}`, () =>
      Effect.gen(function*() {
        const userId = yield* newUser()
        const text = Checked.tokenText(`fdt_${userId}`)
        const token = { name: Checked.tokenName("feed"), limits: unlimited, expireTime: null }
        yield* ApiTokens.use((tokens) => tokens.configure([{ accountId: userId, text, token }]))
        const session: string = (yield* exchange(text)).body.gelToken
        const [mine, theirs] = [yield* follow(session), yield* follow((yield* signedIn).token)]
        yield* end({ userId, token: session })
        // The clock stands still, so nothing looks by itself.
        assert.isTrue(yield* mine.hasEnded)
        assert.isFalse(yield* theirs.hasEnded)
        yield* theirs.hangUp
      }))
  }

  it.effect("FEED-19 a session follows with twenty at most: one more ends its oldest, and none of another's", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const other = yield* follow((yield* (yield* Sessions).open(userId)).token)
      const feeds = yield* Effect.forEach(Array.from({ length: 20 }), () => follow(token))
      assert.isFalse(yield* feeds[0]!.hasEnded)
      const newest = yield* follow(token)
      assert.isTrue(yield* feeds[0]!.hasEnded)
      for (const feed of [other, feeds[1]!, newest]) assert.isFalse(yield* feed.hasEnded)
      for (const feed of [other, newest, ...feeds]) yield* feed.hangUp
    }))

  it.effect("FEED-19 an account follows with a hundred: the next is 429, until one of them goes", () =>
    Effect.gen(function*() {
      const { userId } = yield* signedIn
      const sessions = yield* Sessions
      const feeds: Array<Effect.Success<ReturnType<typeof follow>>> = []
      for (let session = 0; session < 5; session++) {
        const { token } = yield* sessions.open(userId)
        for (let feed = 0; feed < 20; feed++) feeds.push(yield* follow(token))
      }
      const { token } = yield* sessions.open(userId)
      const refused = yield* request(token)
      assert.strictEqual(refused.status, 429)
      assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      assert.deepInclude(yield* Effect.promise(() => refused.json()), { code: "rate_limited", retryable: true })
      yield* follow((yield* signedIn).token)
      yield* feeds[7]!.hangUp
      yield* Effect.repeat(turn, { times: 100 })
      feeds.push(yield* follow(token))
      assert.strictEqual((yield* request(token)).status, 429)
      for (const feed of feeds) yield* feed.hangUp
    }))
})
