/**
 * Where the buckets of {@link "./RateLimits.ts"} are kept when the host brings
 * no store of its own: in this process, in bounded memory.
 *
 * Effect's memory store keeps a bucket for every key it ever saw, so a caller who
 * has many addresses (a /32 of IPv6 has four billion /64s) fills the memory with them.
 * This one keeps the keys that were used last. A bucket it forgets is a full one:
 * no call is refused by it, and a caller with that many addresses is not stopped by address anyway.
 */
import { Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { LruCache } from "../shared/LruCache.ts"

interface Bucket {
  tokens: number
  lastRefillMillis: number
}

/** Some 10 MiB at most. */
export const rememberedKeys = 65_536

/** Counts in this process only: with several, each takes the full number of calls. */
export const layerMemory: Layer.Layer<RateLimiter.RateLimiterStore> = Layer.effect(
  RateLimiter.RateLimiterStore,
  Effect.gen(function*() {
    const unbounded = yield* RateLimiter.RateLimiterStore
    const buckets = new LruCache<string, Bucket>(rememberedKeys)

    return RateLimiter.RateLimiterStore.of({
      // The other algorithms are not used here.
      ...unbounded,
      tokenBucket: ({ allowOverflow, key, limit, refillRate, tokens }) =>
        Effect.clockWith((clock) => {
          const now = clock.currentTimeMillisUnsafe()
          const refillMillis = Duration.toMillis(refillRate)
          const known = buckets.get(key)
          const bucket = known ?? { tokens: limit, lastRefillMillis: now }
          if (known === undefined) buckets.set(key, bucket, 1)
          // The clock was set back: it would take as long until the bucket is refilled.
          if (bucket.lastRefillMillis > now) bucket.lastRefillMillis = now
          const refilled = Math.floor((now - bucket.lastRefillMillis) / refillMillis)
          if (refilled > 0) {
            bucket.tokens = Math.min(limit, bucket.tokens + refilled)
            bucket.lastRefillMillis += refilled * refillMillis
          }
          if (bucket.tokens >= limit) bucket.lastRefillMillis = now
          const left = bucket.tokens - tokens
          if (left >= 0 || allowOverflow) bucket.tokens = left
          return Effect.succeed([left, Math.max(0, now - bucket.lastRefillMillis)] as const)
        })
    })
  })
).pipe(Layer.provide(RateLimiter.layerStoreMemory))

/** A store that takes longer counts as away. */
const answersWithin = Duration.seconds(1)

/** For so long a store that is away is not called: calls would wait for it one after the other. */
const leftAloneFor = Duration.seconds(5)

const away = Effect.fail(
  new RateLimiter.RateLimiterError({
    reason: new RateLimiter.RateLimitStoreError({ message: "The store of the rate limits does not answer." })
  })
)

/** A store outside this process, for which no call waits long: it fails where it doesn't answer, and then at once for a while. */
export const bounded = (store: RateLimiter.RateLimiterStore["Service"]): RateLimiter.RateLimiterStore["Service"] => {
  let askAgainMillis = 0
  return {
    ...store,
    tokenBucket: (options) =>
      Effect.clockWith((clock) => {
        const wait = askAgainMillis - clock.currentTimeMillisUnsafe()
        // Longer than that when the clock was set back.
        if (wait > 0 && wait <= Duration.toMillis(leftAloneFor)) return away
        return Effect.interruptible(store.tokenBucket(options)).pipe(
          Effect.timeoutOrElse({ duration: answersWithin, orElse: () => away }),
          Effect.tapError(() =>
            Effect.sync(() => {
              askAgainMillis = clock.currentTimeMillisUnsafe() + Duration.toMillis(leftAloneFor)
            })
          )
        )
      })
  }
}
