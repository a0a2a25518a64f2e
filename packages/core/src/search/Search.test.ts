import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { addDerivative, addFile, addFolder, as, layer, newAccount } from "../../test/FilesTest.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Database } from "../database/Database.ts"
import { Files } from "../files/Files.ts"
import { MediaFacts } from "../files/MediaFacts.ts"
import { Trash } from "../files/Trash.ts"
import { FolderTree } from "../organize/FolderTree.ts"
import type { AccountId, FileId, FolderId } from "../shared/Ids.ts"
import { Search } from "./Search.ts"

/** Names of what an account finds, in order. */
const names = (me: AccountId, query: Checked.Search, folderId: FolderId | null = null) =>
  Effect.flatMap(
    Search,
    ({ search }) => Effect.map(search(Checked.search(query)), ({ files }) => files.map(({ fileName }) => fileName))
  ).pipe(as(me, { folderId }))

const addTag = Effect.fnUntraced(function*(accountId: AccountId, text: string, fileIds: ReadonlyArray<FileId>) {
  const { sql, tables: t } = yield* Database
  yield* sql`
    WITH tag AS (
      INSERT INTO ${t.tags} (id, account_id, text, folded, insert_time)
      VALUES (gen_random_uuid(), ${accountId}, ${text}, ${text.toLowerCase()}, '2026-01-01') RETURNING id
    )
    INSERT INTO ${t.file_tags} (file_id, tag_id) SELECT unnest(${fileIds}::uuid[]), id FROM tag
  `
})

const facts = (me: AccountId, fileId: FileId, found: object) =>
  Effect.gen(function*() {
    const media = yield* MediaFacts
    yield* (yield* AccountTransaction).run(me, () => media.replace(me, [{ fileId, ...found }]))
  })

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Search", (it) => {
  it.effect("SRCH-2 SRCH-3 SRCH-4 SRCH-5 words find files, signs mean nothing", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const given = [
        "vacation_2024.jpg",
        "Straße (1).png",
        "東京旅行写真.heic",
        "it's \\ \"q\" & a|b !c.txt",
        "myIPhone.mov"
      ]
      for (const fileName of given) {
        yield* addFile(me, { fileName })
        assert.deepStrictEqual(yield* names(me, { text: fileName }), [fileName])
      }
      const found = (text: string) => names(me, { text })
      assert.deepStrictEqual(yield* found("VACA 20"), ["vacation_2024.jpg"])
      assert.deepStrictEqual(yield* found("strasse"), ["Straße (1).png"])
      assert.deepStrictEqual(yield* found("京旅"), ["東京旅行写真.heic"])
      assert.deepStrictEqual(yield* found("写真 東"), ["東京旅行写真.heic"])
      assert.deepStrictEqual(yield* found("iphone"), ["myIPhone.mov"])
      assert.deepStrictEqual(yield* found("vacation | strasse"), [])
      assert.deepStrictEqual(yield* found("!vacation"), ["vacation_2024.jpg"])
      assert.deepStrictEqual(yield* found("acation"), [])
      for (const text of ["", " -_. ", "'", "\\", "&|!():*<->", "😀", "') OR ('1'='1".replace(/[A-Z0-9]/g, "")]) {
        assert.strictEqual((yield* found(text)).length, given.length, text)
      }
      for (
        const text of ["'; DROP TABLE files; --", "zz:* | vacation", "\\' OR 1", "\u0001\u001fzz", "x".repeat(1_000)]
      ) {
        assert.deepStrictEqual(yield* found(text), [], text)
      }
    }))

  it.effect("SRCH-2 words may be in any searched field, and in different ones", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const song = yield* addFile(me, { fileName: "01.mp3", type: "Audio" })
      yield* addFile(me, { fileName: "02.mp3", type: "Audio" })
      yield* addTag(me, "Live Set", [song])
      yield* facts(me, song, { title: "Blue", artists: ["Anna", "Ólafur"], album: "Sea", genre: "Ambient" })
      for (const text of ["blue", "anna", "olaf", "sea", "amb", "live", "01 blue anna olafur sea ambient set mp3"]) {
        assert.deepStrictEqual(yield* names(me, { text }), ["01.mp3"], text)
      }
      assert.deepStrictEqual(yield* names(me, { text: "blue 02" }), [])
    }))

  it.effect("SRCH-8 what is in trash, a derivative or another's is not found", () =>
    Effect.gen(function*() {
      const [me, other] = [yield* newAccount, yield* newAccount]
      const trash = yield* Trash
      const id = yield* addFile(me, { fileName: "mine.txt" })
      yield* addDerivative(me, id)
      yield* addFile(other, { fileName: "mine.txt" })
      assert.deepStrictEqual(yield* names(me, {}), ["mine.txt"])
      assert.deepStrictEqual(yield* names(me, { text: "mine" }), ["mine.txt"])
      yield* trash.put([id]).pipe(as(me))
      assert.deepStrictEqual(yield* names(me, {}), [])
      yield* trash.restore([id]).pipe(as(me))
      assert.deepStrictEqual(yield* names(me, { text: "mine" }), ["mine.txt"])
    }))

  it.effect("SRCH-10 a box may cross the antimeridian, and 180 is one meridian", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const places = {
        paris: [48.9, 2.3],
        suva: [-18.1, 178.4],
        apia: [-13.8, -171.7],
        line: [-16.5, -180],
        nowhere: null
      }
      for (const [fileName, at] of Object.entries(places)) {
        const id = yield* addFile(me, { fileName })
        if (at !== null) yield* facts(me, id, { latitude: at[0], longitude: at[1] })
      }
      const found = (south: number, west: number, north: number, east: number) =>
        names(me, { within: { south, west, north, east }, sort: "name" })
      assert.deepStrictEqual(yield* found(-25, 170, -10, -165), ["apia", "line", "suva"])
      assert.deepStrictEqual(yield* found(-90, -180, 90, 180), ["apia", "line", "paris", "suva"])
      assert.deepStrictEqual(yield* found(-20, 178, -10, 180), ["line", "suva"])
      assert.deepStrictEqual(yield* found(-20, -180, -10, -170), ["apia", "line"])
      assert.deepStrictEqual(yield* found(48, 2, 49, 3), ["paris"])
      assert.deepStrictEqual(yield* found(49, 2, 48, 3), [])
    }))

  it.effect("SRCH-11 a folder includes what is inside, in any case", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const [a, ab] = [yield* addFolder(me, "/Ämter"), yield* addFolder(me, "/Ämter/B")]
      yield* addFolder(me, "/Ämter2")
      yield* addFile(me, { fileName: "top" })
      yield* addFile(me, { fileName: "in", folderId: a })
      yield* addFile(me, { fileName: "inside", folderId: ab })
      const found = (folder: string, limit: FolderId | null = null) =>
        names(me, { folder: folder, sort: "name" }, limit)
      assert.deepStrictEqual(yield* found("/"), ["in", "inside", "top"])
      assert.deepStrictEqual(yield* found("/äMTER/"), ["in", "inside"])
      assert.deepStrictEqual(yield* found("/Ämter/b"), ["inside"])
      assert.deepStrictEqual(yield* found("/Ämter2"), [])
      assert.deepStrictEqual(yield* found("/unknown"), [])
      // SRCH-19
      assert.deepStrictEqual(yield* found("/", ab), ["inside"])
      assert.deepStrictEqual(yield* found("/Ämter", ab), ["inside"])
      assert.deepStrictEqual(yield* found("/Ämter2", ab), [])
    }))

  it.effect("SRCH-7 a folder that goes elsewhere takes along what is found in it", () =>
    Effect.gen(function*() {
      const { move } = yield* FolderTree
      const me = yield* newAccount
      const [from, to] = [yield* addFolder(me, "/From"), yield* addFolder(me, "/To")]
      yield* addFile(me, { fileName: "one beach", folderId: from })
      yield* addFile(me, { fileName: "two beach", folderId: to })
      yield* move(from, { id: to }, "toFolderId").pipe(as(me))
      for (const text of ["", "beach"]) {
        const found = (folder: string, limit: FolderId | null = null) =>
          names(me, { folder: folder, text, sort: "name" }, limit)
        assert.deepStrictEqual(yield* found("/From"), [])
        assert.deepStrictEqual(yield* found("/To"), ["one beach", "two beach"])
        assert.deepStrictEqual(yield* found("/to/from"), ["one beach"])
        assert.deepStrictEqual(yield* found("/", to), ["one beach", "two beach"])
        assert.deepStrictEqual(yield* found("/To", from), ["one beach"])
      }
    }))

  it.effect("SRCH-12 a file must carry every tag, in any case", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const [a, b] = [yield* addFile(me, { fileName: "a" }), yield* addFile(me, { fileName: "b" })]
      yield* addTag(me, "Sea", [a, b])
      yield* addTag(me, "Sun", [a])
      for (const id of [a, b]) yield* facts(me, id, {})
      const found = (...tags: ReadonlyArray<string>) => names(me, { tags, sort: "name" })
      assert.deepStrictEqual(yield* found("SEA"), ["a", "b"])
      assert.deepStrictEqual(yield* found("sea", " Sun ", "SUN"), ["a"])
      assert.deepStrictEqual(yield* found("sea", "moon"), [])
      assert.deepStrictEqual(yield* found(), ["a", "b"])
    }))

  it.effect("SRCH-13 SRCH-14 keys in any spelling, tempo as measured or else as tagged", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const tracks = { am: { key: 19, tempo: 120, taggedTempo: 60 }, a: { key: 18, taggedTempo: 90 }, none: {} }
      for (const [fileName, found] of Object.entries(tracks)) {
        yield* facts(me, yield* addFile(me, { fileName, type: "Audio" }), found)
      }
      const found = (query: Checked.Search) => names(me, { ...query, sort: "name" })
      for (const key of ["Am", "A minor", "a MIN"]) assert.deepStrictEqual(yield* found({ key }), ["am"])
      assert.deepStrictEqual(yield* found({ key: "A" }), ["a", "am"])
      assert.deepStrictEqual(yield* found({ key: "A major" }), ["a"])
      assert.deepStrictEqual(yield* found({ minTempo: 90, maxTempo: 120 }), ["a", "am"])
      assert.deepStrictEqual(yield* found({ maxTempo: 60 }), [])
      assert.deepStrictEqual(yield* found({ minTempo: 100, maxTempo: 90 }), [])
      for (const wrong of [{ key: "X" }, { folder: "a" }]) assert.throws(() => Checked.search(wrong))
    }))

  it.effect("SRCH-15 times from and before are half open, to the millisecond; sizes and durations are inclusive", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const start = yield* DateTime.now
      const at = (millis: number) => DateTime.add(start, { milliseconds: millis })
      for (const [fileName, sizeBytes] of [["a", 1], ["b", 2], ["c", 3]] as const) {
        const taken = {
          takenTime: DateTime.toDateUtc(DateTime.add(at(0), { seconds: sizeBytes })),
          duration: sizeBytes / 2
        }
        yield* facts(me, yield* addFile(me, { fileName, sizeBytes }), taken)
        yield* TestClock.adjust("1 millis")
      }
      const found = (query: Checked.Search) => names(me, { ...query, sort: "oldest" })
      assert.deepStrictEqual(yield* found({ uploadedAfter: at(1) }), ["b", "c"])
      assert.deepStrictEqual(yield* found({ uploadedBefore: at(1) }), ["a"])
      assert.deepStrictEqual(yield* found({ uploadedAfter: at(1), uploadedBefore: at(2), sort: "name" }), ["b"])
      assert.deepStrictEqual(yield* found({ takenAfter: at(2_000) }), ["b", "c"])
      assert.deepStrictEqual(yield* found({ takenAfter: at(1_000), takenBefore: at(2_000) }), ["a"])
      assert.deepStrictEqual(yield* found({ minSize: 2, maxSize: 2 }), ["b"])
      assert.deepStrictEqual(yield* found({ maxSize: 2 ** 63 }), ["a", "b", "c"])
      assert.deepStrictEqual(yield* found({ minDuration: 1, maxDuration: 1.5 }), ["b", "c"])
    }))

  it.effect("SRCH-16 SRCH-17 types, access and every order", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      for (
        const [fileName, type, sizeBytes] of [["B2", "Video", 30], ["b10", "Image", 10], ["a", "Image", 20]] as const
      ) {
        yield* addFile(me, { fileName, type, sizeBytes })
        yield* TestClock.adjust("1 second")
      }
      assert.deepStrictEqual(yield* names(me, {}), ["a", "b10", "B2"])
      assert.deepStrictEqual(yield* names(me, { sort: "oldest" }), ["B2", "b10", "a"])
      assert.deepStrictEqual(yield* names(me, { sort: "largest" }), ["B2", "a", "b10"])
      assert.deepStrictEqual(yield* names(me, { sort: "smallest" }), ["b10", "a", "B2"])
      assert.deepStrictEqual(yield* names(me, { sort: "name" }), ["a", "B2", "b10"])
      assert.deepStrictEqual(yield* names(me, { type: "Image" }), ["a", "b10"])
      assert.deepStrictEqual(yield* names(me, { types: ["Image", "Audio"] }), ["a", "b10"])
      assert.deepStrictEqual(yield* names(me, { types: ["Image", "Video"], type: "Video" }), ["B2"])
      assert.deepStrictEqual(yield* names(me, { types: ["Image"], type: "Video" }), [])
      assert.deepStrictEqual(yield* names(me, { types: [] }), ["a", "b10", "B2"])
      assert.deepStrictEqual(yield* names(me, { isPublic: true }), [])
      assert.deepStrictEqual(yield* names(me, { isPublic: false, limit: 1 }), ["a"])
    }))

  it.effect("SRCH-19 a token that may not read finds nothing, one limited to a folder what is in it", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const { search } = yield* Search
      const folderId = yield* addFolder(me, "/A")
      const files = yield* Files
      const id = yield* addFile(me, { fileName: "moves" })
      assert.deepStrictEqual(yield* names(me, {}, folderId), [])
      yield* (yield* AccountTransaction).run(me, () => files.move(me, [id], folderId))
      assert.deepStrictEqual(yield* names(me, { text: "move" }, folderId), ["moves"])
      const refused = yield* search(Checked.search({})).pipe(as(me, { permissions: ["add"] }), Effect.flip)
      assert.strictEqual(refused._tag, "Refused")
    }))
})
