/** How many rows one transaction of a long operation takes. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Pace from "./Pace.ts"

const range = { least: 10, most: 200 }

it("DB-21 a transaction is made as long as the machine can do in time, and grows slowly", () => {
  assert.strictEqual(Pace.next(100, 100, Pace.aimMillis * 4, range), 25)
  assert.strictEqual(Pace.next(100, 50, Pace.aimMillis, range), 50)
  assert.strictEqual(Pace.next(100, 100, 10_000, range), range.least)
  assert.strictEqual(Pace.next(40, 40, 0, range), 80)
  assert.strictEqual(Pace.next(40, 40, 1, range), 80)
  assert.strictEqual(Pace.next(150, 150, 1, range), range.most)
  assert.strictEqual(Pace.next(40, 0, 10_000, range), 40)
})

it.effect("DB-21 a pace learns from the time its work takes", () =>
  Effect.gen(function*() {
    const pace = Pace.make(range)
    /** Work of `millis` for each row. */
    const batch = (millis: number) =>
      Effect.suspend(() => {
        const size = pace.size()
        return pace.timed(Effect.as(TestClock.adjust(size * millis), size), (rows) => rows)
      })
    const sizes = yield* Effect.forEach([0, 0, 0, 1, 1, 2, 2, 100, 0], batch)
    assert.deepStrictEqual(sizes, [10, 20, 40, 80, 50, 50, 25, 25, 10])
    assert.strictEqual(pace.size(), 20)
  }))

it.effect("DB-21 the first transaction may take fewer rows than any other", () =>
  Effect.gen(function*() {
    const pace = Pace.make(range, 3)
    const batch = Effect.suspend(() => {
      const size = pace.size()
      return pace.timed(Effect.as(TestClock.adjust(10_000), size), (rows) => rows)
    })
    assert.deepStrictEqual(yield* Effect.replicateEffect(batch, 3), [3, 10, 10])
  }))
