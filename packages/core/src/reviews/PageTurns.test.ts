/** Whose page of notes is read next. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber } from "effect"
import { Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import { turn } from "../../test/FollowedFeed.ts"
import { leave, newReview, proxy } from "../../test/ReviewsTest.ts"
import { testHttp } from "../../test/TestHttp.ts"
import { DriveHttp } from "../http/DriveHttp.ts"
import * as Limits from "../limits/Limits.ts"
import { LinkCall } from "../links/LinkCall.ts"
import { utf8Length } from "../shared/Text.ts"
import { PublicReviews } from "./PublicReviews.ts"
import { NotesQuery } from "./Review.ts"

interface Read {
  readonly network: string
  readonly gate: Deferred.Deferred<void>
}

const { bytes, stall } = Limits.longAnswers

/** The status of an opening whose answer nobody reads. */
const unread = (reviewId: string, address: string) =>
  Effect.flatMap(DriveHttp, ({ fetch }) =>
    Effect.promise(async () => {
      const response = await fetch(
        new Request("http://drive.test/api/open-file-review", {
          method: "POST",
          headers: { "content-type": "application/json", "x-forwarded-for": address },
          body: JSON.stringify({ reviewId })
        })
      )
      return response.status
    }))

layer(testHttp({ rateLimits: false, trustedProxies: proxy }), { timeout: "60 seconds" })("pages of notes", (it) => {
  it.effect("REV-77 are read two at a time for people at links, and networks have their turns", () =>
    Effect.gen(function*() {
      const reviews = yield* PublicReviews
      const { id } = yield* newReview()
      yield* leave(id)
      const begun: Array<Read> = []
      const reading = (network: string, call: Effect.Effect<unknown, unknown, LinkCall>) =>
        call.pipe(
          Effect.provideService(LinkCall, {
            accessToken: null,
            network,
            limits: { count: () => Effect.void, guess: (_, check) => check }
          }),
          Effect.provideService(Statement.CurrentTransformer, (statement) => {
            if (!/count\(\*\) OVER/.test(statement.compile()[0])) return Effect.succeed(statement)
            const gate = Deferred.makeUnsafe<void>()
            begun.push({ network, gate })
            return Effect.as(Deferred.await(gate), statement)
          }),
          Effect.forkChild
        )
      const settled = Effect.replicateEffect(turn, 200)
      const notes = reviews.notes(NotesQuery.make({ reviewId: id }))
      const calls = yield* Effect.replicateEffect(reading("2001:db8:1:1::", notes), 6)
      yield* settled
      // Another network of the same site, and another site; what opens a review has a page of notes too.
      calls.push(yield* reading("2001:db8:1:2::", notes))
      calls.push(yield* reading("198.51.100.7", reviews.open({ reviewId: id }, null)))
      yield* settled
      const hasBegun = (count: number) => Effect.repeat(turn, { until: () => begun.length >= count })
      yield* hasBegun(Limits.reviewPagesAtOnce)
      assert.lengthOf(begun, Limits.reviewPagesAtOnce)
      for (let ended = 0; ended < calls.length; ended++) {
        yield* hasBegun(ended + 1)
        yield* Deferred.succeed(begun[ended]!.gate, undefined)
        yield* settled
        assert.isAtMost(begun.length - ended - 1, Limits.reviewPagesAtOnce)
      }
      for (const call of calls) yield* Fiber.join(call)
      // At most one of the others' that waited came before.
      assert.isAtMost(begun.findIndex(({ network }) => network === "198.51.100.7"), Limits.reviewPagesAtOnce + 1)
      assert.strictEqual(begun.findIndex(({ network }) => network === "2001:db8:1:2::"), calls.length - 1)
    }))

  it.effect("LONG-2 of opened reviews that are not read an address has so many bytes at most", () =>
    Effect.gen(function*() {
      const { id } = yield* newReview()
      const text = "漢".repeat(Limits.reviewNoteLength.max)
      const count = Limits.reviewNotesPage.byDefault
      yield* Effect.replicateEffect(leave(id, { text }), count, { discard: true })
      const most = Math.floor(bytes.perAccount / (count * utf8Length(text)))
      const statuses = yield* Effect.replicateEffect(unread(id, "198.51.100.8"), most + 5)
      assert.strictEqual(statuses[0], 200)
      assert.strictEqual(statuses.at(-1), 429)
      assert.strictEqual(yield* unread(id, "198.51.100.9"), 200)
      yield* TestClock.adjust(Duration.sum(stall, Duration.seconds(1)))
      assert.strictEqual(yield* unread(id, "198.51.100.8"), 200)
    }))
})
