/** The live stream of a review's notes, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { turn } from "../../test/FollowedFeed.ts"
import { follow, good, leave, newReview, proxy, seen, sent } from "../../test/ReviewsTest.ts"
import { call, testHttp } from "../../test/TestHttp.ts"
import { Database } from "../database/Database.ts"
import { Events } from "../events/Events.ts"
import * as Limits from "../limits/Limits.ts"
import { NoteSweep } from "./NoteSweep.ts"

const followAfter = (reviewId: string) =>
  Effect.map(good(sent("/open-file-review", { reviewId })), ({ followAfter }) => followAfter as string)

layer(testHttp({ rateLimits: false, trustedProxies: proxy }), { timeout: "60 seconds" })("live notes", (it) => {
  it.effect("REV-50 notes, edits, replies, the owner's too, and deletions come as they happen", () =>
    Effect.gen(function*() {
      const { id, token } = yield* newReview()
      const before = yield* leave(id, { text: "before" })
      const live = yield* follow({ reviewId: id, after: yield* followAfter(id) })
      assert.strictEqual(live.status, 200)
      const note = yield* leave(id)
      yield* live.until(() => live.events().length === 1)
      yield* good(call(token, "/reply-to-review-note", { noteId: note.id, text: "Done" }))
      yield* live.until(() => live.events().length === 2)
      yield* good(sent("/edit-review-note", { noteId: note.id, reviewerToken: note.reviewerToken, text: "Late" }))
      yield* live.until(() => live.events().length === 3)
      yield* good(call(token, "/set-review-note-resolved", { noteId: note.id, resolved: true }))
      const events = yield* live.until(() => live.events().length === 4)
      const { replyTo: _, reviewerToken: __, mine: ___, ...first } = note
      assert.deepStrictEqual(events[0], { id: events[0]!.id, event: "note", data: { note: first } })
      assert.deepInclude(events[1]!.data.note.replies[0], { text: "Done", author: { name: "Owner", owner: true } })
      assert.deepInclude(events[2]!.data.note, { text: "Late", resolved: false })
      const [, shown] = (yield* seen(token, id)).notes
      assert.deepStrictEqual(events[3]!.data.note, shown)
      yield* good(call(token, "/delete-review-note", { noteId: before.id }))
      yield* live.until(() => live.events().length === 5)
      assert.deepStrictEqual(live.events()[4], { id: "6", event: "deleted", data: { noteId: before.id } })
      yield* live.hangUp
    }))

  it.effect("REV-51 it continues after the last event that was read, and without one it begins now", () =>
    Effect.gen(function*() {
      const { id } = yield* newReview()
      const [first, second, third] = [yield* leave(id), yield* leave(id), yield* leave(id)]
      const names = (live: { readonly events: () => ReadonlyArray<{ readonly data: { note: { id: string } } }> }) =>
        live.events().map(({ data }) => data.note.id)
      const all = yield* follow({ reviewId: id, after: "0" })
      yield* all.until(() => all.events().length === 3)
      assert.deepStrictEqual(names(all), [first.id, second.id, third.id])
      const resumed = yield* follow({ reviewId: id, after: "0" }, { "last-event-id": all.events()[1]!.id })
      yield* resumed.until(() => resumed.events().length === 1)
      assert.deepStrictEqual(names(resumed), [third.id])
      const fresh = yield* follow({ reviewId: id })
      const fourth = yield* leave(id)
      yield* fresh.until(() => fresh.events().length === 1)
      assert.deepStrictEqual(names(fresh), [fourth.id])
      yield* fresh.until(() => fresh.text().includes(": nothing new\nid: 4\n\n"))
      for (const after of ["5", "x", "-1", ""]) assert.strictEqual((yield* follow({ reviewId: id, after })).status, 400)
      yield* Effect.all([all.hangUp, resumed.hangUp, fresh.hangUp])
    }))

  it.effect("REV-52 it ends when the review closes, expires, is deleted or gets another password, and at a hang-up", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const update = (reviewId: string, token: string, change: object) =>
        good(call(token, "/update-file-review", { reviewId, ...change }))
      for (const end of ["closed", "expired", "deleted", "password", "elsewhere", "hang-up"] as const) {
        const { id, token } = yield* newReview()
        const other = yield* newReview()
        const [live, theirs] = [yield* follow({ reviewId: id }), yield* follow({ reviewId: other.id })]
        yield* leave(id)
        yield* live.until(() => live.events().length === 1)
        assert.isFalse(live.hasEnded(), end)
        if (end === "closed") yield* update(id, token, { open: false })
        if (end === "expired") {
          const expireTime = DateTime.formatIso(DateTime.addDuration(yield* DateTime.now, "1500 millis"))
          yield* update(id, token, { expireTime })
        }
        if (end === "deleted") yield* good(call(token, "/delete-file-review", { reviewId: id }))
        if (end === "password") yield* update(id, token, { password: "secret" })
        // As another process does: nobody in this one hears of it.
        if (end === "elsewhere") yield* sql`UPDATE ${t.file_reviews} SET is_open = FALSE WHERE id = ${id}`
        if (end === "hang-up") yield* Events.use((events) => events.hangUp)
        for (let passed = 0; passed < 10; passed++) {
          yield* TestClock.adjust("250 millis")
          // What was begun by then has its answer.
          for (let n = 0; n < 5; n++) yield* Effect.andThen(sql`SELECT 1`, Effect.repeat(turn, { times: 20 }))
        }
        // The clock stands still now: what waits for the database is waited for, and nothing else.
        yield* live.until(live.hasEnded, "0 millis")
        if (end !== "hang-up") assert.isFalse(theirs.hasEnded(), end)
        yield* theirs.hangUp
      }
    }))

  it.effect("REV-53 with a password it needs the access token, as a header or a parameter", () =>
    Effect.gen(function*() {
      const { id } = yield* newReview({ password: "secret" })
      const { accessToken } = yield* good(sent("/open-file-review", { reviewId: id, password: "secret" }))
      assert.strictEqual((yield* follow({ reviewId: id })).status, 403)
      assert.strictEqual((yield* follow({ reviewId: id, access: "guess" })).status, 403)
      for (
        const live of [
          yield* follow({ reviewId: id, access: accessToken }),
          yield* follow({ reviewId: id }, { "x-link-access": accessToken })
        ]
      ) {
        assert.strictEqual(live.status, 200)
        yield* live.hangUp
      }
    }))

  it.effect("REV-54 an address follows a review 20 times, another address as well", () =>
    Effect.gen(function*() {
      const { id } = yield* newReview()
      const open = yield* Effect.replicateEffect(follow({ reviewId: id }), Limits.liveReviews.perAddress)
      assert.isTrue(open.every(({ status }) => status === 200))
      assert.strictEqual((yield* follow({ reviewId: id })).status, 429)
      const other = yield* follow({ reviewId: id }, { "x-forwarded-for": "198.51.100.8" })
      assert.strictEqual(other.status, 200)
      yield* open[0]!.hangUp
      let again = yield* follow({ reviewId: id })
      while (again.status === 429) again = yield* follow({ reviewId: id })
      yield* Effect.all([other, again, ...open.slice(1)].map(({ hangUp }) => hangUp))
    }))

  it.effect("REV-55 what remains of a deleted note is forgotten after a day, and its place is free again", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const { id, token } = yield* newReview()
      const note = yield* leave(id)
      const other = yield* leave(id)
      const { id: noteId, reviewerToken } = note
      yield* leave(id, { replyTo: noteId })
      yield* good(sent("/delete-own-review-note", { noteId, reviewerToken }))
      yield* good(call(token, "/delete-review-note", { noteId: other.id }))
      const sweep = NoteSweep.use((sweep) => sweep.run)
      const held = Effect.map(
        sql`SELECT held_notes AS held, text_bytes::int AS bytes FROM ${t.file_reviews} WHERE id = ${id}`,
        ([row]) => row
      )
      yield* TestClock.adjust("23 hours")
      yield* sweep
      assert.deepStrictEqual(yield* held, { held: 1, bytes: 0 })
      yield* TestClock.adjust("2 hours")
      yield* sweep
      assert.deepStrictEqual(yield* held, { held: 0, bytes: 0 })
      assert.strictEqual(yield* followAfter(id), "5")
    }))

  it.effect("REV-55 in a full review a note is left again once the owner has deleted one, and not when its reviewer has", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const { id, token } = yield* newReview()
      const [mine, theirs] = [yield* leave(id), yield* leave(id)]
      yield* sql`UPDATE ${t.file_reviews} SET held_notes = ${Limits.reviewHolds.notes}::int WHERE id = ${id}`
      const attempt = sent("/leave-review-note", { reviewId: id, reviewer: "Linus", seconds: 1, text: "More" })
      const { id: noteId, reviewerToken } = mine
      yield* good(sent("/delete-own-review-note", { noteId, reviewerToken }))
      assert.strictEqual((yield* attempt).status, 400)
      yield* good(call(token, "/delete-review-note", { noteId: theirs.id }))
      const left = yield* good(attempt)
      assert.strictEqual((yield* attempt).status, 400)
      // Deleted by both, it frees one place.
      yield* good(call(token, "/delete-review-note", { noteId: left.id }))
      yield* sent("/delete-own-review-note", { noteId: left.id, reviewerToken: left.reviewerToken })
      yield* good(attempt)
      assert.strictEqual((yield* attempt).status, 400)
    }))
})
