/** How many long answers are made and sent at a time, and what becomes of readers who stop. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Limits from "../limits/Limits.ts"
import { TooManyRequests } from "./ApiError.ts"
import { LongAnswers } from "./LongAnswers.ts"

const { bytes, lists, making, patience, stall } = Limits.longAnswers
/** Just before a reader is cut off. */
const almost = Duration.subtract(stall, Duration.millis(1))
const endless = Stream.forever(Stream.succeed(new Uint8Array(1)))

const refusal = Effect.fnUntraced(function*<A, R>(work: Effect.Effect<A, unknown, R>) {
  const error = yield* Effect.flip(work)
  assert.instanceOf(error, TooManyRequests)
  return error as TooManyRequests
})

const isRefused = <A, R>(work: Effect.Effect<A, unknown, R>) => Effect.asVoid(refusal(work))

const withAnswers = <A, E>(use: (long: LongAnswers["Service"]) => Effect.Effect<A, E>) =>
  Effect.provide(LongAnswers.use(use), LongAnswers.layer)

describe("Long answers", () => {
  it.effect("LONG-1 accounts and processes have limits of lists; the next list is refused until one has ended", () =>
    withAnswers((long) =>
      Effect.gen(function*() {
        const list = (account: string) => long.list(account, endless)
        const own = yield* Effect.replicateEffect(list("a"), lists.perAccount)
        const { code, retryAfterSeconds } = yield* refusal(list("a"))
        assert.deepStrictEqual([code, retryAfterSeconds], ["rate_limited", Limits.longAnswers.retryAfterSeconds])
        yield* Stream.runDrain(Stream.take(own[0]!, 3))
        yield* Effect.asVoid(list("a"))
        yield* isRefused(list("a"))
        for (let n = lists.perAccount; n < lists.perProcess; n++) yield* Effect.asVoid(list(`b${n}`))
        yield* isRefused(list("c"))
        // An interrupted reader has ended too.
        const reader = yield* Effect.forkChild(Stream.runDrain(Stream.mapEffect(own[1]!, () => Effect.never)))
        yield* TestClock.adjust("1 second")
        yield* Fiber.interrupt(reader)
        yield* Effect.asVoid(list("c"))
      })
    ))

  it.effect("LONG-2 other long answers are made in turn, a few at a time; a call that waits too long is refused", () =>
    withAnswers((long) =>
      Effect.gen(function*() {
        let now = 0
        const order: Array<string> = []
        const work = (account: string) =>
          long.make(
            account,
            Effect.suspend(() => {
              assert.isAtMost(++now, making)
              return Effect.ensuring(
                Effect.sleep("1 second"),
                Effect.sync(() => {
                  now--
                  order.push(account)
                })
              )
            })
          )
        const many = yield* Effect.forkChild(
          Effect.forEach([...Array.from({ length: 60 }, () => "a"), "b"], (account) => Effect.exit(work(account)), {
            concurrency: "unbounded"
          })
        )
        yield* TestClock.adjust(Duration.sum(patience, Duration.seconds(2)))
        const exits = yield* Fiber.join(many)
        assert.isBelow(order.indexOf("b"), 2 * making + 1)
        const refused = exits.filter(Exit.isFailure).length
        assert.strictEqual(refused, 61 - order.length)
        assert.isAbove(refused, 0)
        // Work that has begun is not cut by that time.
        const slow = yield* Effect.forkChild(long.make("a", Effect.as(Effect.sleep("1 minute"), "made")))
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* Fiber.join(slow), "made")
      })
    ))

  it.effect("LONG-2 answers that are made and not sent take bounded memory, for each account and for all", () =>
    withAnswers((long) =>
      Effect.gen(function*() {
        const large = new Uint8Array(bytes.perAccount)
        const first = yield* long.send("a", large)
        yield* isRefused(long.send("a", new Uint8Array(1)))
        const sent = yield* Stream.runFold(first, () => 0, (length, piece) => length + piece.length)
        assert.strictEqual(sent, large.length)
        yield* Effect.asVoid(long.send("a", large))
        // Nothing is made in vain beside it.
        yield* isRefused(long.make("a", Effect.die("made")))
        assert.strictEqual(yield* long.make("b", Effect.succeed("made")), "made")
        for (let taken = bytes.perAccount; taken < bytes.perProcess; taken += bytes.perAccount) {
          yield* Effect.asVoid(long.send(`b${taken}`, large))
        }
        yield* isRefused(long.send("c", new Uint8Array(1)))
      })
    ))

  it.effect("LONG-3 a reader that takes nothing for a minute, or never begins, is interrupted and no longer counts", () =>
    withAnswers((long) =>
      Effect.gen(function*() {
        const [slow, ...never] = yield* Effect.replicateEffect(long.list("a", endless), lists.perAccount)
        let taken = 0
        // It is slow, but goes on; then it stops.
        const reader = yield* Effect.forkChild(
          Stream.runForEach(slow!, () => ++taken < 5 ? Effect.sleep(almost) : Effect.never)
        )
        for (let n = 0; n < 4; n++) yield* TestClock.adjust(almost)
        assert.strictEqual(taken, 5)
        assert.isUndefined(reader.pollUnsafe())
        // Those that were never begun are gone by now, one more than is free is refused.
        yield* Effect.replicateEffect(long.list("a", endless), lists.perAccount - 1)
        yield* isRefused(long.list("a", endless))
        const late = yield* Effect.exit(Stream.runHead(never[0]!))
        assert.isTrue(Exit.hasInterrupts(late))
        yield* TestClock.adjust(stall)
        assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(reader)))
        yield* Effect.replicateEffect(long.list("a", endless), lists.perAccount)
      })
    ))
})
