import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { layerMemory, rememberedKeys } from "./RateLimitsStore.ts"

const bucket = { key: "a", limit: 10, refillRate: "100 millis", allowOverflow: false } as const

describe("RateLimitsStore", () => {
  it.effect("RATE-7 keys are remembered in bounded number, the last used among them", () =>
    Effect.gen(function*() {
      const { tokenBucket } = yield* RateLimiter.RateLimiterStore
      const refillRate = Duration.fromInputUnsafe(bucket.refillRate)
      const left = (key: string) =>
        Effect.map(tokenBucket({ ...bucket, refillRate, key, tokens: 1, allowOverflow: true }), ([tokens]) => tokens)
      for (let at = 0; at < 2 * rememberedKeys; at++) {
        yield* left(`passer-by ${at}`)
        if (at % 1_000 === 0) yield* left("regular")
      }
      assert.isBelow(yield* left("regular"), 0)
      assert.strictEqual(yield* left("passer-by 0"), bucket.limit - 1)
    }).pipe(Effect.provide(layerMemory)))

  it.effect("DB-133 after the clock was set back a bucket refills as fast as otherwise", () =>
    Effect.gen(function*() {
      const { tokenBucket } = yield* RateLimiter.RateLimiterStore
      const refillRate = Duration.fromInputUnsafe(bucket.refillRate)
      const take = (tokens: number) => Effect.map(tokenBucket({ ...bucket, refillRate, tokens }), ([left]) => left)
      yield* TestClock.setTime(Duration.toMillis("2 hours"))
      assert.strictEqual(yield* take(bucket.limit), 0)
      yield* TestClock.setTime(0)
      assert.strictEqual(yield* take(1), -1)
      yield* TestClock.adjust("300 millis")
      assert.strictEqual(yield* take(1), 2)
    }).pipe(Effect.provide(layerMemory)))

  it.effect("RATE-3 it counts exactly as effect's own store does", () =>
    Effect.gen(function*() {
      const steps = fc.array(
        fc.record({
          tokens: fc.integer({ min: 0, max: 4 }),
          overflow: fc.boolean(),
          millis: fc.integer({ max: 2_000 })
        }),
        { maxLength: 40 }
      )
      const [series] = fc.sample(fc.array(steps, { minLength: 40, maxLength: 40 }), { numRuns: 1, seed: 7 })
      for (const run of series!) {
        const both = yield* Effect.all([
          Layer.build(layerMemory),
          Layer.build(RateLimiter.layerStoreMemory)
        ])
        for (const { millis, overflow, tokens } of run) {
          yield* TestClock.adjust(Math.abs(millis))
          const [ours, theirs] = yield* Effect.forEach(both, (context) =>
            RateLimiter.RateLimiterStore.use((store) =>
              store.tokenBucket({
                key: bucket.key,
                limit: bucket.limit,
                refillRate: Duration.fromInputUnsafe(bucket.refillRate),
                tokens,
                allowOverflow: overflow
              })
            ).pipe(Effect.provideContext(context)))
          assert.deepStrictEqual(ours, theirs)
        }
      }
    }).pipe(Effect.scoped))
})
