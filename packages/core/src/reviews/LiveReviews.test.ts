/** How many streams of a review a process serves. */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import * as Limits from "../limits/Limits.ts"
import { ReviewId } from "../shared/Ids.ts"
import * as LiveReviews from "./LiveReviews.ts"

const { perAddress, perReview } = Limits.liveReviews
const review = ReviewId.make("c41f0000-0000-4000-8000-000000000001")
const other = ReviewId.make("c41f0000-0000-4000-8000-000000000002")

it.effect("REV-54 a review has 500 streams, whatever addresses they go to; one address leaves room for all others", () =>
  Effect.gen(function*() {
    const live = yield* LiveReviews.make
    const scopes: Array<Scope.Closeable> = []
    const open = Effect.fnUntraced(function*(network: string | null, of = review) {
      const scope = yield* Scope.make()
      scopes.push(scope)
      return yield* Scope.provide(live.open(of, network), scope)
    })
    const opened = yield* Effect.forEach(
      Array.from({ length: perAddress + 5 }),
      () => open("192.0.2.1")
    )
    assert.strictEqual(opened.filter((isOpen) => isOpen).length, perAddress)
    for (let n = perAddress; n < perReview; n++) {
      assert.isTrue(yield* open(n % 10 === 0 ? null : `198.51.100.${n % 250}`), `stream ${n}`)
    }
    assert.isFalse(yield* open("203.0.113.1"))
    assert.isFalse(yield* open(null))
    assert.isTrue(yield* open("203.0.113.1", other))
    // What ends makes room for whoever is next.
    yield* Scope.close(scopes[0]!, Exit.void)
    assert.isTrue(yield* open("203.0.113.1"))
    assert.isFalse(yield* open("203.0.113.2"))
  }))
