import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Exit } from "effect"
import * as Checked from "../../test/Checked.ts"
import { checkSearch } from "../../test/checkSearch.ts"
import { docsOfIndex } from "../../test/docsOfIndex.ts"
import { addDerivative, addFile, addFolder, as, layer, newAccount } from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Database } from "../database/Database.ts"
import type { Doc } from "../docindex/Doc.ts"
import { FileAccess } from "../files/FileAccess.ts"
import { FileDetails } from "../files/FileDetails.ts"
import { Files } from "../files/Files.ts"
import { MediaFacts } from "../files/MediaFacts.ts"
import { Trash } from "../files/Trash.ts"
import { Search } from "../search/Search.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { Catalog } from "./Catalog.ts"

const docOf = Effect.fnUntraced(function*(accountId: AccountId, fileId: FileId) {
  return (yield* docsOfIndex(accountId)).find(({ id }) => id === fileId)
})

const words = (doc: Doc | undefined) => doc?.lexemes.filter((lexeme) => !lexeme.startsWith("#")).toSorted()

/** Files in a folder, as many as there need be, by one statement: their search is written by whoever follows them. */
const addMany = Effect.fnUntraced(function*(accountId: AccountId, folderId: string, count: number, key = "many") {
  const { sql, tables: t } = yield* Database
  return (yield* sql<{ readonly id: FileId }>`
    INSERT INTO ${t.files} (id, account_id, folder_id, type, file_name, mime_type, size, object_key, store_key, etag,
      insert_time)
    SELECT gen_random_uuid(), ${accountId}, ${folderId}, 'Text', 'many ' || n, 'text/plain', 0,
      ${key}::text || ${folderId}::text || n, ${key}::text || ${folderId}::text || n, '',
      '2026-01-01'::timestamptz + make_interval(secs => n % 50)
    FROM generate_series(1, ${count}::int) n RETURNING id
  `).map(({ id }) => id)
})

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("SearchIndex", (it) => {
  it.effect("SRCH-6 a file's row follows everything that is done to it", () =>
    Effect.gen(function*() {
      const [details, access, trash] = [yield* FileDetails, yield* FileAccess, yield* Trash]
      const me = yield* newAccount
      const folderId = yield* addFolder(me, "/A")
      const id = yield* addFile(me, { fileName: "Beach_2024.jpg", folderId, type: "Image" })
      assert.deepStrictEqual(words(yield* docOf(me, id)), ["2024", "beach", "jpg"])
      yield* checkSearch(me)
      yield* details.rename(id, Checked.fileName("Düne.jpg")).pipe(as(me))
      yield* details.describe(id, Checked.description("Sand & wind")).pipe(as(me))
      assert.deepStrictEqual(words(yield* docOf(me, id)), ["dune", "jpg", "sand", "wind"])
      assert.isFalse((yield* docOf(me, id))!.isPublic)
      yield* access.toggle(id).pipe(as(me))
      assert.isTrue((yield* docOf(me, id))!.isPublic)
      yield* checkSearch(me)
      yield* trash.put([id]).pipe(as(me))
      assert.isUndefined(yield* docOf(me, id))
      yield* details.rename(id, Checked.fileName("stone.jpg")).pipe(as(me))
      assert.isUndefined(yield* docOf(me, id))
      yield* trash.restore([id]).pipe(as(me))
      assert.deepStrictEqual(words(yield* docOf(me, id)), ["jpg", "sand", "stone", "wind"])
      yield* checkSearch(me)
      yield* trash.delete([id]).pipe(as(me))
      yield* checkSearch(me)
    }))

  it.effect("SRCH-6 a file's folder is the one it is in, and none when it is at the top", () =>
    Effect.gen(function*() {
      const [files, transaction] = [yield* Files, yield* AccountTransaction]
      const me = yield* newAccount
      yield* addFolder(me, "/A")
      const inner = yield* addFolder(me, "/A/B")
      const id = yield* addFile(me, { folderId: inner })
      assert.isNotNull((yield* docOf(me, id))!.folderNo)
      yield* transaction.run(me, () => files.move(me, [id], null))
      assert.isNull((yield* docOf(me, id))!.folderNo)
      yield* checkSearch(me)
    }))

  it.effect("SRCH-8 a derivative is never found", () =>
    Effect.gen(function*() {
      const catalog = yield* Catalog
      const me = yield* newAccount
      const id = yield* addFile(me)
      const cover = yield* addDerivative(me, id)
      yield* (yield* AccountTransaction).run(me, () => catalog.onEdited(me, [cover]))
      assert.isUndefined(yield* docOf(me, cover))
      yield* checkSearch(me)
    }))

  it.effect("SRCH-6 another account's files are left alone", () =>
    Effect.gen(function*() {
      const catalog = yield* Catalog
      const [me, other] = [yield* newAccount, yield* newAccount]
      const id = yield* addFile(other)
      const before = yield* docOf(other, id)
      yield* (yield* AccountTransaction).run(me, () =>
        Effect.andThen(catalog.onEdited(me, [id]), catalog.onTrashed(me, [id])))
      assert.deepStrictEqual(yield* docOf(other, id), before)
      yield* checkSearch(other)
    }))

  it.effect("SRCH-23 what was found inside files is recorded, and they are found by it", () =>
    Effect.gen(function*() {
      const facts = yield* MediaFacts
      const [me, other] = [yield* newAccount, yield* newAccount]
      const id = yield* addFile(me, { fileName: "01.mp3", type: "Audio" })
      const theirs = yield* addFile(other)
      const record = (found: object) =>
        Effect.flatMap(AccountTransaction, (transaction) =>
          transaction.run(me, () =>
            facts.replace(me, [{ fileId: id, ...found }, { fileId: theirs, title: "not mine" }])))
      yield* record({
        title: "Größe",
        artists: ["Ólafur", "東京"],
        taggedTempo: 120,
        key: 18,
        duration: 1.5
      })
      assert.deepStrictEqual(
        words(yield* docOf(me, id)),
        ["01", "3", "grosse", "mp", "olafur", "京", "東", "東京"].sort()
      )
      yield* checkSearch(me)
      yield* record({
        latitude: 1,
        longitude: -179.5,
        takenTime: new Date("2020-01-01T00:00:00.000Z"),
        tempo: 99.5,
        taggedTempo: 50
      })
      assert.deepStrictEqual(words(yield* docOf(me, id)), ["01", "3", "mp"])
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
      yield* (yield* AccountTransaction).run(me, () => catalog.onEdited(me, [id]))
      assert.includeMembers([...words(yield* docOf(me, id))!], ["long", "txt", "0"])
      yield* checkSearch(me)
    }))

  it.effect(
    "SRCH-7 many files at once follow at once, whether a segment has them or not",
    () =>
      Effect.gen(function*() {
        const [catalog, trash, files] = [yield* Catalog, yield* Trash, yield* Files]
        const [jobs, transaction] = [yield* ManualJobs, yield* AccountTransaction]
        const { search } = yield* Search
        const me = yield* newAccount
        const [from, to] = [yield* addFolder(me, "/From"), yield* addFolder(me, "/To")]
        const count = (folder: string) =>
          Effect.map(search(Checked.search({ folder: folder, limit: 200, offset: 500 })).pipe(as(me)), ({ files }) =>
            500 + files.length)
        const settle = Effect.gen(function*() {
          for (const { exit } of yield* jobs.runDue) {
            assert.isTrue(Exit.isSuccess(exit))
          }
          yield* checkSearch(me)
        })
        const ids = yield* addMany(me, from, 560)
        yield* transaction.run(me, () =>
          catalog.onAdded(me, ids))
        const late = yield* addMany(me, from, 100, "late")
        yield* transaction.run(me, () => catalog.onAdded(me, late))
        yield* checkSearch(me)
        assert.strictEqual(yield* count("/From"), 660)

        yield* transaction.run(me, () => files.move(me, [...ids, ...late], to))
        yield* checkSearch(me)
        assert.strictEqual(yield* count("/To"), 660)
        yield* settle

        yield* trash.put(ids.slice(0, 3)).pipe(as(me))
        yield* trash.delete(ids.slice(3, 6)).pipe(as(me))
        yield* transaction.run(me, () => catalog.onEdited(me, ids))
        yield* settle
        assert.strictEqual(yield* count("/To"), 654)

        yield* trash.put(ids.slice(10, 400)).pipe(as(me))
        yield* settle
        yield* trash.restore(ids.slice(0, 400)).pipe(as(me))
        yield* settle
        assert.strictEqual(yield* count("/To"), 657)
      }),
    120_000
  )

  it.effect(
    "SRCH-7 changes become segments, and segments larger ones, while everything is found as before",
    () =>
      Effect.gen(function*() {
        const [catalog, details, jobs, transaction] = [
          yield* Catalog,
          yield* FileDetails,
          yield* ManualJobs,
          yield* AccountTransaction
        ]
        const { sql, tables: t } = yield* Database
        const me = yield* newAccount
        const folderId = yield* addFolder(me, "/A")
        const segments = sql<{ readonly docs: number; readonly dead: number }>`
        SELECT doc_count AS docs, dead_count AS dead FROM ${t.search_segments}
        WHERE account_no = (SELECT no FROM ${t.accounts} WHERE id = ${me}) ORDER BY no
      `
        const all: Array<FileId> = []
        for (let round = 0; round < 8; round++) {
          const ids = yield* addMany(me, folderId, 300, `round ${round}`)
          all.push(...ids)
          yield* transaction.run(me, () => catalog.onAdded(me, ids))
          yield* details.rename(ids[0]!, Checked.fileName(`renamed ${round}`)).pipe(as(me))
          yield* details.describe(all[5]!, Checked.description(`words ${round}`)).pipe(as(me))
        }
        assert.lengthOf(yield* segments, 8)
        for (const { exit } of yield* jobs.runDue) assert.isTrue(Exit.isSuccess(exit))
        assert.deepStrictEqual(yield* segments, [{ docs: 2_400, dead: 0 }])
        yield* checkSearch(me)
        const few = all.slice(0, 200)
        for (let at = 0; at < all.length; at += 200) {
          const some = at === 0 ? few : all.slice(at, at + 200)
          yield* transaction.run(me, () => catalog.onEdited(me, some))
          for (const { exit } of yield* jobs.runDue) assert.isTrue(Exit.isSuccess(exit))
        }
        const sizes = yield* segments
        assert.isAbove(sizes.length, 1)
        assert.isTrue(sizes.every(({ dead, docs }) => dead * 2 <= docs), JSON.stringify(sizes))
        yield* checkSearch(me)
      }),
    120_000
  )
})
