import { assert, describe, it, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Option } from "effect"
import * as Checked from "../../test/Checked.ts"
import { addFile, layer, newAccount } from "../../test/FilesTest.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Database } from "../database/Database.ts"
import { Files } from "../files/Files.ts"
import { MediaFacts } from "../files/MediaFacts.ts"
import * as FileMedia from "./FileMedia.ts"
import * as MediaColumns from "./MediaColumns.ts"
import { facts, type FactValues, unknown } from "./MediaFact.ts"
import * as SearchFacts from "./SearchFacts.ts"
import * as ToolFacts from "./ToolFacts.ts"

/** A value of each kind of column, that no other column of it has. */
const valueOf = ({ name, sqlType }: MediaColumns.MediaColumn, at: number) => {
  switch (sqlType) {
    case "text":
      return `${name} é "\\ {},`
    case "text[]":
      return [`${name} 1`, "\"NULL\", {}", ""]
    case "timestamptz":
      return new Date(at * 1_000)
    default:
      return at
  }
}

const values: FactValues = {
  ...unknown,
  ...Object.fromEntries(MediaColumns.columns.map((one, at) => [one.name, valueOf(one, at)]))
}

/** What clients read. A fact that is added stands anywhere among them. */
const shownBefore: Readonly<Record<"Audio" | "Video" | "Image", ReadonlyArray<string>>> = {
  Audio: ["title", "artists", "album", "genre", "duration", "tempo", "key", "coverId"],
  Video: ["title", "duration", "width", "height", "recordedTime", "location", "thumbnailId"],
  Image: ["title", "width", "height", "takenTime", "location", "camera"]
}

describe("MediaFact", () => {
  it("MEDIA-2 each fact has a name and a column of its own, and an example where a record shows it", () => {
    assert.strictEqual(new Set(facts.map(({ name }) => name)).size, facts.length)
    assert.strictEqual(new Set(facts.map(({ column }) => column)).size, facts.length)
    for (const { example, name, shown } of facts) {
      assert.strictEqual(example !== undefined, Object.keys(shown).length > 0, name)
    }
  })

  it("MEDIA-2 nothing found is no fact, and nothing to find a file by", () => {
    assert.deepStrictEqual(ToolFacts.stored(null, null), unknown)
    assert.deepStrictEqual(ToolFacts.stored(ToolFacts.nothingProbed, ToolFacts.nothingHeard), unknown)
    assert.deepStrictEqual(SearchFacts.texts(unknown), [])
    assert.isTrue(Object.values(SearchFacts.numbers(unknown)).every((number) => number === null))
  })

  it.each<[keyof typeof shownBefore]>([["Audio"], ["Video"], ["Image"]])(
    "MEDIA-2 %s keeps the names and the order that its media has in the documentation",
    (type) => {
      const names = Object.keys(FileMedia.shown({ ...values, hasMedia: true, type }, null)!)
      assert.deepStrictEqual(names.filter((name) => shownBefore[type].includes(name)), shownBefore[type])
    }
  )

  it("MEDIA-2 a record shows what was found by its type, and no more than its schema says", () => {
    const found = { ...values, hasMedia: true }
    for (const [at, type] of (["Audio", "Video", "Image"] as const).entries()) {
      const names = Object.keys(FileMedia.Media.members[at]!.fields)
      assert.deepStrictEqual(Object.keys(FileMedia.shown({ ...found, type }, null)!), names)
    }
    assert.isNull(FileMedia.shown({ ...found, type: "Text" }, null))
  })
})

testLayer(layer(TestDatabase.layer))("MediaFact in the database", (it) => {
  it.effect("MEDIA-2 each fact has its column: a migration adds those of new ones", () =>
    Effect.gen(function*() {
      const { schema, sql } = yield* Database
      const columns = yield* sql<{ readonly column: string; readonly sqlType: string }>`
        SELECT a.attname AS column, format_type(a.atttypid, NULL)::text AS "sqlType" FROM pg_attribute a
        WHERE a.attrelid = ${`${schema}.file_media`}::regclass AND a.attnum > 0 AND NOT a.attisdropped
          AND a.attname NOT IN ('file_id', 'account_id')
      `
      const named: Readonly<Record<string, string>> = {
        "double precision": "float8",
        integer: "int",
        "timestamp with time zone": "timestamptz"
      }
      assert.sameDeepMembers(
        columns.map(({ column, sqlType }) => ({ column, sqlType: named[sqlType] ?? sqlType })),
        facts.map(({ column, sqlType }) => ({ column, sqlType: String(sqlType) }))
      )
    }))

  it.effect("MEDIA-2 each fact is read as it was recorded, the first time and in place of another", () =>
    Effect.gen(function*() {
      const [files, media, transaction] = [yield* Files, yield* MediaFacts, yield* AccountTransaction]
      const me = yield* newAccount
      const objectKey = Checked.objectKey(`users/${me}/track`)
      const id = yield* addFile(me, { objectKey })
      for (const recorded of [values, unknown, values]) {
        yield* transaction.run(me, () => media.replace(me, [{ fileId: id, ...recorded }]))
        const file = Option.getOrThrow(yield* files.findByObjectKey(me, objectKey))
        for (const { name } of facts) assert.deepStrictEqual(file[name], recorded[name], name)
        assert.isTrue(file.hasMedia)
      }
    }))
})
