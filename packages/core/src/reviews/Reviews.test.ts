/** What an owner does with reviews, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { addFile, addFolder } from "../../test/FilesTest.ts"
import { readEdl } from "../../test/NoteReaders.ts"
import { addVideo, good, leave, newReview, refused, seen, sent } from "../../test/ReviewsTest.ts"
import { call, signedIn, testHttp } from "../../test/TestHttp.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
import { Sessions } from "../accounts/Sessions.ts"
import { Database } from "../database/Database.ts"
import { unknown } from "../facts/MediaFact.ts"
import { MediaFacts } from "../files/MediaFacts.ts"
import * as Limits from "../limits/Limits.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

/** What extraction finds. */
const found = (userId: AccountId, fileId: FileId, frameRate: string) =>
  Effect.gen(function*() {
    const [media, transaction] = [yield* MediaFacts, yield* AccountTransaction]
    yield* transaction.run(userId, () => media.replace(userId, [{ fileId, ...unknown, frameRate, duration: 600 }]))
  })

layer(testHttp({ rateLimits: false }))("reviews of an owner", (it) => {
  it.effect("REV-20 a review is made of a video or a track of the caller's, with a random id", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const fileId = yield* addVideo(userId)
      const review = yield* good(call(token, "/create-file-review", { fileId }))
      assert.match(review.id, uuid)
      assert.deepStrictEqual(review, {
        id: review.id,
        message: null,
        insertTime: "1970-01-01T00:00:00.000Z",
        expireTime: null,
        allowDownload: false,
        open: true,
        hasPassword: false,
        file: { id: fileId, type: "Video", fileName: "cut.mp4" }
      })
      const track = yield* addFile(userId, { type: "Audio", mimeType: "audio/mpeg", fileName: "song.mp3" })
      const given = {
        message: "Listen",
        expireTime: "2030-01-01T00:00:00.000Z",
        allowDownload: true,
        password: "secret"
      }
      const other = yield* good(call(token, "/create-file-review", { fileId: track, ...given }))
      const { password: _, ...kept } = given
      assert.deepInclude(other, { ...kept, hasPassword: true })
    }))

  it.effect("REV-64 an account has at most 10,000 reviews", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const fileId = yield* addVideo(userId)
      const { id } = yield* good(call(token, "/create-file-review", { fileId }))
      const { sql, tables: t } = yield* Database
      yield* sql`
        INSERT INTO ${t.file_reviews} (id, account_id, file_id, file_type, file_name, is_open, allow_download, insert_time)
        SELECT gen_random_uuid(), account_id, file_id, file_type, file_name, is_open, allow_download, insert_time
        FROM ${t.file_reviews}, generate_series(1, ${Limits.reviewsOfAccount - 2}::int) WHERE id = ${id}
      `
      yield* good(call(token, "/create-file-review", { fileId }))
      assert.deepStrictEqual(yield* refused(call(token, "/create-file-review", { fileId })), [403, "not_allowed"])
      yield* good(call(token, "/delete-file-review", { reviewId: id }))
      yield* good(call(token, "/create-file-review", { fileId }))
    }))

  it.effect("REV-20 no review is made of other kinds, of others' files, of a file in trash, or that has expired", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const other = yield* signedIn
      yield* TestClock.adjust("1 minute")
      const create = (fileId: string, fields: object = {}) =>
        refused(call(token, "/create-file-review", { fileId, ...fields }))
      const picture = yield* addFile(userId, { type: "Image", mimeType: "image/png" })
      assert.deepStrictEqual(yield* create(picture), [400, "invalid_field", "fileId"])
      assert.deepStrictEqual(yield* create(yield* addVideo(other.userId)), [404, "not_found"])
      const trashed = yield* addVideo(userId)
      yield* good(call(token, "/trash-files", [{ id: trashed }]))
      assert.deepStrictEqual(yield* create(trashed), [404, "not_found"])
      const fileId = yield* addVideo(userId)
      for (const expireTime of ["1970-01-01T00:00:59Z", "1970-01-01T00:01:00Z"]) {
        assert.deepStrictEqual(yield* create(fileId, { expireTime }), [400, "invalid_field", "expireTime"])
      }
      assert.deepStrictEqual(yield* create(fileId, { message: "x".repeat(2_001) }), [400, "invalid_field", "message"])
      assert.deepStrictEqual((yield* good(call(token, "/select-file-reviews"))).reviews, [])
    }))

  it.effect("REV-21 reviews are listed newest first, 50 in a page of those asked for, also of a folder or a file", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const folderId = yield* addFolder(userId, "/Cuts")
      const inside = yield* addVideo(userId, { folderId: yield* addFolder(userId, "/Cuts/Old") })
      const outside = yield* addVideo(userId)
      const make = (fileId: string) =>
        Effect.andThen(TestClock.adjust("1 second"), good(call(token, "/create-file-review", { fileId })))
      const first = yield* make(inside)
      const others = yield* Effect.replicateEffect(make(outside), 51)
      const select = (body: object) =>
        Effect.map(
          good(call(token, "/select-file-reviews", body)),
          ({ reviews }) => reviews.map(({ id }: { readonly id: string }) => id)
        )
      const newest = others.map(({ id }) => id).toReversed()
      assert.deepStrictEqual(yield* select({}), newest.slice(0, 50))
      const { nextCursor } = yield* good(call(token, "/select-file-reviews", {}))
      const rest = yield* good(call(token, "/select-file-reviews", { cursor: nextCursor }))
      assert.deepStrictEqual(
        [rest.reviews.map(({ id }: { readonly id: string }) => id), rest.nextCursor],
        [[newest[50], first.id], null]
      )
      for (const narrow of [{ folder: "/cuts" }, { fileId: inside }, { reviewIds: [first.id, first.id] }]) {
        assert.deepStrictEqual(yield* select(narrow), [first.id])
      }
      assert.deepStrictEqual(yield* select({ folder: "/Cuts", fileId: outside }), [])
      assert.deepStrictEqual(yield* select({ folder: "/Nowhere" }), [])
      assert.deepStrictEqual(yield* select({ folder: "/", fileId: outside }), newest.slice(0, 50))
      const limited = (yield* (yield* Sessions).open(userId, { ...unlimited, folderId })).token
      const visible = yield* good(call(limited, "/select-file-reviews", {}))
      assert.deepStrictEqual(visible.reviews.map(({ id }: { readonly id: string }) => id), [first.id])
      for (
        const [route, body] of [
          ["/create-file-review", { fileId: outside }],
          ["/update-file-review", { reviewId: newest[0] }],
          ["/delete-file-review", { reviewId: newest[0] }],
          ["/export-review-notes", { reviewId: newest[0], format: "csv" }]
        ] as const
      ) assert.deepStrictEqual(yield* refused(call(limited, route, body)), [404, "not_found"])
    }))

  it.effect("REV-22 notes are an edit list: of the whole file first, then by position, then by time", () =>
    Effect.gen(function*() {
      const { id, token } = yield* newReview()
      for (const [seconds, text] of [[65.2, "b"], [0, "a"], [null, "whole"], [65.2, "c"], [3725, "d"]] as const) {
        yield* TestClock.adjust("1 second")
        yield* leave(id, { seconds, text, ...seconds === 0 && { endSeconds: 2.5 } })
      }
      const { noteCount, notes } = yield* seen(token, id)
      assert.strictEqual(noteCount, 5)
      assert.deepStrictEqual(
        notes.map((
          note: Record<string, unknown>
        ) => [note["text"], note["seconds"], note["endSeconds"], note["timecode"]]),
        [["whole", null, null, null], ["a", 0, 2.5, "0:00"], ["b", 65.2, null, "1:05"], ["c", 65.2, null, "1:05"], [
          "d",
          3725,
          null,
          "1:02:05"
        ]]
      )
    }))

  it.effect("REV-23 an owner answers notes in their name, marks them as dealt with, and deletes them", () =>
    Effect.gen(function*() {
      const { id, token } = yield* newReview()
      const note = yield* leave(id)
      yield* TestClock.adjust("1 second")
      const reply = yield* good(call(token, "/reply-to-review-note", { noteId: note.id, text: "Done" }))
      assert.deepStrictEqual(reply, {
        id: reply.id,
        author: { name: "Owner", owner: true },
        text: "Done",
        insertTime: reply.insertTime
      })
      const toReply = yield* good(call(token, "/reply-to-review-note", { noteId: reply.id, text: "Really" }))
      const resolved = yield* good(call(token, "/set-review-note-resolved", { noteId: note.id, resolved: true }))
      assert.strictEqual(resolved.resolved, true)
      assert.deepStrictEqual(resolved.replies, [reply, toReply])
      assert.deepStrictEqual((yield* seen(token, id)).notes, [resolved])
      assert.deepStrictEqual(
        yield* refused(call(token, "/set-review-note-resolved", { noteId: reply.id, resolved: true })),
        [400, "invalid_field", "noteId"]
      )
      assert.deepStrictEqual(yield* good(call(token, "/delete-review-note", { noteId: reply.id })), { deleted: true })
      assert.deepStrictEqual((yield* seen(token, id)).notes[0].replies, [toReply])
      yield* good(call(token, "/delete-review-note", { noteId: note.id }))
      assert.deepInclude(yield* seen(token, id), { noteCount: 0, notes: [] })
      for (const noteId of [note.id, reply.id, toReply.id]) {
        assert.deepStrictEqual(yield* refused(call(token, "/delete-review-note", { noteId })), [404, "not_found"])
      }
    }))

  it.effect("REV-24 SEC-2 reviews and notes of others are not found", () =>
    Effect.gen(function*() {
      const { id } = yield* newReview()
      const note = yield* leave(id)
      const { token } = yield* signedIn
      for (
        const [route, body] of [
          ["/update-file-review", { reviewId: id, open: false }],
          ["/delete-file-review", { reviewId: id }],
          ["/export-review-notes", { reviewId: id, format: "csv" }],
          ["/reply-to-review-note", { noteId: note.id, text: "x" }],
          ["/set-review-note-resolved", { noteId: note.id, resolved: true }],
          ["/delete-review-note", { noteId: note.id }]
        ] as const
      ) assert.deepStrictEqual(yield* refused(call(token, route, body)), [404, "not_found"])
      assert.deepStrictEqual((yield* good(call(token, "/select-file-reviews", { reviewIds: [id] }))).reviews, [])
    }))

  it.effect("REV-25 what is left out of a change stays, and null takes it away", () =>
    Effect.gen(function*() {
      const { fileId, id, token } = yield* newReview({ message: "Look", password: "secret", allowDownload: true })
      const update = (change: object) => good(call(token, "/update-file-review", { reviewId: id, ...change }))
      const expireTime = "2030-01-01T00:00:00.000Z"
      assert.deepInclude(yield* update({ expireTime }), {
        message: "Look",
        hasPassword: true,
        allowDownload: true,
        expireTime,
        open: true,
        file: { id: fileId, type: "Video", fileName: "cut.mp4" }
      })
      assert.deepInclude(yield* update({ message: null, password: null, allowDownload: false, open: false }), {
        message: null,
        hasPassword: false,
        allowDownload: false,
        expireTime,
        open: false
      })
      assert.deepInclude(yield* update({ expireTime: null, open: true }), { expireTime: null, open: true })
      assert.deepStrictEqual(
        yield* refused(call(token, "/update-file-review", { reviewId: id, expireTime: "1969-01-01T00:00:00Z" })),
        [400, "invalid_field", "expireTime"]
      )
    }))

  it.effect("REV-26 a deleted review leads nowhere, and its file stays", () =>
    Effect.gen(function*() {
      const { fileId, id, token } = yield* newReview()
      yield* leave(id)
      yield* good(call(token, "/delete-file-review", { reviewId: id }))
      assert.deepStrictEqual(yield* refused(sent("/open-file-review", { reviewId: id })), [404, "not_found"])
      assert.deepStrictEqual(yield* refused(call(token, "/delete-file-review", { reviewId: id })), [404, "not_found"])
      yield* good(call(token, "/create-file-review", { fileId }))
    }))

  it.effect("REV-14 notes are exported at the frames of the file's own rate, also when it was deleted", () =>
    Effect.gen(function*() {
      const { fileId, id, token, userId } = yield* newReview()
      yield* found(userId, fileId, "30000/1001")
      yield* leave(id, { seconds: 1_800 * 1_001 / 30_000 })
      yield* leave(id, { seconds: null, text: "=1+1" })
      const exported = (format: string) => good(call(token, "/export-review-notes", { reviewId: id, format }))
      const check = Effect.gen(function*() {
        const { events, isDropFrame } = readEdl((yield* exported("edl")).text, 30)
        assert.isTrue(isDropFrame)
        assert.deepStrictEqual(events.map(({ first }) => first), [0, 1_800])
        const [listed] = (yield* good(call(token, "/select-file-reviews", { reviewIds: [id] }))).reviews
        assert.strictEqual(listed.frameRate, 30_000 / 1_001)
        assert.strictEqual((yield* good(sent("/open-file-review", { reviewId: id }))).file.frameRate, 30_000 / 1_001)
      })
      yield* check
      assert.include((yield* exported("csv")).text, `"'=1+1"`)
      assert.include((yield* exported("fcpxml")).text, "1801800/30000s")
      assert.deepInclude(yield* exported("edl"), { fileName: "cut notes.edl", mimeType: "text/plain" })
      yield* good(call(token, "/delete-files", [{ id: fileId }]))
      yield* check
    }))

  it.effect("REV-27 a call lists 10,000 notes; where a review has more, it goes on from its cursor", () =>
    Effect.gen(function*() {
      const { id, token } = yield* newReview()
      const text = "x".repeat(4_000)
      for (let n = 0; n < 5; n++) yield* leave(id, { seconds: n, text })
      const all = yield* seen(token, id)
      assert.deepStrictEqual([all.notes.length, all.nextCursor], [5, null])
      assert.deepStrictEqual(
        yield* refused(call(token, "/select-file-reviews", { cursor: "0_0_x", reviewIds: [id] })),
        [400, "invalid_field", "cursor"]
      )
      assert.deepStrictEqual(
        yield* refused(call(token, "/select-file-reviews", { cursor: "0_0_x" })),
        [400, "invalid_field", "cursor"]
      )
      const { id: otherId } = yield* newReview()
      assert.deepStrictEqual(
        yield* refused(call(token, "/select-file-reviews", { cursor: `1_${id}`, reviewIds: [id, otherId] })),
        [400, "invalid_field", "cursor"]
      )
      const { nextCursor } = yield* good(sent("/select-review-notes", { reviewId: id, limit: 2 }))
      const rest = yield* good(call(token, "/select-file-reviews", { reviewIds: [id], cursor: nextCursor }))
      assert.deepStrictEqual(rest.reviews[0].notes, all.notes.slice(2))
    }))
})
