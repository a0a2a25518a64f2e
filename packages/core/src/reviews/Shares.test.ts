/** What one address may take of a review, on a server where calls run at the same time. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Duration, Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { addFile, as, layer, newAccount } from "../../test/FilesTest.ts"
import { Database } from "../database/Database.ts"
import * as Limits from "../limits/Limits.ts"
import { LinkCall } from "../links/LinkCall.ts"
import type { ReviewId } from "../shared/Ids.ts"
import { NoteSweep } from "./NoteSweep.ts"
import { OwnedNotes } from "./OwnedNotes.ts"
import { NewReview } from "./Review.ts"
import { ReviewersNotes } from "./ReviewersNotes.ts"
import { NewNote, NoteText, ReviewerName } from "./ReviewNote.ts"
import { Reviews } from "./Reviews.ts"

/** Calls through the link from an address, not limited. */
const from = (network: string | null) =>
  Effect.provideService(LinkCall, {
    accessToken: null,
    network,
    limits: { count: () => Effect.void, guess: (_link, check) => check }
  })

const newReview = Effect.gen(function*() {
  const me = yield* newAccount
  const fileId = yield* addFile(me, { type: "Video", mimeType: "video/mp4", fileName: "cut.mp4" })
  const { id } = yield* Reviews.use((reviews) => reviews.create(NewReview.make({ fileId }))).pipe(as(me))
  return { me, id }
})

const leave = (reviewId: ReviewId, network: string | null, fields: object = {}) =>
  ReviewersNotes.use((theirs) =>
    theirs.leave(NewNote.make({ reviewId, reviewer: "Grace", seconds: 1, text: "x", ...fields } as never))
  ).pipe(from(network))

/** What is counted of each address, and what its rows add up to. */
const exact = Effect.fnUntraced(function*(id: ReviewId) {
  const { sql, tables: t } = yield* Database
  const counted = yield* sql`
    SELECT network_hash, held_notes::int AS held, text_bytes::int AS bytes FROM ${t.review_networks}
    WHERE review_id = ${id} ORDER BY network_hash
  `
  const summed = yield* sql`
    SELECT network_hash, count(*)::int AS held, sum(octet_length(text) + octet_length(author_name))::int AS bytes
    FROM ${t.review_notes} WHERE review_id = ${id} AND network_hash IS NOT NULL GROUP BY 1 ORDER BY 1
  `
  assert.deepStrictEqual(counted, summed)
  return counted.length
})

const mine = "192.0.2.1"
const theirs = "192.0.2.2"

testLayer(layer(TestDatabase.layerPostgresNew), { timeout: "120 seconds" })("shares of reviews", (it) => {
  it.effect("REV-72 one address leaves half of the notes that a review holds, whoever races, and others leave theirs", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const { id, me } = yield* newReview
      const first = yield* leave(id, mine)
      yield* sql`UPDATE ${t.review_networks} SET held_notes = ${
        Limits.reviewHolds.notes / 2 - 5
      }::int WHERE review_id = ${id}`
      const exits = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, n) => n),
        (n) => Effect.exit(leave(id, mine, n % 2 === 0 ? {} : { replyTo: first.note.id })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(exits.filter(Exit.isSuccess).length, 5)
      const refused = yield* Effect.flip(leave(id, mine))
      assert.deepInclude(refused, { _tag: "InvalidField", field: "reviewId" })
      assert.notMatch(refused.message, /\d/)
      assert.deepInclude(yield* Effect.flip(leave(id, mine, { replyTo: first.note.id })), { field: "replyTo" })
      // What was refused is not counted.
      const [row] = yield* sql`SELECT held_notes FROM ${t.file_reviews} WHERE id = ${id}`
      assert.deepStrictEqual(row, { held_notes: 6 })
      for (const network of [theirs, null]) yield* leave(id, network)
      // What the owner deletes makes room at once.
      yield* OwnedNotes.use((owned) => owned.remove(first.note.id)).pipe(as(me))
      yield* leave(id, mine)
      const stored = JSON.stringify(yield* sql`SELECT n.*::text FROM ${t.review_notes} n`)
      assert.notInclude(stored, "192.0.2")
    }))

  it.effect("REV-72 one address leaves half of the text that a review holds, edits included", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const { id } = yield* newReview
      const note = yield* leave(id, mine)
      const set = sql`
        UPDATE ${t.review_networks} SET text_bytes = ${
        Limits.reviewHolds.textBytes / 2 - 10
      }::int WHERE review_id = ${id}
      `
      yield* set
      assert.deepInclude(yield* Effect.flip(leave(id, mine, { text: "more than ten" })), { field: "reviewId" })
      const edit = (text: string) =>
        ReviewersNotes.use((all) => all.edit(note.note.id, note.reviewerToken, NoteText.make(text))).pipe(from(theirs))
      assert.deepInclude(yield* Effect.flip(edit("more than eleven")), { _tag: "InvalidField", field: "text" })
      yield* edit("just ten!!")
      yield* leave(id, theirs, { text: "more than ten" })
    }))

  it.effect("REV-76 one address leaves half of the replies to a note, whoever races, and others leave theirs", () =>
    Effect.gen(function*() {
      const { id, me } = yield* newReview
      const { note } = yield* leave(id, theirs)
      const other = yield* leave(id, theirs)
      const reply = (network: string | null, replyTo: string) => leave(id, network, { replyTo })
      const exits = yield* Effect.forEach(
        Array.from({ length: 60 }),
        () => Effect.exit(reply(mine, note.id)),
        { concurrency: "unbounded" }
      )
      const made = exits.filter(Exit.isSuccess).map(({ value }) => value.note.id)
      assert.strictEqual(made.length, 50)
      // A reply to a reply is one to its note.
      for (const to of [note.id, made[0]!]) {
        const refused = yield* Effect.flip(reply(mine, to))
        assert.deepInclude(refused, { _tag: "InvalidField", field: "replyTo" })
        assert.notMatch(refused.message, /\d/)
      }
      yield* reply(mine, other.note.id)
      for (const network of [...Array.from({ length: 49 }, () => theirs), null]) yield* reply(network, note.id)
      assert.deepInclude(yield* Effect.flip(reply(null, note.id)), { field: "replyTo" })
      yield* OwnedNotes.use((owned) => owned.reply(note.id, NoteText.make("Thanks"))).pipe(as(me))
      // What is deleted makes room for the address.
      yield* OwnedNotes.use((owned) => owned.remove(made[0]!)).pipe(as(me))
      yield* reply(mine, note.id)
      yield* Effect.flip(reply(mine, note.id))
    }))

  it.effect("REV-72 the counts of an address stay exact after edits, deletions and a day", () =>
    Effect.gen(function*() {
      const { id, me } = yield* newReview
      const reviewers = yield* ReviewersNotes
      const [a, b] = [yield* leave(id, mine), yield* leave(id, theirs)]
      yield* leave(id, theirs, { replyTo: a.note.id, text: "no" })
      const own = yield* leave(id, mine, { replyTo: b.note.id, text: "yes", reviewer: "Gräce" })
      yield* leave(id, mine, { replyTo: a.note.id, text: "more" })
      yield* OwnedNotes.use((owned) => owned.reply(a.note.id, NoteText.make("Thanks"))).pipe(as(me))
      yield* reviewers.edit(own.note.id, own.reviewerToken, NoteText.make("yes, but…")).pipe(from(mine))
      assert.strictEqual(yield* exact(id), 2)
      // A note that its reviewer deletes keeps its place for a day.
      yield* reviewers.remove(a.note.id, a.reviewerToken).pipe(from(mine))
      yield* reviewers.remove(own.note.id, own.reviewerToken).pipe(from(mine))
      assert.strictEqual(yield* exact(id), 2)
      yield* OwnedNotes.use((owned) => owned.remove(b.note.id)).pipe(as(me))
      assert.strictEqual(yield* exact(id), 1)
      yield* TestClock.adjust(Duration.days(2))
      yield* NoteSweep.use((sweep) => sweep.run)
      assert.strictEqual(yield* exact(id), 0)
    }))

  it.effect("REV-74 the owner deletes all notes left under a name at once; notes of others stay, and counts are exact", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const { id, me } = yield* newReview
      const other = yield* leave(id, theirs, { reviewer: "Linus" })
      for (let n = 0; n < 120; n++) {
        const { note } = yield* leave(id, mine)
        if (n % 40 === 0) yield* leave(id, theirs, { reviewer: "Linus", replyTo: note.id, text: "no" })
      }
      yield* leave(id, mine, { replyTo: other.note.id })
      yield* OwnedNotes.use((owned) => owned.reply(other.note.id, NoteText.make("Thanks"))).pipe(as(me))
      const remove = OwnedNotes.use((owned) => owned.removeOf(id, ReviewerName.make("Grace")))
      const stranger = yield* newAccount
      assert.deepInclude(yield* Effect.flip(remove.pipe(as(stranger))), { _tag: "NotFound" })
      assert.strictEqual(yield* remove.pipe(as(me)), 121)
      assert.strictEqual(yield* remove.pipe(as(me)), 0)
      assert.strictEqual(yield* exact(id), 1)
      const [row] = yield* sql`
        SELECT note_count AS notes, held_notes AS held, text_bytes::int AS bytes, change_no::int AS changes,
          (SELECT count(DISTINCT change_no)::int FROM ${t.review_notes} WHERE review_id = ${id} AND reply_to IS NULL) AS numbers,
          (SELECT bytes FROM ${t.review_notes} WHERE id = ${other.note.id}) AS sum,
          (SELECT reviewer_replies FROM ${t.review_notes} WHERE id = ${other.note.id}) AS replies
        FROM ${t.file_reviews} WHERE id = ${id}
      `
      const bytes = row!["sum"]
      // Each note that went or changed has a number of its own, by which followers are told.
      assert.deepStrictEqual(row, { notes: 1, held: 2, bytes, changes: 247, numbers: 121, sum: bytes, replies: 0 })
    }))
})
