/** Many reviewers at once, on a server where calls run at the same time. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Exit, Fiber, Stream } from "effect"
import { Statement } from "effect/sql"
import { addFile, as, asTimePasses, layer, newAccount } from "../../test/FilesTest.ts"
import { Database } from "../database/Database.ts"
import { EventQuery } from "../events/EventQuery.ts"
import { Events } from "../events/Events.ts"
import * as Limits from "../limits/Limits.ts"
import { LinkCall } from "../links/LinkCall.ts"
import type { ReviewId } from "../shared/Ids.ts"
import { OwnedNotes } from "./OwnedNotes.ts"
import { PublicReviews } from "./PublicReviews.ts"
import { NewReview, NotesQuery } from "./Review.ts"
import { ReviewersNotes } from "./ReviewersNotes.ts"
import { NewNote, NoteText } from "./ReviewNote.ts"
import { Reviews } from "./Reviews.ts"

const times = (count: number) => Array.from({ length: count }, (_, at) => at)

/** Calls through the link, not limited. */
const stranger = Effect.provideService(LinkCall, {
  accessToken: null,
  network: null,
  limits: { count: () => Effect.void, guess: (_link, check) => check }
})

const newReview = Effect.gen(function*() {
  const me = yield* newAccount
  const fileId = yield* addFile(me, { type: "Video", mimeType: "video/mp4", fileName: "cut.mp4" })
  const { id } = yield* Reviews.use((reviews) => reviews.create(NewReview.make({ fileId }))).pipe(as(me))
  return { me, id }
})

const noteOn = (reviewId: ReviewId, fields: object = {}) =>
  NewNote.make({ reviewId, reviewer: "Grace", seconds: 1, text: "x", ...fields } as never)

/** What the review counts, and what its rows add up to. */
const counts = Effect.fnUntraced(function*(id: ReviewId) {
  const { sql, tables: t } = yield* Database
  const [row] = yield* sql<Record<"counted" | "summed", ReadonlyArray<number>>>`
    SELECT ARRAY[r.note_count, r.held_notes, r.text_bytes] AS counted, ARRAY[
      (SELECT count(*) FROM ${t.review_notes} n WHERE n.review_id = r.id AND n.reply_to IS NULL AND n.delete_time IS NULL),
      (SELECT count(*) FROM ${t.review_notes} n WHERE n.review_id = r.id),
      (SELECT coalesce(sum(n.bytes), 0) FROM ${t.review_notes} n WHERE n.review_id = r.id AND n.reply_to IS NULL)
    ]::bigint[] AS summed
    FROM ${t.file_reviews} r WHERE r.id = ${id}
  `
  return row!
})

const exact = (id: ReviewId) =>
  Effect.map(counts(id), ({ counted, summed }) => assert.deepStrictEqual(counted.map(Number), summed.map(Number)))

testLayer(layer(TestDatabase.layerPostgresNew), { timeout: "120 seconds" })("many reviewers", (it) => {
  it.effect("REV-60 forty reviewers and the owner at once: counts are exact, and each note is one event", () =>
    Effect.gen(function*() {
      const { id, me } = yield* newReview
      const [theirs, owned] = [yield* ReviewersNotes, yield* OwnedNotes]
      const first = (yield* stranger(theirs.leave(noteOn(id)))).note
      const { grace, left } = yield* Effect.all({
        grace: Effect.forEach(times(40), (at) =>
          Effect.gen(function*() {
            const { note, reviewerToken } = yield* theirs.leave(noteOn(id, { seconds: at % 5, text: `note ${at}` }))
            yield* theirs.leave(noteOn(id, { replyTo: first.id, reviewerToken }))
            if (at % 4 === 0) yield* theirs.remove(note.id, reviewerToken)
            if (at % 4 === 1) yield* theirs.edit(note.id, reviewerToken, NoteText.make("a longer text"))
          }).pipe(stranger), { concurrency: "unbounded" }),
        left: Effect.forEach(times(20), () => owned.reply(first.id, NoteText.make("Thanks")).pipe(as(me)), {
          concurrency: "unbounded"
        })
      }, { concurrency: "unbounded" })
      assert.deepStrictEqual([grace.length, left.length], [40, 20])
      yield* exact(id)
      const { counted } = yield* counts(id)
      assert.strictEqual(Number(counted[0]), 31)
      const { events } = yield* Events.use((events) =>
        events.select(EventQuery.make({ kinds: ["note"], limit: 100 } as never))
      )
        .pipe(as(me))
      assert.strictEqual(events.length, 81)
    }))

  it.effect("REV-60 whoever follows a review sees every note once it is left, however many come at once", () =>
    Effect.gen(function*() {
      const { id } = yield* newReview
      const [theirs, publicReviews] = [yield* ReviewersNotes, yield* PublicReviews]
      const seen = new Set<string>()
      const { news } = yield* stranger(publicReviews.follow(id, "0", Effect.never))
      const reader = yield* Effect.forkChild(
        Stream.runForEach(
          Stream.takeUntil(news, () => seen.size === 60),
          ({ events }) =>
            Effect.sync(() => {
              for (const event of events) if (event.kind === "note") seen.add(event.note.id)
            })
        )
      )
      const left = yield* Effect.forEach(times(60), (at) => theirs.leave(noteOn(id, { seconds: at })), {
        concurrency: "unbounded"
      }).pipe(stranger)
      while (seen.size < 60) yield* asTimePasses(Effect.promise(() => new Promise((resolve) => setImmediate(resolve))))
      yield* Fiber.interrupt(reader)
      assert.sameMembers([...seen], left.map(({ note }) => note.id))
    }))

  it.effect("REV-61 a review holds no more notes than it may, to the last place, whoever races", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const { id, me } = yield* newReview
      const theirs = yield* ReviewersNotes
      yield* sql`UPDATE ${t.file_reviews} SET held_notes = ${Limits.reviewHolds.notes - 7}::int WHERE id = ${id}`
      const exits = yield* Effect.forEach(times(20), () => Effect.exit(theirs.leave(noteOn(id))), {
        concurrency: "unbounded"
      }).pipe(stranger)
      assert.strictEqual(exits.filter(Exit.isSuccess).length, 7)
      const refused = yield* stranger(Effect.flip(theirs.leave(noteOn(id))))
      assert.deepInclude(refused, { _tag: "InvalidField", field: "reviewId" })
      // The owner can answer all the same.
      const first = exits.find(Exit.isSuccess)
      yield* OwnedNotes.use((owned) => owned.reply(first!.value.note.id, NoteText.make("Thanks"))).pipe(as(me))
      yield* sql`UPDATE ${t.file_reviews} SET held_notes = 0, text_bytes = ${
        Limits.reviewHolds.textBytes - 10
      }::int WHERE id = ${id}`
      const full = yield* stranger(Effect.flip(theirs.leave(noteOn(id, { text: "more than ten" }))))
      assert.deepInclude(full, { _tag: "InvalidField", field: "reviewId" })
    }))

  it.effect("REV-62 no note gets in once a review is closed or deleted, whoever races", () =>
    Effect.gen(function*() {
      const [theirs, reviews] = [yield* ReviewersNotes, yield* Reviews]
      for (const deleted of [false, true]) {
        const { id, me } = yield* newReview
        const closing = deleted ? reviews.remove(id) : reviews.update({ reviewId: id, open: false })
        const [exits] = yield* Effect.all([
          Effect.forEach(times(30), () => Effect.exit(theirs.leave(noteOn(id))), { concurrency: "unbounded" }),
          Effect.asVoid(closing).pipe(as(me))
        ], { concurrency: "unbounded" }).pipe(stranger)
        const left = exits.filter(Exit.isSuccess).length
        const after = yield* stranger(Effect.flip(theirs.leave(noteOn(id))))
        assert.strictEqual(after._tag, deleted ? "NotFound" : "Refused")
        if (deleted) continue
        assert.strictEqual(Number((yield* counts(id)).counted[0]), left)
      }
    }))

  it.effect("REV-63 a page at note 10,000 takes the same steps along the index as the first", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const publicReviews = yield* PublicReviews
      const { id, me } = yield* newReview
      yield* sql`
        INSERT INTO ${t.review_notes}
          (id, account_id, review_id, author_name, place, text, bytes, insert_time, change_no)
        SELECT gen_random_uuid(), ${me}::uuid, ${id}::uuid, 'Grace', n, 'note ' || n, 10, date_trunc('second', now()), n
        FROM generate_series(1, 10000) n
      `
      yield* sql`UPDATE ${t.file_reviews} SET note_count = 10000, held_notes = 10000, change_no = 10000 WHERE id = ${id}`
      yield* sql`ANALYZE ${t.review_notes}`
      const page = (cursor: string | null) =>
        stranger(
          publicReviews.notes(NotesQuery.make({ reviewId: id, limit: 500, ...cursor !== null && { cursor } } as never))
        )
      /** The rows that the statements of a page read of the notes, as the server counts them. */
      const rowsRead = Effect.fnUntraced(function*(cursor: string | null) {
        const sent: Array<readonly [string, ReadonlyArray<unknown>]> = []
        const read = yield* Effect.provideService(
          page(cursor),
          Statement.CurrentTransformer,
          (statement) =>
            Effect.sync(() => {
              sent.push(statement.compile())
              return statement
            })
        )
        const [text, parameters] = sent.find(([text]) => text.includes("OVER ()"))!
        const plan =
          (yield* sql.unsafe<{ readonly "QUERY PLAN": string }>(`EXPLAIN (ANALYZE, TIMING OFF) ${text}`, parameters))
            .map((row) => row["QUERY PLAN"]).join("\n")
        assert.include(plan, "review_notes_list")
        const [, rows] = /review_notes_list.*\(actual rows=([\d.]+)/.exec(plan)!
        return { rows: Number(rows), read, plan }
      })
      const met: Array<number> = []
      for (let cursor: string | null = null;;) {
        const { plan, read, rows }: Effect.Success<ReturnType<typeof rowsRead>> = yield* rowsRead(cursor)
        // The last page may read what is left of the review in another order.
        assert.isBelow(rows, 1_000, plan)
        met.push(...read.notes.map(({ seconds }) => seconds!))
        cursor = read.nextCursor
        if (cursor === null) break
      }
      assert.deepStrictEqual(met, times(10_000).map((at) => at + 1))
    }))
})
