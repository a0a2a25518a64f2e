/** Users the host keeps, whom it may suspend or remove without a word to the drive. */
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { ActiveAccounts } from "../src/accounts/ActiveAccounts.ts"
import { ApiTokens } from "../src/accounts/ApiTokens.ts"
import { CurrentAccount, unlimited } from "../src/accounts/CurrentAccount.ts"
import { Sessions } from "../src/accounts/Sessions.ts"
import { Events } from "../src/events/Events.ts"
import { type Account, Accounts } from "../src/ports/Accounts.ts"
import { Unavailable } from "../src/shared/DriveError.ts"
import { AccountId } from "../src/shared/Ids.ts"
import * as Checked from "./Checked.ts"
import { followFeed, turn } from "./FollowedFeed.ts"
import { ordinaryUser } from "./ordinaryUser.ts"
import { call, exchange, testHttpWith } from "./TestHttp.ts"

/** What the host's own table says, and how often it was asked. */
const host = {
  users: new Map<AccountId, Account>(),
  asked: 0,
  away: false,
  add: (id: string): AccountId => {
    const account = ordinaryUser(AccountId.make(id))
    host.users.set(account.id, account)
    return account.id
  },
  suspend: (id: AccountId, suspended = true) => void host.users.set(id, { ...host.users.get(id)!, suspended })
}

const HostUsers = Layer.succeed(
  Accounts,
  Accounts.of({
    find: (id) =>
      Effect.suspend(() => {
        host.asked++
        return host.away
          ? Effect.fail(new Unavailable({ code: "unavailable", cause: new Error("away") }))
          : Effect.succeed(Option.fromUndefinedOr(host.users.get(id)))
      })
  })
)

const list = "/select-user-files"
const code = ({ body, status }: { readonly status: number; readonly body: { readonly code?: string } }) => [
  status,
  body.code
]

layer(testHttpWith(HostUsers))("users the host keeps", (it) => {
  const leave = {
    "is suspended": (id: AccountId) => host.suspend(id),
    "no longer exists": (id: AccountId) => void host.users.delete(id)
  }
  const ids = ["019a0000-0000-7000-8000-000000000001", "019a0000-0000-7000-8000-000000000002"]

  for (const [at, [how, out]] of Object.entries(leave).entries()) {
    it.effect(`AUTH-17 a user who ${how} is out within 5 seconds: sessions, API tokens and live feeds`, () =>
      Effect.gen(function*() {
        const id = host.add(ids[at]!)
        const text = `fdt_of_a_user_who_leaves_the_host_${at}`
        yield* (yield* ApiTokens).register(id, Checked.tokenText(text), {
          name: Checked.tokenName("t"),
          limits: unlimited,
          expireTime: null
        })
        const exchanged: string = (yield* exchange(text)).body.gelToken
        const opened = (yield* (yield* Sessions).open(id)).token
        const feed = yield* followFeed(opened)
        for (const token of [exchanged, opened]) assert.strictEqual((yield* call(token, list)).status, 200)

        out(id)
        assert.notStrictEqual((yield* exchange(text)).status, 200)
        yield* TestClock.adjust("4900 millis")
        for (const token of [exchanged, opened]) {
          assert.strictEqual((yield* call(token, list)).status, 401)
        }
        // The clock stands still now: a read of events that is under way is waited for, and nothing else.
        while (!(yield* feed.hasEnded)) yield* turn
      }))
  }

  for (const [at, [how, out]] of Object.entries(leave).entries()) {
    it.effect(`AUTH-32 a user who ${how} gets no session and no API token from code, and its feed ends within 5 seconds`, () =>
      Effect.gen(function*() {
        const id = host.add(`019a0000-0000-7000-8000-00000000001${at}`)
        const asUser = Effect.provideService(CurrentAccount, { id, tokenId: null, limits: unlimited })
        const [active, events, sessions, tokens] = [
          yield* ActiveAccounts,
          yield* Events,
          yield* Sessions,
          yield* ApiTokens
        ]
        const open = sessions.open(id)
        const create = asUser(tokens.create({ name: Checked.tokenName("t"), limits: unlimited, expireTime: null }))
        yield* open
        yield* create
        const feed = yield* Effect.forkChild(Stream.runDrain(yield* asUser(events.follow({}))))
        yield* TestClock.adjust("2 seconds")
        assert.isUndefined(feed.pollUnsafe())

        out(id)
        // What is handed out is decided by what the host says now, calls by what it said at most 3 seconds ago.
        const refused = Effect.fnUntraced(function*(act: Effect.Effect<unknown, unknown>) {
          assert.deepInclude(yield* Effect.flip(act), { _tag: "Refused", code: "not_allowed" })
        })
        yield* refused(open)
        yield* refused(create)
        yield* TestClock.adjust("4900 millis")
        yield* refused(active.check(id))
        yield* Fiber.join(feed)
      }))
  }

  it.effect("AUTH-32 while the host can't be asked no session is opened, and nobody acts", () =>
    Effect.gen(function*() {
      const id = host.add("019a0000-0000-7000-8000-000000000006")
      host.away = true
      for (const refused of [(yield* Sessions).open(id), (yield* ActiveAccounts).check(id)]) {
        assert.deepInclude(yield* Effect.flip(refused), { _tag: "Unavailable", code: "unavailable" })
      }
      host.away = false
      yield* (yield* Sessions).open(id)
    }))

  it.effect("AUTH-17 who is let in again signs in again: the sessions from before stay ended", () =>
    Effect.gen(function*() {
      const id = host.add("019a0000-0000-7000-8000-000000000003")
      const sessions = yield* Sessions
      const before = (yield* sessions.open(id)).token
      host.suspend(id)
      assert.deepStrictEqual(code(yield* call(before, list)), [401, "session_expired"])
      host.suspend(id, false)
      assert.deepStrictEqual(code(yield* call(before, list)), [401, "no_session"])
      assert.strictEqual((yield* call((yield* sessions.open(id)).token, list)).status, 200)
    }))

  it.effect("AUTH-18 the host is asked about a user at most once in 3 seconds, however many call at once", () =>
    Effect.gen(function*() {
      const id = host.add("019a0000-0000-7000-8000-000000000004")
      const { token } = yield* (yield* Sessions).open(id)
      host.asked = 0
      const calls = Effect.all(Array.from({ length: 50 }, () => call(token, list)), { concurrency: "unbounded" })
      for (const wait of [0, 1, 1, 0]) {
        yield* TestClock.adjust(wait * 1_000)
        assert.isTrue((yield* calls).every(({ status }) => status === 200))
      }
      assert.strictEqual(host.asked, 1)
      yield* TestClock.adjust("1 second")
      yield* calls
      assert.strictEqual(host.asked, 2)
    }))

  it.effect("AUTH-18 while the host can't be asked calls are 503, and open feeds continue", () =>
    Effect.gen(function*() {
      const id = host.add("019a0000-0000-7000-8000-000000000005")
      const { token } = yield* (yield* Sessions).open(id)
      const feed = yield* followFeed(token)
      host.away = true
      // Past a heartbeat, before which the session is asked for again.
      for (let second = 0; second < 35; second++) {
        yield* TestClock.adjust("1 second")
        yield* feed.settle
      }
      const answer = yield* call(token, list)
      assert.deepStrictEqual(code(answer), [503, "unavailable"])
      assert.isTrue(answer.body.retryable)
      host.away = false
      assert.strictEqual((yield* call(token, list)).status, 200)
      yield* feed.settle
      assert.isFalse(feed.ended())
    }))
})
