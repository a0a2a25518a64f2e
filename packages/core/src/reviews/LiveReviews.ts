/** The live streams of notes that this process serves: how many a review and an address may have. */
import { Effect, type Scope } from "effect"
import * as Limits from "../limits/Limits.ts"
import type { ReviewId } from "../shared/Ids.ts"

interface Open {
  readonly network: string | null
}

export interface LiveReviews {
  /** Counts a stream until its scope closes; false when the review, or the address there, has as many as it may. */
  readonly open: (review: ReviewId, network: string | null) => Effect.Effect<boolean, never, Scope.Scope>
}

export const make: Effect.Effect<LiveReviews> = Effect.sync(() => {
  const streams = new Map<ReviewId, Set<Open>>()

  const open = Effect.fnUntraced(function*(review: ReviewId, network: string | null) {
    const others = streams.get(review) ?? new Set<Open>()
    const { perAddress, perReview } = Limits.liveReviews
    const near = network === null ? 0 : [...others].filter((other) => other.network === network).length
    if (others.size >= perReview || near >= perAddress) return false
    const stream: Open = { network }
    streams.set(review, others.add(stream))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        others.delete(stream)
        if (others.size === 0 && streams.get(review) === others) streams.delete(review)
      })
    )
    return true
  })

  return { open: (review, network) => Effect.uninterruptible(open(review, network)) }
})
