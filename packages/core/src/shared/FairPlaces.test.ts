import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Unavailable } from "./DriveError.ts"
import * as FairPlaces from "./FairPlaces.ts"
import { AccountId } from "./Ids.ts"

const [one, two, three] = ["1", "2", "3"].map((end) => AccountId.make(`00000000-0000-4000-8000-00000000000${end}`)) as [
  AccountId,
  AccountId,
  AccountId
]
const times = { turn: Duration.seconds(3), waitMax: Duration.seconds(30) }
const causes = {
  tooMany: (group: string) => `too many of ${group}`,
  preempted: (group: string) => `preempted: ${group}`
}
const rules = { places: 2, asideMax: 0, ofGroup: 1, waitingOfGroup: 2, waitingMax: 4, preempts: false }

/** Work that says when it begins. */
const noting = () => {
  const begun: Array<string> = []
  const work = <A, E>(name: string, until: Effect.Effect<A, E>) =>
    Effect.andThen(Effect.sync(() => void begun.push(name)), until)
  return { begun, work }
}

describe("FairPlaces", () => {
  it.effect("MEDIA-51 what takes longer than its turn continues beside the next one of another account", () =>
    Effect.gen(function*() {
      const { begun, work } = noting()
      const places = yield* FairPlaces.make({ ...rules, places: 1, asideMax: 2 }, times, causes)
      const done = yield* Deferred.make<void>()
      const slow = yield* Effect.forkChild(places.run(one, work("slow", Deferred.await(done))))
      yield* Effect.forkChild(places.run(one, work("its own next", Effect.void)))
      const quick = yield* Effect.forkChild(places.run(two, work("quick", Effect.void)))
      const other = yield* Effect.forkChild(places.run(three, work("other", Effect.never)))
      yield* TestClock.adjust("2999 millis")
      assert.deepStrictEqual(begun, ["slow"])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(begun, ["slow", "quick", "other"])
      yield* Fiber.await(quick)
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.await(slow)
      yield* Effect.yieldNow
      assert.deepStrictEqual(begun, ["slow", "quick", "other"])
      yield* Fiber.interrupt(other)
      yield* Effect.yieldNow
      assert.deepStrictEqual(begun, ["slow", "quick", "other", "its own next"])
      // What gave its turn back gave it back once.
      const last = yield* Effect.forkChild(places.run(two, work("last", Effect.fail("broken"))))
      assert.isTrue(Exit.isFailure(yield* Fiber.await(last)))
    }))

  it.effect("READ-18 whatever one account has at work and waiting, another's begins at once", () =>
    Effect.gen(function*() {
      const { begun, work } = noting()
      const places = yield* FairPlaces.make(rules, times, causes)
      yield* Effect.forkChild(places.run(one, work("a", Effect.never)))
      yield* Effect.forkChild(places.run(one, work("b", Effect.never)))
      yield* Effect.yieldNow
      assert.deepStrictEqual(begun, ["a"])
      assert.strictEqual(yield* places.run(two, work("c", Effect.succeed(7))), 7)
    }))

  it.effect("READ-18 who disconnects gives back a place, or its wait, and whoever is next begins", () =>
    Effect.gen(function*() {
      const { begun, work } = noting()
      const places = yield* FairPlaces.make(rules, times, causes)
      const [first, second] = [
        yield* Effect.forkChild(places.run(one, work("first", Effect.never))),
        yield* Effect.forkChild(places.run(one, work("second", Effect.never)))
      ]
      yield* Effect.forkChild(places.run(one, work("third", Effect.never)))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(second)
      yield* Fiber.interrupt(first)
      yield* Effect.yieldNow
      assert.deepStrictEqual(begun, ["first", "third"])
    }))

  it.effect("READ-19 too many waiting calls of an account are refused, with a time by how long those at work take", () =>
    Effect.gen(function*() {
      const places = yield* FairPlaces.make(rules, times, causes)
      const refused = Effect.map(Effect.flip(places.run(one, Effect.void)), (error) => {
        assert.instanceOf(error, Unavailable)
        return [error.code, error.retryAfterSeconds] as const
      })
      for (let n = 0; n < 3; n++) yield* Effect.forkChild(places.run(one, Effect.never))
      yield* Effect.yieldNow
      assert.deepStrictEqual(yield* refused, ["unavailable", 1])
      yield* TestClock.adjust("4 seconds")
      assert.deepStrictEqual(yield* refused, ["unavailable", 12])
      yield* TestClock.adjust("25 seconds")
      assert.deepStrictEqual(yield* refused, ["unavailable", 60])
      yield* places.run(two, Effect.void)
    }))

  it.effect("READ-19 a call that has waited for 30 s is told to come again, and gives up its wait", () =>
    Effect.gen(function*() {
      const { begun, work } = noting()
      const places = yield* FairPlaces.make(rules, times, causes)
      const first = yield* Effect.forkChild(places.run(one, work("first", Effect.never)))
      const waiting = yield* Effect.forkChild(Effect.flip(places.run(one, work("waiting", Effect.never))))
      yield* TestClock.adjust("30 seconds")
      assert.deepInclude(yield* Fiber.join(waiting), { _tag: "Unavailable", code: "unavailable" })
      yield* Fiber.interrupt(first)
      yield* Effect.yieldNow
      assert.deepStrictEqual(begun, ["first"])
    }))

  it.effect("READ-34 what is past its turn is ended when another account waits and nothing is free aside", () =>
    Effect.gen(function*() {
      const { begun, work } = noting()
      const places = yield* FairPlaces.make({ ...rules, places: 1, asideMax: 1, preempts: true }, times, causes)
      const done = yield* Deferred.make<void>()
      const aside = yield* Effect.forkChild(places.run(one, work("aside", Deferred.await(done))))
      yield* TestClock.adjust("3 seconds")
      // Its process is replaced before its place is free.
      const slow = Effect.onInterrupt(Effect.never, () => Effect.sleep("300 millis"))
      const ended = yield* Effect.forkChild(Effect.flip(places.run(two, work("ended", slow))))
      const own = yield* Effect.forkChild(places.run(two, work("its own next", Effect.void)))
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(begun, ["aside", "ended"])
      const next = yield* Effect.forkChild(places.run(three, work("next", Effect.void)))
      yield* Effect.replicateEffect(Effect.yieldNow, 50)
      yield* TestClock.adjust("299 millis")
      assert.deepStrictEqual(begun, ["aside", "ended"])
      yield* TestClock.adjust("1 millis")
      yield* Fiber.join(next)
      yield* Fiber.join(own)
      assert.deepStrictEqual(begun, ["aside", "ended", "next", "its own next"])
      const error = yield* Fiber.join(ended)
      assert.deepInclude(error, { _tag: "Unavailable", code: "unavailable", retryAfterSeconds: 40 })
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.join(aside)
    }))
})
