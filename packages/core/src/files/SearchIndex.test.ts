import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { checkSearch } from "../../test/checkSearch.ts"
import { addDerivative, addFile, addFolder, as, layer, newAccount } from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { Ledger } from "../accounts/Ledger.ts"
import { Database } from "../database/Database.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { Catalog } from "./Catalog.ts"
import { Disposal } from "./Disposal.ts"
import { FileAccess } from "./FileAccess.ts"
import { FileDetails } from "./FileDetails.ts"
import { Files } from "./Files.ts"
import { MediaFacts } from "./MediaFacts.ts"

const lexemesOf = Effect.fnUntraced(function*(fileId: FileId) {
  const { sql, tables: t } = yield* Database
  const rows = yield* sql<{ readonly lexemes: ReadonlyArray<string> }>`
    SELECT tsvector_to_array(lexemes) AS lexemes FROM ${t.search_files} WHERE file_id = ${fileId}
  `
  return rows[0]?.lexemes.map((lexeme) => lexeme.replace(/^\d+/, "")) ?? null
})

const words = (lexemes: ReadonlyArray<string> | null) =>
  lexemes?.filter((lexeme) => lexeme.startsWith(":")).map((lexeme) => lexeme.slice(1)).sort() ?? null

/** Files in a folder, as many as there need be, by one statement: their search is written by whoever follows them. */
const addMany = Effect.fnUntraced(function*(accountId: AccountId, folderId: string, count: number) {
  const { sql, tables: t } = yield* Database
  return (yield* sql<{ readonly id: FileId }>`
    INSERT INTO ${t.files} (id, account_id, folder_id, type, file_name, mime_type, size, object_key, store_key, etag,
      insert_time)
    SELECT gen_random_uuid(), ${accountId}, ${folderId}, 'Text', 'many ' || n, 'text/plain', 0,
      'many/' || ${folderId}::text || n, 'many/' || ${folderId}::text || n, '', '2026-01-01'
    FROM generate_series(1, ${count}::int) n RETURNING id
  `).map(({ id }) => id)
})

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("SearchIndex", (it) => {
  it.effect("SRCH-6 a file's row follows everything that is done to it", () =>
    Effect.gen(function*() {
      const [details, access, disposal] = [yield* FileDetails, yield* FileAccess, yield* Disposal]
      const me = yield* newAccount
      const folderId = yield* addFolder(me, "/A")
      const id = yield* addFile(me, { fileName: "Beach_2024.jpg", folderId, type: "Image" })
      assert.deepStrictEqual(words(yield* lexemesOf(id)), ["2024", "beach", "jpg"])
      yield* checkSearch(me)
      yield* details.rename(id, "Düne.jpg").pipe(as(me))
      yield* details.describe(id, "Sand & wind").pipe(as(me))
      assert.deepStrictEqual(words(yield* lexemesOf(id)), ["dune", "jpg", "sand", "wind"])
      assert.include((yield* lexemesOf(id))!, "-")
      yield* access.toggle(id).pipe(as(me))
      assert.include((yield* lexemesOf(id))!, "+")
      yield* checkSearch(me)
      yield* disposal.trash([id]).pipe(as(me))
      assert.isNull(yield* lexemesOf(id))
      yield* details.rename(id, "stone.jpg").pipe(as(me))
      assert.isNull(yield* lexemesOf(id))
      yield* disposal.restore([id]).pipe(as(me))
      assert.deepStrictEqual(words(yield* lexemesOf(id)), ["jpg", "sand", "stone", "wind"])
      yield* checkSearch(me)
      yield* disposal.delete([id]).pipe(as(me))
      yield* checkSearch(me)
    }))

  it.effect("SRCH-6 a file's folders are those it is in, and none when it is at the top", () =>
    Effect.gen(function*() {
      const [files, ledger] = [yield* Files, yield* Ledger]
      const me = yield* newAccount
      yield* addFolder(me, "/A")
      const inner = yield* addFolder(me, "/A/B")
      const id = yield* addFile(me, { folderId: inner })
      const folders = () => Effect.map(lexemesOf(id), (lexemes) => lexemes!.filter((one) => one.startsWith("/")).length)
      assert.strictEqual(yield* folders(), 2)
      yield* ledger.locked(me, () => files.move(me, [id], null))
      assert.strictEqual(yield* folders(), 0)
      yield* checkSearch(me)
    }))

  it.effect("SRCH-8 a derivative is never found", () =>
    Effect.gen(function*() {
      const catalog = yield* Catalog
      const me = yield* newAccount
      const id = yield* addFile(me)
      const cover = yield* addDerivative(me, id)
      yield* (yield* Ledger).locked(me, () => catalog.described(me, [cover]))
      assert.isNull(yield* lexemesOf(cover))
      yield* checkSearch(me)
    }))

  it.effect("SRCH-6 another account's files are left alone", () =>
    Effect.gen(function*() {
      const catalog = yield* Catalog
      const [me, other] = [yield* newAccount, yield* newAccount]
      const id = yield* addFile(other)
      const before = yield* lexemesOf(id)
      yield* (yield* Ledger).locked(me, () => Effect.andThen(catalog.described(me, [id]), catalog.left(me, [id])))
      assert.deepStrictEqual(yield* lexemesOf(id), before)
      yield* checkSearch(other)
    }))

  it.effect("SRCH-23 what was found inside files is recorded, and they are found by it", () =>
    Effect.gen(function*() {
      const facts = yield* MediaFacts
      const [me, other] = [yield* newAccount, yield* newAccount]
      const id = yield* addFile(me, { fileName: "01.mp3", type: "Audio" })
      const theirs = yield* addFile(other)
      const record = (found: object) =>
        Effect.flatMap(Ledger, (ledger) =>
          ledger.locked(me, () =>
            facts.record(me, [{ fileId: id, ...found }, { fileId: theirs, title: "not mine" }])))
      yield* record({
        title: "Größe\u0000",
        artists: ["Ólafur", "東京\ud800"],
        tagged_tempo: 120,
        key: 18,
        duration: 1.5
      })
      assert.deepStrictEqual(
        words(yield* lexemesOf(id)),
        ["01", "3", "grosse", "mp", "olafur", "京", "東", "東京"].sort()
      )
      yield* checkSearch(me)
      yield* record({
        latitude: 1,
        longitude: -179.5,
        taken_time: "2020-01-01T00:00:00.000Z",
        tempo: 99.5,
        tagged_tempo: 50
      })
      assert.deepStrictEqual(words(yield* lexemesOf(id)), ["01", "3", "mp"])
      yield* Effect.andThen(checkSearch(me), checkSearch(other))
    }))

  it.effect("SRCH-6 a file of more words than a row holds is found by its name and its first ones", () =>
    Effect.gen(function*() {
      const catalog = yield* Catalog
      const me = yield* newAccount
      const id = yield* addFile(me, { fileName: "long.txt" })
      const { sql, tables: t } = yield* Database
      const text = Array.from({ length: 40_000 }, (_, n) => `${String.fromCharCode(0x4e00 + n % 20_000)}${n}w`).join(
        "x"
      )
      yield* sql`UPDATE ${t.files} SET description = ${text} WHERE id = ${id}`
      yield* (yield* Ledger).locked(me, () => catalog.described(me, [id]))
      assert.includeMembers([...words(yield* lexemesOf(id))!], ["long", "txt", "0"])
      yield* checkSearch(me)
    }))

  it.effect("SRCH-7 many files that change folders are written by a job, a few at once", () =>
    Effect.gen(function*() {
      const [catalog, files, jobs, ledger] = [yield* Catalog, yield* Files, yield* ManualJobs, yield* Ledger]
      const { sql, tables: t } = yield* Database
      const me = yield* newAccount
      const [from, to] = [yield* addFolder(me, "/From"), yield* addFolder(me, "/To")]
      const ids = yield* addMany(me, from, 560)
      yield* ledger.locked(me, () => catalog.recorded(me, ids))
      const pending = () =>
        Effect.map(sql`SELECT 1 FROM ${t.search_pending} WHERE account_id = ${me}`, (rows) => rows.length)
      const settle = Effect.gen(function*() {
        for (const { exit } of yield* jobs.runDue) assert.isTrue(Exit.isSuccess(exit))
        yield* checkSearch(me)
      })

      yield* ledger.locked(me, () => files.move(me, ids, to))
      assert.strictEqual(yield* pending(), 560)
      yield* (yield* Disposal).trash(ids.slice(0, 3)).pipe(as(me))
      yield* (yield* Disposal).delete(ids.slice(3, 6)).pipe(as(me))
      yield* settle

      yield* sql`
        UPDATE ${t.folders} SET parent_id = ${from}, path = '/From/To', folded_path = '/from/to' WHERE id = ${to}
      `
      yield* ledger.locked(me, () => catalog.folderMoved(me, to))
      assert.strictEqual(yield* pending(), 554)
      yield* TestClock.adjust("1 second")
      yield* settle

      yield* ledger.locked(me, () => files.move(me, ids.slice(0, 500), from))
      assert.strictEqual(yield* pending(), 0)
      yield* checkSearch(me)
    }), 120_000)
})
