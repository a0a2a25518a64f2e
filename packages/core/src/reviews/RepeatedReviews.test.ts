/** Operations on reviews that are sent twice. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { eventsOf, good, leave, newReview, proxy, seen, sent } from "../../test/ReviewsTest.ts"
import { type Answer, call, testHttp } from "../../test/TestHttp.ts"
import type { DriveHttp } from "../http/DriveHttp.ts"

type Fresh = Effect.Success<ReturnType<typeof newReview>> & { readonly note: { id: string; reviewerToken: string } }

const fresh = Effect.gen(function*() {
  const review = yield* newReview()
  return { ...review, note: yield* leave(review.id) }
})

/** Everything that the owner sees of reviews. */
const state = ({ token }: Fresh) =>
  Effect.all([
    Effect.map(good(call(token, "/select-file-reviews", {})), ({ reviews }) => reviews),
    eventsOf(token, "note"),
    eventsOf(token, "view")
  ])

const repeating = (
  send: (fresh: Fresh) => Effect.Effect<Answer, never, DriveHttp>,
  { isRepeatable, second = [200] }: { readonly isRepeatable: boolean; readonly second?: ReadonlyArray<number> }
) =>
  Effect.gen(function*() {
    const drive = yield* fresh
    const before = yield* state(drive)
    yield* good(send(drive))
    const after = yield* state(drive)
    const { status } = yield* send(drive)
    assert.include(second, status)
    assert.notDeepEqual(after, before, "nothing was changed that could be seen")
    if (isRepeatable) assert.deepStrictEqual(yield* state(drive), after)
    else assert.notDeepEqual(yield* state(drive), after)
  })

layer(testHttp({ rateLimits: false, trustedProxies: proxy }))("an operation on reviews that is sent twice", (it) => {
  it.effect("OPS-7 createFileReview makes another", () =>
    repeating(({ fileId, token }) => call(token, "/create-file-review", { fileId }), { isRepeatable: false }))

  it.effect("OPS-7 updateFileReview leaves the drive as one call does", () =>
    repeating(
      ({ id, token }) => call(token, "/update-file-review", { reviewId: id, open: false, message: "Closed" }),
      { isRepeatable: true }
    ))

  it.effect("OPS-7 deleteFileReview leaves the drive as one call does", () =>
    repeating(({ id, token }) => call(token, "/delete-file-review", { reviewId: id }), {
      isRepeatable: true,
      second: [404]
    }))

  it.effect("OPS-7 replyToReviewNote answers again", () =>
    repeating(({ note, token }) => call(token, "/reply-to-review-note", { noteId: note.id, text: "Done" }), {
      isRepeatable: false
    }))

  it.effect("OPS-7 setReviewNoteResolved leaves the drive as one call does", () =>
    repeating(({ note, token }) => call(token, "/set-review-note-resolved", { noteId: note.id, resolved: true }), {
      isRepeatable: true
    }))

  it.effect("OPS-7 deleteReviewNote leaves the drive as one call does", () =>
    repeating(({ note, token }) => call(token, "/delete-review-note", { noteId: note.id }), {
      isRepeatable: true,
      second: [404]
    }))

  it.effect("OPS-7 deleteReviewNotes leaves the drive as one call does", () =>
    repeating(
      ({ id, token }) => call(token, "/delete-review-notes", { reviewId: id, reviewer: "Grace" }),
      {
        isRepeatable: true
      }
    ))

  it.effect("OPS-7 openFileReview counts one view of the day", () =>
    repeating(({ id }) => sent("/open-file-review", { reviewId: id }), { isRepeatable: true }))

  it.effect("OPS-7 leaveReviewNote leaves another", () =>
    repeating(({ id }) => sent("/leave-review-note", { reviewId: id, reviewer: "Ada", seconds: 1, text: "x" }), {
      isRepeatable: false
    }))

  it.effect("OPS-7 editReviewNote leaves the drive as one call does", () =>
    Effect.gen(function*() {
      const drive = yield* fresh
      const { id: noteId, reviewerToken } = drive.note
      const edit = sent("/edit-review-note", { noteId, reviewerToken, text: "Later" })
      const first = yield* good(edit)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* good(edit), first)
      const { mine: _, ...note } = first
      assert.deepStrictEqual((yield* seen(drive.token, drive.id)).notes, [note])
    }))

  it.effect("OPS-7 deleteOwnReviewNote leaves the drive as one call does", () =>
    repeating(({ note: { id, reviewerToken } }) => sent("/delete-own-review-note", { noteId: id, reviewerToken }), {
      isRepeatable: true,
      second: [404]
    }))
})
