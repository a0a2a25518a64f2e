/** Exports of notes on a film of which nobody knows the frame rate, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { readEdl } from "../../test/NoteReaders.ts"
import { good, leave, newReview, refused } from "../../test/ReviewsTest.ts"
import { call, testHttp } from "../../test/TestHttp.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { FileMetadata } from "../files/FileMetadata.ts"

layer(testHttp({ rateLimits: false }))("notes on a film of unknown rate", (it) => {
  it.effect("REV-71 an unknown frame rate is awaited, given by the call or refused, and never invented", () =>
    Effect.gen(function*() {
      const { fileId, id, token, userId } = yield* newReview()
      yield* leave(id, { seconds: 1 })
      const ask = (format: string, rate?: string) =>
        call(token, "/export-review-notes", { reviewId: id, format, ...rate !== undefined && { rate } })
      const framesOf = (text: string) => text.split("\r\n")[1]!.split(",").slice(3, 5)
      const check = (of: (format: string) => ReturnType<typeof ask>, status: number, code: string) =>
        Effect.gen(function*() {
          assert.deepStrictEqual(framesOf((yield* good(of("csv"))).text), ["", ""])
          for (const format of ["edl", "fcpxml"]) {
            assert.deepStrictEqual((yield* refused(of(format))).slice(0, 2), [status, code])
          }
        })
      yield* check(ask, 503, "unavailable")
      const { body, headers } = yield* ask("edl")
      assert.strictEqual(
        body.error,
        "This video is still being analysed; call again in 5 seconds, or name its frame rate as `rate`."
      )
      assert.strictEqual(headers.get("retry-after"), "5")
      assert.deepStrictEqual(framesOf((yield* good(ask("csv", "25"))).text), ["25", `"00:00:01:00"`])
      const { events } = readEdl((yield* good(ask("edl", "24000/1001"))).text, 24)
      assert.strictEqual(events[0]!.first, 23)
      for (const rate of ["", "0", "25.0", "fast", "5000"]) {
        assert.deepStrictEqual(yield* refused(ask("csv", rate)), [400, "invalid_field", "rate"])
      }
      const [files, transaction] = [yield* FileMetadata, yield* AccountTransaction]
      const file = Option.getOrThrow(yield* files.pending(userId, fileId))
      yield* transaction.run(userId, () => files.settle(file, { status: "failed", mimeType: null, media: null }))
      yield* check(ask, 422, "rate_unknown")
      yield* good(call(token, "/delete-files", [{ id: fileId }]))
      yield* check(ask, 422, "rate_unknown")
    }))
})
