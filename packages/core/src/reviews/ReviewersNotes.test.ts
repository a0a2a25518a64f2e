/** What people at the link of a review write, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect, Struct } from "effect"
import { TestClock } from "effect/testing"
import { eventsOf, good, leave, newReview, proxy, refused, seen, sent } from "../../test/ReviewsTest.ts"
import { call, testHttp } from "../../test/TestHttp.ts"
import { Database } from "../database/Database.ts"

const open = (reviewId: string, fields: object = {}, headers?: Readonly<Record<string, string>>) =>
  sent("/open-file-review", { reviewId, ...fields }, headers)

const notesOf = (reviewId: string, fields: object = {}) => good(sent("/select-review-notes", { reviewId, ...fields }))

layer(testHttp({ rateLimits: false, trustedProxies: proxy }), { timeout: "60 seconds" })(
  "notes of reviewers",
  (it) => {
    it.effect("REV-33 a note is answered with the token of its reviewer, of which only a hash is kept", () =>
      Effect.gen(function*() {
        const { sql, tables: t } = yield* Database
        const { id } = yield* newReview()
        const note = yield* leave(id, { endSeconds: 70, text: "Too\r\nearly" })
        const { id: noteId, reviewerToken, ...rest } = note
        assert.match(reviewerToken, /^fdr_[\w-]{43}$/)
        assert.deepStrictEqual(rest, {
          seconds: 65.2,
          endSeconds: 70,
          timecode: "1:05",
          reviewer: { name: "Grace" },
          text: "Too\nearly",
          insertTime: rest.insertTime,
          editTime: null,
          resolved: false,
          mine: true,
          replies: [],
          replyTo: null
        })
        const rows = yield* sql`SELECT n::text AS row FROM ${t.review_notes} n WHERE id = ${noteId}`
        assert.notInclude(JSON.stringify(rows), reviewerToken.slice(4))
        const again = yield* leave(id, { reviewerToken, text: "More" })
        assert.strictEqual(again.reviewerToken, reviewerToken)
        const other = yield* leave(id, { reviewer: "Linus", text: "Fine" })
        assert.notStrictEqual(other.reviewerToken, reviewerToken)
        const mine = (notes: ReadonlyArray<{ readonly mine?: boolean }>) => notes.map(({ mine }) => mine)
        assert.deepStrictEqual(mine((yield* good(open(id, { reviewerToken }))).notes), [true, true, false])
        assert.deepStrictEqual(mine((yield* notesOf(id, { reviewerToken: other.reviewerToken })).notes), [
          false,
          false,
          true
        ])
        assert.deepStrictEqual(mine((yield* notesOf(id)).notes), [undefined, undefined, undefined])
        assert.deepStrictEqual(
          yield* refused(
            sent("/leave-review-note", { reviewId: id, reviewer: "A", seconds: 1, text: "x", reviewerToken: "x" })
          ),
          [400, "invalid_field", "reviewerToken"]
        )
      }))

    it.effect("REV-34 a reviewer edits and deletes their own notes and replies, and nobody else's", () =>
      Effect.gen(function*() {
        const { id, token } = yield* newReview()
        const [mine, theirs] = [yield* leave(id), yield* leave(id, { reviewer: "Linus", text: "Fine" })]
        const reply = yield* leave(id, { replyTo: theirs.id, reviewerToken: mine.reviewerToken, text: "No" })
        const own = yield* good(call(token, "/reply-to-review-note", { noteId: mine.id, text: "Done" }))
        const edit = (noteId: string, reviewerToken: string) =>
          sent("/edit-review-note", { noteId, reviewerToken, text: "Changed" })
        yield* TestClock.adjust("1 minute")
        const edited = yield* good(edit(mine.id, mine.reviewerToken))
        assert.deepInclude(edited, { text: "Changed", mine: true, insertTime: mine.insertTime })
        assert.strictEqual(Date.parse(edited.editTime), Date.parse(mine.insertTime) + 60_000)
        assert.deepStrictEqual(edited.replies, [{ ...own, mine: false }])
        assert.strictEqual((yield* good(edit(reply.id, mine.reviewerToken))).text, "Changed")
        const remove = (noteId: string, reviewerToken: string) =>
          sent("/delete-own-review-note", { noteId, reviewerToken })
        const unknownId = "019845e1-682f-7b02-a706-3b2422d13aff"
        for (
          const [noteId, reviewerToken] of [
            [theirs.id, mine.reviewerToken],
            [own.id, mine.reviewerToken],
            [mine.id, "guess"],
            [mine.id, ""],
            [unknownId, mine.reviewerToken]
          ]
        ) {
          assert.deepStrictEqual(yield* refused(edit(noteId, reviewerToken)), [404, "not_found"])
          assert.deepStrictEqual(yield* refused(remove(noteId, reviewerToken)), [404, "not_found"])
        }
        yield* good(remove(reply.id, mine.reviewerToken))
        yield* good(remove(mine.id, mine.reviewerToken))
        const { noteCount, notes } = yield* seen(token, id)
        assert.strictEqual(noteCount, 1)
        assert.deepInclude(notes[0], { id: theirs.id, text: "Fine", replies: [] })
      }))

    it.effect("REV-35 FEED-1 a note or reply of a reviewer is one event of the owner's; their own replies and edits are none", () =>
      Effect.gen(function*() {
        const { fileId, id, token } = yield* newReview()
        const note = yield* leave(id)
        const reply = yield* leave(id, { reviewer: "Linus", replyTo: note.id, seconds: null, text: "No" })
        const nested = yield* leave(id, { reviewer: "Ada", replyTo: reply.id, seconds: 3, text: "Yes" })
        const whole = yield* leave(id, { seconds: null, text: "Nice" })
        yield* good(call(token, "/reply-to-review-note", { noteId: note.id, text: "Done" }))
        yield* good(call(token, "/set-review-note-resolved", { noteId: note.id, resolved: true }))
        yield* good(sent("/edit-review-note", { noteId: note.id, reviewerToken: note.reviewerToken, text: "Late" }))
        yield* good(sent("/delete-own-review-note", { noteId: whole.id, reviewerToken: whole.reviewerToken }))
        const events = yield* eventsOf(token, "note")
        const review = { id }
        const file = { id: fileId, type: "Video", fileName: "cut.mp4" }
        assert.deepStrictEqual(
          events.map((event: Record<string, unknown>) => Struct.omit(event, ["id", "kind", "time"])),
          [
            { reviewer: { name: "Grace" }, text: "Too early", seconds: 65.2, replyTo: null, review, file },
            { reviewer: { name: "Linus" }, text: "No", seconds: 65.2, replyTo: note.id, review, file },
            { reviewer: { name: "Ada" }, text: "Yes", seconds: 65.2, replyTo: note.id, review, file },
            { reviewer: { name: "Grace" }, text: "Nice", seconds: null, replyTo: null, review, file }
          ]
        )
        assert.strictEqual((yield* good(call(token, "/select-drive-events", { reviewId: id }))).events.length, 4)
        const { notes } = yield* notesOf(id)
        assert.deepStrictEqual(
          notes[0].replies.map(({ author, id }: { readonly author: object; readonly id: string }) => ({ id, author })),
          [
            { id: reply.id, author: { name: "Linus", owner: false } },
            { id: nested.id, author: { name: "Ada", owner: false } },
            { id: notes[0].replies[2].id, author: { name: "Owner", owner: true } }
          ]
        )
        assert.strictEqual(nested.replyTo, note.id)
      }))

    it.effect("REV-36 what can't be a note names its field", () =>
      Effect.gen(function*() {
        const { id } = yield* newReview()
        const other = yield* newReview()
        const elsewhere = yield* leave(other.id)
        const attempt = (fields: object) =>
          refused(sent("/leave-review-note", { reviewId: id, reviewer: "Grace", seconds: 1, text: "x", ...fields }))
        for (
          const [fields, field] of [
            [{ endSeconds: 0.5 }, "endSeconds"],
            [{ seconds: null, endSeconds: 2 }, "endSeconds"],
            [{ seconds: -1 }, "seconds"],
            [{ seconds: 360_000 }, "seconds"],
            [{ seconds: "1" }, "seconds"],
            [{ text: "" }, "text"],
            [{ text: "x".repeat(4_001) }, "text"],
            [{ text: " \u200b\n" }, "text"],
            [{ text: "a\u0007b" }, "text"],
            [{ reviewer: "" }, "reviewer"],
            [{ reviewer: "x".repeat(101) }, "reviewer"],
            [{ reviewer: "a\nb" }, "reviewer"],
            [{ reviewer: "a\u2029b" }, "reviewer"],
            [{ replyTo: elsewhere.id }, "replyTo"],
            [{ replyTo: "x" }, "replyTo"]
          ] as const
        ) assert.deepStrictEqual(yield* attempt(fields), [400, "invalid_field", field], JSON.stringify(fields))
        const { text } = yield* leave(id, { text: "a\u202eb \u0645\u200c\u0645" })
        assert.strictEqual(text, "ab \u0645\u200c\u0645")
      }))

    it.effect("REV-39 notes come page by page, each once although more are left meanwhile", () =>
      Effect.gen(function*() {
        const { id } = yield* newReview()
        const all: Array<string> = []
        for (const seconds of [5, null, 5, 1e-7, 3.3, 5, 0, 359_999, 0.1]) {
          all.push((yield* leave(id, { seconds })).id)
        }
        const met: Array<string> = []
        let cursor: string | null = null
        do {
          const page: { notes: ReadonlyArray<{ id: string }>; nextCursor: string | null } = yield* notesOf(id, {
            limit: 2,
            ...cursor !== null && { cursor }
          })
          assert.isAtMost(page.notes.length, 2)
          met.push(...page.notes.map(({ id }) => id))
          cursor = page.nextCursor
          // Before the place that is read next.
          yield* leave(id, { seconds: null, text: "late" })
        } while (cursor !== null)
        assert.deepStrictEqual(met.filter((id) => all.includes(id)).sort(), [...all].sort())
        assert.strictEqual(new Set(met).size, met.length)
        for (const wrong of ["", "x", "1_2", `1_2_${id}x`, `Infinity_1_${id}`]) {
          assert.deepStrictEqual(
            yield* refused(sent("/select-review-notes", { reviewId: id, cursor: wrong })),
            [400, "invalid_field", "cursor"]
          )
        }
        assert.deepStrictEqual(
          yield* refused(sent("/select-review-notes", { reviewId: id, limit: 501 })),
          [400, "invalid_field", "limit"]
        )
      }))

    it.effect("REV-40 a note takes 100 replies of reviewers, and the owner's besides; a page of long texts ends early", () =>
      Effect.gen(function*() {
        const { id, token } = yield* newReview()
        const note = yield* leave(id, { seconds: 1 })
        // From two addresses: one alone leaves half of them.
        const reply = (text: string, n: number, replyTo: string = note.id) =>
          sent("/leave-review-note", { reviewId: id, reviewer: "Grace", seconds: null, text, replyTo }, {
            "x-forwarded-for": `192.0.2.${n % 2}`
          })
        const long = "é".repeat(4_000)
        for (let n = 0; n < 100; n++) yield* good(reply(long, n))
        assert.deepStrictEqual(yield* refused(reply("one more", 2)), [400, "invalid_field", "replyTo"])
        yield* good(call(token, "/reply-to-review-note", { noteId: note.id, text: "Enough" }))
        for (const n of [2, 3, 4]) {
          const other = yield* leave(id, { seconds: n })
          for (let m = 0; m < 100; m++) yield* good(reply(long, m, other.id))
        }
        const first = yield* notesOf(id)
        // Each has 800 KB: the third passes 2 MiB with what is before it.
        assert.strictEqual(first.notes.length, 3)
        const second = yield* notesOf(id, { cursor: first.nextCursor })
        assert.deepStrictEqual([second.notes.length, second.nextCursor], [1, null])
      }))
  }
)
