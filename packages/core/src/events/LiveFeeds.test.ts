import { assert, describe, it } from "@effect/vitest"
import { type Duration, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { SessionToken } from "../accounts/Session.ts"
import { Sessions } from "../accounts/Sessions.ts"
import { AccountId, SessionId } from "../shared/Ids.ts"
import { admit, make } from "./LiveFeeds.ts"

/** The feeds of an account, oldest first: so many of each session, in turns. */
const feedsOf = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).flatMap(([sessionId, count]) => Array.from({ length: count }, (_, no) => ({ sessionId, no })))

describe("LiveFeeds", () => {
  it("FEED-19 one more feed is open, takes the place of its session's oldest, or has no room", () => {
    assert.deepStrictEqual(admit([], "s"), { _tag: "Open" })
    assert.deepStrictEqual(admit(feedsOf({ s: 19, t: 20 }), "s"), { _tag: "Open" })
    assert.deepStrictEqual(admit(feedsOf({ t: 20, s: 20 }), "s"), { _tag: "Instead", of: { sessionId: "s", no: 0 } })
    assert.deepStrictEqual(admit(feedsOf({ a: 20, b: 20, c: 20, d: 20, e: 19 }), "e"), { _tag: "Open" })
    assert.deepStrictEqual(admit(feedsOf({ a: 20, b: 20, c: 20, d: 20, e: 20 }), "f"), { _tag: "Full" })
    // A session that has all it may is never turned away.
    assert.deepStrictEqual(admit(feedsOf({ a: 20, b: 20, c: 20, d: 20, e: 20 }), "e")._tag, "Instead")
  })

  it.effect("FEED-18 a slow look at the sessions doesn't postpone the next: a feed ends within a second of its session", () => {
    let isAlive = true
    const id = SessionId.make("a".repeat(64))
    const sessions = Layer.mock(Sessions, {
      idOf: () => Effect.succeed(id),
      onEnded: () => Effect.void,
      // Answers 400 ms later what was so when it was asked.
      alive: () => Effect.suspend(() => Effect.delay(Effect.succeed(new Set(isAlive ? [id] : [])), "400 millis"))
    })
    return Effect.gen(function*() {
      const feeds = yield* make
      const feed = yield* feeds.open(AccountId.make("00000000-0000-7000-8000-000000000001"), SessionToken.make("token"))
      yield* TestClock.adjust("500 millis")
      isAlive = false
      yield* TestClock.adjust("800 millis")
      assert.isFalse(feed!.ended.isOpen())
      yield* TestClock.adjust("200 millis")
      assert.isTrue(feed!.ended.isOpen())
    }).pipe(Effect.scoped, Effect.provide(sessions))
  })

  it.effect("FEED-28 no event is delivered after the session has ended, whenever the next check is due", () => {
    const alive = new Set([SessionId.make("a".repeat(64)), SessionId.make("b".repeat(64))])
    let asked = 0
    const sessions = Layer.mock(Sessions, {
      idOf: (token) => Effect.succeed(SessionId.make(token.repeat(64))),
      onEnded: () => Effect.void,
      alive: (ids) => Effect.delay(Effect.sync(() => (asked++, new Set(ids.filter((id) => alive.has(id))))), "1 millis")
    })
    return Effect.gen(function*() {
      const feeds = yield* make
      const open = (token: string) =>
        feeds.open(AccountId.make("00000000-0000-7000-8000-000000000001"), SessionToken.make(token))
      const [a, b] = [yield* open("a"), yield* open("b")]
      const handOut = Effect.fnUntraced(function*() {
        const asking = yield* Effect.forkChild(
          Effect.all([a!.mayHandOut, b!.mayHandOut, b!.mayHandOut], { concurrency: "unbounded" }),
          { startImmediately: true }
        )
        yield* TestClock.adjust("2 millis")
        return yield* Fiber.join(asking)
      })
      assert.deepStrictEqual(yield* handOut(), [true, true, true])
      assert.strictEqual(asked, 1, "those that ask at the same time are asked for together")
      alive.delete(SessionId.make("a".repeat(64)))
      assert.deepStrictEqual(yield* handOut(), [false, true, true])
      assert.deepStrictEqual([a!.ended.isOpen(), b!.ended.isOpen()], [true, false])
    }).pipe(Effect.scoped, Effect.provide(sessions))
  })

  /** One feed, whose session is asked for in this time. */
  const slowly = Effect.fnUntraced(function*(duration: Duration.Input) {
    let isAlive = true
    let look: Effect.Effect<void> = Effect.void
    const id = SessionId.make("a".repeat(64))
    const sessions = Layer.mock(Sessions, {
      idOf: () => Effect.succeed(id),
      alive: () => Effect.suspend(() => Effect.delay(Effect.succeed(new Set(isAlive ? [id] : [])), duration)),
      onEnded: (run) =>
        Effect.sync(() => {
          look = run
        })
    })
    const feeds = yield* Effect.provide(make, sessions)
    const feed = yield* feeds.open(AccountId.make("00000000-0000-7000-8000-000000000001"), SessionToken.make("token"))
    const gone = Effect.sync(() => {
      isAlive = false
    })
    return { mayHandOut: feed!.mayHandOut, gone, revoke: Effect.andThen(gone, Effect.suspend(() => look)) }
  })

  it.effect("FEED-28 a revocation is answered after the deliveries that were checked before it, and none follows", () =>
    Effect.gen(function*() {
      const order: Array<string> = []
      const { mayHandOut, revoke } = yield* slowly("10 millis")
      const delivery = Effect.map(mayHandOut, (may) => void order.push(may ? "delivered" : "not delivered"))
      yield* Effect.forkChild(delivery, { startImmediately: true })
      yield* TestClock.adjust("5 millis")
      yield* Effect.forkChild(Effect.map(revoke, () => void order.push("answered")), { startImmediately: true })
      yield* TestClock.adjust("1 millis")
      yield* Effect.forkChild(delivery, { startImmediately: true })
      yield* TestClock.adjust("50 millis")
      assert.deepStrictEqual([order[0], order.slice(1).toSorted()], ["delivered", ["answered", "not delivered"]])
    }).pipe(Effect.scoped))

  it.effect("FEED-28 a check whose answer took longer than a second is made again", () =>
    Effect.gen(function*() {
      const { gone, mayHandOut } = yield* slowly("1100 millis")
      const check = yield* Effect.forkChild(mayHandOut, { startImmediately: true })
      yield* TestClock.adjust("100 millis")
      yield* gone
      yield* TestClock.adjust("5 seconds")
      assert.isFalse(yield* Fiber.join(check))
    }).pipe(Effect.scoped))
})
