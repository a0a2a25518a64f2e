import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { DateTime, Effect } from "effect"
import * as fc from "fast-check"
import * as Checked from "../../test/Checked.ts"
import { addFolder, as, layer, newAccount } from "../../test/FilesTest.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Catalog } from "../catalog/Catalog.ts"
import { Database } from "../database/Database.ts"
import * as NameKey from "../docindex/NameKey.ts"
import { MediaFacts } from "../files/MediaFacts.ts"
import type { FileType } from "../shared/FileType.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { Search } from "./Search.ts"
import { sorts } from "./SearchQuery.ts"

const words = ["beach", "beacon", "sun", "sunset", "Straße", "img", "2024"]
const types: ReadonlyArray<FileType> = ["Video", "Audio", "Image"]
const paths = ["/A", "/A/B", "/A/B/C", "/AB"]
const tags = ["Sea", "Sun"]
const day = 86_400_000
const start = Date.UTC(2024, 0, 1)
const time = (at: number) => DateTime.makeUnsafe(start + at * day)

interface Model {
  readonly id: FileId
  readonly fileName: string
  readonly type: FileType
  readonly size: number
  readonly isPublic: boolean
  readonly path: string | null
  readonly tags: ReadonlyArray<string>
  readonly insertDay: number
  readonly takenDay: number | null
  readonly duration: number | null
  readonly tempo: number | null
  readonly key: number | null
  readonly at: readonly [number, number] | null
}

const small = fc.nat(9)
const maybe = <A>(value: fc.Arbitrary<A>) => fc.option(value, { freq: 2 })
const file: fc.Arbitrary<Omit<Model, "id">> = fc.record({
  fileName: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((some) => some.join(" ")),
  type: fc.constantFrom(...types),
  size: small,
  isPublic: fc.boolean(),
  path: maybe(fc.constantFrom(...paths)),
  tags: fc.subarray(tags),
  insertDay: small,
  takenDay: maybe(small),
  duration: maybe(small),
  tempo: maybe(small),
  key: maybe(fc.nat(3)),
  at: maybe(fc.tuple(fc.integer({ min: -90, max: 90 }), fc.integer({ min: -180, max: 180 })))
})

const degrees = (most: number) => fc.integer({ min: -most, max: most })
const field = <A>(value: fc.Arbitrary<A>) => fc.option(value, { nil: undefined, freq: 1 })
const query: fc.Arbitrary<Checked.Search> = fc.record({
  text: field(
    fc.array(fc.constantFrom("bea", "SUN", "strasse", "img", "20", "sunset", "zz"), { minLength: 1, maxLength: 2 })
      .map((some) => some.join("-"))
  ),
  types: field(fc.subarray([...types])),
  tags: field(fc.subarray(["SEA", "sun"])),
  folder: field(fc.constantFrom("/", "/a", "/a/b", "/Ab")),
  isPublic: field(fc.boolean()),
  uploadedAfter: field(small.map(time)),
  uploadedBefore: field(small.map(time)),
  takenAfter: field(small.map(time)),
  takenBefore: field(small.map(time)),
  minDuration: field(small),
  maxDuration: field(small),
  minSize: field(small),
  maxSize: field(small),
  minTempo: field(small),
  maxTempo: field(small),
  key: field(fc.constantFrom("C", "Cm", "C# major", "Db")),
  within: field(fc.record({ south: degrees(90), west: degrees(180), north: degrees(90), east: degrees(180) })),
  sort: fc.constantFrom(...sorts)
}).chain((all) =>
  // A few fields at a time: all of them together hardly ever find anything.
  fc.subarray(Object.keys(all) as Array<keyof typeof all>, { maxLength: 5 }).map((some): Checked.Search =>
    Object.fromEntries(some.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]))
  )
)

/** The same said in plain words. */
const passes = (one: Model, query: Checked.Search): boolean => {
  const inside = (value: number | null, least: number | undefined, most: number | undefined) =>
    (least === undefined && most === undefined)
    || (value !== null && (least === undefined || value >= least) && (most === undefined || value <= most))
  const during = (at: number | null, after: DateTime.Utc | undefined, before: DateTime.Utc | undefined) => {
    const millis = at === null ? null : start + at * day
    return (after === undefined && before === undefined)
      || (millis !== null && (after === undefined || millis >= DateTime.toEpochMillis(after))
        && (before === undefined || millis < DateTime.toEpochMillis(before)))
  }
  const folder = query.folder === undefined || query.folder === "/" ? null : query.folder.toLowerCase()
  const path = one.path?.toLowerCase()
  const folded = one.fileName.toLowerCase().replace("ß", "ss").split(" ")
  const box = query.within
  const pitch = { C: [0, 1], Cm: [1], "C# major": [2], Db: [2, 3] }[query.key ?? ""]
  const meridian = (longitude: number) => {
    const { east, west } = box!
    const between = (degrees: number) =>
      west <= east ? degrees >= west && degrees <= east : degrees >= west || degrees <= east
    return between(longitude) || (Math.abs(longitude) === 180 && between(-longitude))
  }
  return (query.text ?? "").toLowerCase().split("-").every((start) => folded.some((word) => word.startsWith(start)))
    && (query.types === undefined || query.types.length === 0 || query.types.includes(one.type))
    && (query.tags ?? []).every((tag) => one.tags.some((its) => its.toLowerCase() === tag.toLowerCase()))
    && (folder === null || path === folder || path?.startsWith(`${folder}/`) === true)
    && (query.isPublic === undefined || query.isPublic === one.isPublic)
    && during(one.insertDay, query.uploadedAfter, query.uploadedBefore)
    && during(one.takenDay, query.takenAfter, query.takenBefore)
    && inside(one.duration, query.minDuration, query.maxDuration)
    && inside(one.size, query.minSize, query.maxSize)
    && inside(one.tempo, query.minTempo, query.maxTempo)
    && (pitch === undefined || (one.key !== null && pitch.includes(one.key)))
    && (box === undefined
      || (one.at !== null && one.at[0] >= box.south && one.at[0] <= box.north && meridian(one.at[1])))
}

const compare = (a: string | number, b: string | number) => a < b ? -1 : a > b ? 1 : 0
const order = {
  newest: (a: Model, b: Model) => compare(b.insertDay, a.insertDay) || compare(b.id, a.id),
  oldest: (a: Model, b: Model) => compare(a.insertDay, b.insertDay) || compare(a.id, b.id),
  largest: (a: Model, b: Model) => compare(b.size, a.size) || compare(b.id, a.id),
  smallest: (a: Model, b: Model) => compare(a.size, b.size) || compare(a.id, b.id),
  name: (a: Model, b: Model) => compare(NameKey.of(a.fileName), NameKey.of(b.fileName)) || compare(a.id, b.id)
}

const store = Effect.fnUntraced(function*(me: AccountId, models: ReadonlyArray<Omit<Model, "id">>) {
  const { sql, tables: t } = yield* Database
  const media = yield* MediaFacts
  const catalog = yield* Catalog
  for (const path of paths) yield* addFolder(me, path)
  for (const tag of tags) {
    yield* sql`
      INSERT INTO ${t.tags} (id, account_id, text, folded, insert_time)
      VALUES (gen_random_uuid(), ${me}, ${tag}, ${tag.toLowerCase()}, '2024-01-01')
    `
  }
  return yield* (yield* AccountTransaction).run(me, () =>
    Effect.forEach(models, (model, at) =>
      Effect.gen(function*() {
        const [{ id }] = (yield* sql<{ readonly id: FileId }>`
          INSERT INTO ${t.files} (id, account_id, folder_id, type, file_name, mime_type, size, object_key, is_public,
            store_key, etag, insert_time)
          VALUES (gen_random_uuid(), ${me},
            (SELECT id FROM ${t.folders} WHERE account_id = ${me} AND path = ${model.path}::text),
            ${model.type}, ${model.fileName}, '', ${model.size}::bigint, ${`${at}`}, ${model.isPublic},
            ${`${me}/${at}`}, '', ${new Date(start + model.insertDay * day)})
          RETURNING id
        `) as [{ readonly id: FileId }]
        yield* sql`
          INSERT INTO ${t.file_tags} (file_id, tag_id)
          SELECT ${id}, id FROM ${t.tags} WHERE account_id = ${me} AND text = ANY(${model.tags}::text[])
        `
        yield* catalog.onAdded(me, [id])
        yield* media.replace(me, [{
          fileId: id,
          takenTime: model.takenDay === null ? null : DateTime.toDateUtc(time(model.takenDay)),
          duration: model.duration,
          tempo: at % 2 === 0 ? model.tempo : null,
          taggedTempo: at % 2 === 0 ? 99 : model.tempo,
          key: model.key,
          latitude: model.at?.[0] ?? null,
          longitude: model.at?.[1] ?? null
        }])
        // A tag's tempo counts only where none was measured.
        return { ...model, id, tempo: at % 2 === 0 && model.tempo === null ? 99 : model.tempo }
      })))
})

testLayer(layer(TestDatabase.layer), { timeout: "120 seconds" })("Search, any filters together", (it) => {
  it.effect(
    "SRCH-9 SRCH-10 SRCH-11 SRCH-12 SRCH-14 SRCH-15 SRCH-17 exactly what passes is found, in order",
    () =>
      Effect.gen(function*() {
        const { search } = yield* Search
        const me = yield* newAccount
        const models = yield* store(me, fc.sample(file, { numRuns: 60, seed: 7 }))
        let met = 0
        for (const given of fc.sample(query, { numRuns: 150, seed: 11 })) {
          const expected = models.filter((one) => passes(one, given)).sort(order[given.sort ?? "newest"]).map((
            { id }
          ) => id)
          const found = (yield* search(Checked.search({ ...given, limit: 200 })).pipe(as(me))).files.map(({ id }) => id)
          assert.deepStrictEqual(found, expected, JSON.stringify(given))
          met += found.length
        }
        assert.isAbove(met, 300)
      }),
    120_000
  )

  it.effect("SRCH-5 no text breaks out of its parameter, and each finds only what holds its words", () =>
    Effect.gen(function*() {
      const { search } = yield* Search
      const me = yield* newAccount
      yield* store(me, fc.sample(file, { numRuns: 5, seed: 3 }))
      const sign = fc.constantFrom(..."'\"\\&|!:*<>()%_;-$`^\u0001\t\n \u00a0​a1é漢ß😀")
      for (
        const text of fc.sample(
          fc.string({ unit: fc.oneof(sign, fc.string({ unit: "binary", minLength: 1, maxLength: 1 })), maxLength: 50 }),
          200
        )
      ) {
        const storable = text.toWellFormed().replaceAll("\u0000", "")
        const { files } = yield* search(Checked.search({ text: storable, tags: [], folder: "/" })).pipe(as(me))
        assert.isAtMost(files.length, 5)
        assert.deepStrictEqual((yield* search(Checked.search({ tags: [storable || "x"] })).pipe(as(me))).files, [])
      }
      assert.lengthOf((yield* search(Checked.search({})).pipe(as(me))).files, 5)
    }))
})
