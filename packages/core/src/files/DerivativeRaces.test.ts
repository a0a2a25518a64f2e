/** Pictures under many callers at once, each in a session of its own: on a real server. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Array as Arr, Effect, Exit, Random } from "effect"
import { TestClock } from "effect/testing"
import { addFile, as, asTimePasses, checkBooks, layer, newAccount, settled } from "../../test/FilesTest.ts"
import { extracted, image, jpeg, pictureCount, recordOf, textAt, track, video } from "../../test/MediaTest.ts"
import { Database } from "../database/Database.ts"
import { Extraction } from "../media/Extraction.ts"
import { Derivatives } from "./Derivatives.ts"
import { FileAccess } from "./FileAccess.ts"
import { Trash } from "./Trash.ts"

const atOnce = { concurrency: "unbounded" } as const

testLayer(layer(TestDatabase.layerPostgres), { timeout: "120 seconds" })(
  "Pictures under many callers at once",
  (it) => {
    it.effect("MEDIA-14 of ten replacements at once one picture stays, and no object of the others", () =>
      Effect.gen(function*() {
        const derivatives = yield* Derivatives
        const me = yield* newAccount
        const id = yield* addFile(me, track)
        const made = yield* Effect.all(Arr.makeBy(10, (n) => derivatives.replace(me, id, jpeg(`art ${n}`))), atOnce)
        const record = yield* recordOf(me, id)
        const coverId = record.media !== null && "coverId" in record.media ? record.media.coverId : null
        assert.include(made.map((picture) => picture.id), coverId)
        assert.strictEqual(yield* textAt(record.thumbnailUrl), `art ${made.findIndex((one) => one.id === coverId)}`)
        assert.strictEqual(yield* pictureCount(id), 1)
        assert.lengthOf((yield* checkBooks(me)).held, 2)
        yield* settled(me)
      }))

    it.effect("MEDIA-15 two processes that extract one file at once record it once", () =>
      Effect.gen(function*() {
        const extraction = yield* Extraction
        const me = yield* newAccount
        const id = yield* addFile(me, { ...image, fileName: "twice.png" })
        yield* Effect.all(Arr.makeBy(6, () => extraction.run(me, id)), atOnce)
        assert.strictEqual((yield* recordOf(me, id)).metadataStatus, "done")
        assert.strictEqual(yield* pictureCount(id), 1)
        assert.lengthOf((yield* checkBooks(me)).held, 2)
        yield* settled(me)
      }))

    it.effect("MEDIA-11 MEDIA-12 MEDIA-15 after any mix of operations at once every picture is where its file is", () =>
      Effect.gen(function*() {
        const { sql, tables: t } = yield* Database
        const access = yield* FileAccess
        const derivatives = yield* Derivatives
        const trash = yield* Trash
        const extraction = yield* Extraction
        const me = yield* newAccount
        const kinds = [image, track, video]
        const ids = yield* Effect.forEach(Arr.range(0, 11), (n) => addFile(me, kinds[n % 3]!))
        const some = Effect.gen(function*() {
          const id = ids[yield* Random.nextIntBetween(0, ids.length - 1)]!
          const operations = [
            access.toggle(id),
            access.toggle(id),
            derivatives.replace(me, id, jpeg("a")),
            derivatives.replace(me, id, jpeg("bb")),
            extraction.run(me, id),
            extraction.request([id]),
            trash.put([id]),
            trash.restore(ids),
            trash.delete([id])
          ] as const
          const pick = operations[yield* Random.nextIntBetween(0, operations.length - 1)]!
          return yield* Effect.exit(Effect.asVoid(pick as Effect.Effect<unknown, unknown, never>))
        }).pipe(as(me))
        yield* Effect.forkChild(Effect.forever(Effect.andThen(sql`SELECT 1`, TestClock.adjust("100 millis"))))
        const exits = yield* asTimePasses(Effect.all(Arr.makeBy(80, () => some), { concurrency: 12 }))
        for (const exit of exits) assert.isFalse(Exit.hasDies(exit), String(exit))
        yield* extracted
        const apart = yield* sql`
        SELECT p.id FROM ${t.files} p JOIN ${t.files} f ON f.id = p.derivative_of
        WHERE f.account_id = ${me} AND p.is_public <> f.is_public
      `
        assert.deepStrictEqual(apart, [])
        yield* settled(me)
      }))
  }
)
