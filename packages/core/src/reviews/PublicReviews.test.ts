/** What people without an account do at the link of a review, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { MemoryObjectStore, TestMediaTools } from "@filedrive/testing"
import { Array as Arr, Effect } from "effect"
import { Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import { ManualJobs } from "../../test/ManualJobs.ts"
import {
  addVideo,
  eventsOf,
  follow,
  good,
  leave,
  newReview,
  proxy,
  refused,
  seen,
  sent
} from "../../test/ReviewsTest.ts"
import { call, signedIn, testHttp } from "../../test/TestHttp.ts"
import { Sessions } from "../accounts/Sessions.ts"
import { LinkCall } from "../links/LinkCall.ts"
import { PublicReviews } from "./PublicReviews.ts"

const open = (reviewId: string, fields: object = {}, headers?: Readonly<Record<string, string>>) =>
  sent("/open-file-review", { reviewId, ...fields }, headers)

/** A video in HEVC, which browsers don't play, as the tools find it. */
const hevc = {
  streams: {
    container: "mov,mp4,m4a,3gp,3g2,mj2",
    video: { codec: "hevc", pixelFormat: "yuv420p10le", width: 1920, height: 1080 },
    audio: { codec: "aac" }
  },
  peaks: [-0.5, 0.5]
}

layer(testHttp({ rateLimits: false, trustedProxies: proxy }), { timeout: "60 seconds" })(
  "a review at its link",
  (it) => {
    it.effect("REV-30 it shows the file with a link to play it, and a link to download it only where that is allowed", () =>
      Effect.gen(function*() {
        const memory = yield* MemoryObjectStore
        const { fileId, id, token } = yield* newReview({ message: "Second cut" })
        const opened = yield* good(open(id.toUpperCase()))
        const { stream, ...rest } = opened
        assert.deepStrictEqual(rest, {
          id,
          message: "Second cut",
          allowDownload: false,
          expireTime: null,
          file: {
            id: fileId,
            type: "Video",
            fileName: "cut.mp4",
            duration: null,
            frameRate: null,
            width: null,
            height: null
          },
          preview: rest.preview,
          peaksUrl: null,
          downloadUrl: null,
          notes: [],
          nextCursor: null,
          followAfter: "0"
        })
        assert.deepInclude(stream, { mimeType: "video/mp4", expireTime: "1970-01-01T06:00:00.000Z" })
        const range = yield* Effect.promise(() => memory.fetch(stream.url, { headers: { range: "bytes=2-4" } }))
        assert.strictEqual(range.status, 206)
        yield* Effect.promise(async () => range.body?.cancel())
        yield* good(call(token, "/update-file-review", { reviewId: id, allowDownload: true }))
        const { downloadUrl } = yield* good(open(id))
        const download = yield* Effect.promise(() => memory.fetch(downloadUrl))
        assert.include(download.headers.get("content-disposition")!, "cut.mp4")
        yield* Effect.promise(async () => download.body?.cancel())
      }))

    it.effect("REV-31 a file in trash has no links, and plays again when it is restored; of a deleted one the name stays", () =>
      Effect.gen(function*() {
        const { fileId, id, token } = yield* newReview({ allowDownload: true })
        yield* leave(id)
        yield* good(call(token, "/rename-file", { fileId, fileName: "final.mp4" }))
        yield* leave(id)
        const shown = Effect.map(good(open(id)), ({ downloadUrl, file, notes, peaksUrl, stream }) => ({
          links: [stream, downloadUrl, peaksUrl].map((link) => link !== null),
          fileName: file.fileName,
          notes: notes.length
        }))
        const there = { links: [true, true, false], fileName: "final.mp4", notes: 2 }
        const gone = { ...there, links: [false, false, false] }
        assert.deepStrictEqual(yield* shown, there)
        yield* good(call(token, "/trash-files", [{ id: fileId }]))
        assert.deepStrictEqual(yield* shown, gone)
        yield* good(call(token, "/restore-files", [{ id: fileId }]))
        assert.deepStrictEqual(yield* shown, there)
        yield* good(call(token, "/delete-files", [{ id: fileId }]))
        assert.deepStrictEqual(yield* shown, gone)
        assert.strictEqual((yield* seen(token, id)).file.fileName, "final.mp4")
      }))

    it.effect("REV-32 a closed or expired review shows nothing and takes nothing, and opens again", () =>
      Effect.gen(function*() {
        const { id, token } = yield* newReview()
        const note = yield* leave(id)
        const update = (change: object) => good(call(token, "/update-file-review", { reviewId: id, ...change }))
        const shut = Effect.fnUntraced(function*(says: RegExp) {
          const { reviewerToken } = note
          for (
            const [route, body] of [
              ["/open-file-review", { reviewId: id }],
              ["/select-review-notes", { reviewId: id }],
              ["/leave-review-note", { reviewId: id, reviewer: "Grace", seconds: 1, text: "x" }],
              ["/edit-review-note", { noteId: note.id, reviewerToken, text: "x" }],
              ["/delete-own-review-note", { noteId: note.id, reviewerToken }]
            ] as const
          ) {
            const { body: answer, status } = yield* sent(route, body)
            assert.deepStrictEqual([status, answer.code, answer.notes], [403, "review_closed", undefined], route)
            assert.match(answer.error, says)
          }
        })
        yield* update({ open: false })
        yield* shut(/is closed/)
        assert.strictEqual((yield* seen(token, id)).notes.length, 1)
        yield* good(call(token, "/reply-to-review-note", { noteId: note.id, text: "Also while it is closed" }))
        yield* update({ open: true, expireTime: "1970-01-01T01:00:00.000Z" })
        yield* good(open(id))
        yield* TestClock.adjust("1 hour")
        yield* shut(/has expired/)
        yield* update({ open: true })
        yield* shut(/has expired/)
        yield* update({ expireTime: null })
        assert.strictEqual((yield* good(open(id))).notes.length, 1)
      }))

    it.effect("REV-32 LINK-2 what is no review leads nowhere, in every public call", () =>
      Effect.gen(function*() {
        const { id, token } = yield* newReview()
        yield* good(call(token, "/delete-file-review", { reviewId: id }))
        for (const reviewId of [id, "5e0c1a7d-93b4-4f28-a6d1-c07e94b2385f", "nothing", ""]) {
          for (
            const [route, body] of [
              ["/open-file-review", {}],
              ["/select-review-notes", {}],
              ["/leave-review-note", { reviewer: "Grace", seconds: 1, text: "x" }]
            ] as const
          ) assert.deepStrictEqual(yield* refused(sent(route, { reviewId, ...body })), [404, "not_found"])
          assert.strictEqual((yield* follow({ reviewId })).status, 404)
        }
      }))

    it.effect("REV-37 VIEW-1 an opening counts as a view, once a day and viewer in the feed, and never the owner's", () =>
      Effect.gen(function*() {
        const { fileId, id, token, userId } = yield* newReview()
        const other = yield* signedIn
        const owner = { authorization: `Bearer ${token}` }
        yield* good(open(id, {}, owner))
        assert.deepStrictEqual(yield* eventsOf(token, "view"), [])
        const from = (address: string) => ({ "x-forwarded-for": address, "user-agent": "Firefox" })
        for (
          const headers of [
            from("198.51.100.1"),
            from("198.51.100.1"),
            from("198.51.100.2"),
            { ...from("198.51.100.2"), authorization: `Bearer ${other.token}` },
            { ...from("198.51.100.2"), authorization: "Bearer nothing" }
          ]
        ) yield* good(open(id, {}, headers))
        const events = yield* eventsOf(token, "view")
        assert.strictEqual(events.length, 3)
        assert.deepInclude(events[0], { viewer: null, file: { id: fileId, type: "Video", fileName: "cut.mp4" } })
        yield* TestClock.adjust("24 hours")
        yield* good(open(id, {}, from("198.51.100.1")))
        // The owner's session of the day before has ended.
        const { token: today } = yield* (yield* Sessions).open(userId)
        const views = Effect.map(eventsOf(today, "view"), (events) => events.length)
        const counted = yield* views
        yield* good(open(id, {}, from("198.51.100.1")))
        yield* good(open(id, {}, { authorization: `Bearer ${today}` }))
        assert.strictEqual(yield* views, counted)
        assert.strictEqual(counted, 4)
      }))

    it.effect("REV-38 with a password, every call of the link needs its access token, until the password changes", () =>
      Effect.gen(function*() {
        const { id, token } = yield* newReview({ password: "secret" })
        const access = { "x-link-access": (yield* good(open(id, { password: "secret" }))).accessToken as string }
        const note = yield* leave(id, {}, access)
        const { reviewerToken } = note
        const calls = [
          ["/open-file-review", { reviewId: id }],
          ["/select-review-notes", { reviewId: id }],
          ["/leave-review-note", { reviewId: id, reviewer: "Grace", seconds: 1, text: "x" }],
          ["/edit-review-note", { noteId: note.id, reviewerToken, text: "y" }],
          ["/delete-own-review-note", { noteId: note.id, reviewerToken }]
        ] as const
        const needed = Effect.gen(function*() {
          for (const [route, body] of calls) {
            assert.deepStrictEqual(yield* refused(sent(route, body)), [403, "password_needed"])
          }
        })
        yield* needed
        for (const [route, body] of calls) yield* good(sent(route, body, access))
        yield* good(call(token, "/update-file-review", { reviewId: id, password: "other" }))
        for (const [route, body] of calls.slice(0, 3)) {
          assert.deepStrictEqual(yield* refused(sent(route, body, access)), [403, "password_needed"])
        }
        assert.deepStrictEqual(yield* refused(open(id, { password: "secret" })), [404, "not_found"])
        yield* good(call(token, "/update-file-review", { reviewId: id, password: null }))
        yield* good(open(id))
      }))

    it.effect("REV-41 of a file that browsers don't play, the preview is shown once it is made, with the shape of its sound", () =>
      Effect.gen(function*() {
        const tools = yield* TestMediaTools
        const jobs = yield* ManualJobs
        const { token, userId } = yield* signedIn
        yield* tools.say("phone.mov", { ...hevc, preview: [new TextEncoder().encode("preview")] })
        const fileId = yield* addVideo(userId, { fileName: "phone.mov", mimeType: "video/quicktime" })
        // It is looked into.
        yield* jobs.runDue
        const review = yield* good(call(token, "/create-file-review", { fileId }))
        const before = yield* good(open(review.id))
        assert.deepStrictEqual([before.stream, before.preview.status], [null, "working"])
        for (let turns = 0; turns < 5; turns++) yield* jobs.runDue
        const after = yield* good(open(review.id))
        assert.deepInclude(after.preview, { status: "done", progress: 1, error: null })
        assert.strictEqual(after.stream.mimeType, "video/mp4")
        const memory = yield* MemoryObjectStore
        const text = (url: string) => Effect.promise(async () => (await memory.fetch(url)).text())
        assert.strictEqual(yield* text(after.stream.url), "preview")
        assert.isArray(JSON.parse(yield* text(after.peaksUrl)))
      }))

    it.effect("REV-70 opening it again takes five statements, however many notes there are; its preview and peaks take no more", () =>
      Effect.gen(function*() {
        const tools = yield* TestMediaTools
        const jobs = yield* ManualJobs
        const reviews = yield* PublicReviews
        const { token, userId } = yield* signedIn
        yield* tools.say("many.mov", { ...hevc, preview: [new TextEncoder().encode("preview")] })
        const fileId = yield* addVideo(userId, { fileName: "many.mov", mimeType: "video/quicktime" })
        yield* jobs.runDue
        const { id: reviewId } = yield* good(call(token, "/create-file-review", { fileId }))
        for (let turns = 0; turns < 5; turns++) yield* jobs.runDue
        for (const count of [1, 120]) {
          yield* Effect.forEach(Arr.range(1, count), () => leave(reviewId))
          const opening = reviews.open({ reviewId }, { _tag: "Stranger", address: "198.51.100.7", userAgent: "" }).pipe(
            Effect.provideService(LinkCall, {
              accessToken: null,
              network: null,
              limits: { count: () => Effect.void, guess: (_, check) => check }
            })
          )
          yield* opening
          const sent: Array<string> = []
          const { notes: { notes }, stream } = yield* Effect.provideService(
            opening,
            Statement.CurrentTransformer,
            (statement) =>
              Effect.sync(() => {
                sent.push(statement.compile()[0])
                return statement
              })
          )
          assert.lengthOf(sent, 5, sent.join("\n"))
          assert.lengthOf(notes, Math.min(count, 100))
          assert.strictEqual(stream?.mimeType, "video/mp4")
        }
      }))

    it.effect("REV-42 a video that was looked into before frame rates were kept is looked into again when it gets a review", () =>
      Effect.gen(function*() {
        const [tools, jobs] = [yield* TestMediaTools, yield* ManualJobs]
        const { token, userId } = yield* signedIn
        const fileId = yield* addVideo(userId, { fileName: "old.mp4" })
        yield* jobs.runDue
        yield* tools.say("old.mp4", {
          facts: { frameRate: "24000/1001", durationSeconds: 90, width: 640, height: 360 }
        })
        const { id } = yield* good(call(token, "/create-file-review", { fileId }))
        assert.isNull((yield* good(open(id))).file.frameRate)
        yield* jobs.runDue
        assert.deepStrictEqual((yield* good(open(id))).file, {
          id: fileId,
          type: "Video",
          fileName: "old.mp4",
          duration: 90,
          frameRate: 24_000 / 1_001,
          width: 640,
          height: 360
        })
      }))
  }
)
