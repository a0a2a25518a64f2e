import { assert, describe, it, layer as testLayer } from "@effect/vitest"
import { TestDatabase, TestMediaTools } from "@filedrive/testing"
import { Effect, Schema, Stream } from "effect"
import * as fc from "fast-check"
import { as, layer, newAccount } from "../../test/FilesTest.ts"
import { add, extracted, track } from "../../test/MediaTest.ts"
import { FileRecord } from "../files/FileRecord.ts"
import { Library } from "../library/Library.ts"
import { noFacts, noSound, type ProbeResult, type Sound } from "../ports/MediaTools.ts"
import * as ToolFacts from "./ToolFacts.ts"

const facts = (some: Partial<ProbeResult>) => ToolFacts.stored({ ...noFacts, ...some }, null)
const heard = (some: Partial<Sound>): Sound => ({ ...noSound, ...some })

describe("ToolFacts", () => {
  it("HOSTILE-60 what is written in a file is cut where it is longer than any title", () => {
    const long = `a${"\u0301\u0316".repeat(500_000)}`
    const { artists, title } = facts({ title: long, artists: Array.from({ length: 1_000 }, (_, n) => `${n} ${long}`) })
    assert.lengthOf(title!, 1_000)
    assert.deepStrictEqual(artists!.map(({ length }) => length), Array.from({ length: 100 }, () => 1_000))
  })

  it("MEDIA-68 what is written holds no control characters and nothing that turns the direction of a line", () => {
    const title = "\u0000A\u0007 title\u001b[31m of\r\ntwo\u009f lines \u202egpj.exe\u2069\ud800"
    const found = facts({
      title,
      artists: ["\u0001", "One\u000bTwo"],
      album: "\u202e",
      camera: "Cam\u007fera",
      genre: "👩‍👩‍👧 é"
    })
    assert.deepInclude(found, {
      title: "A  title [31m of two  lines gpj.exe",
      artists: ["One Two"],
      album: null,
      camera: "Cam era",
      genre: "👩‍👩‍👧 é"
    })
  })

  it("MEDIA-3 what was measured wins over what the tags say", () => {
    const tagged = { ...noFacts, taggedTempo: 120, taggedKey: "C" }
    const both = ToolFacts.stored(tagged, heard({ tempo: 128, key: "Am" }))
    assert.deepInclude(both, { tempo: 128, taggedTempo: 120, key: 19 })
    assert.deepInclude(ToolFacts.stored(tagged, heard({})), { tempo: null, taggedTempo: 120, key: 0 })
    assert.deepInclude(ToolFacts.stored(null, heard({ tempo: 90 })), { tempo: 90, key: null })
  })

  it.each(
    [
      ["durationSeconds", -1, "duration"],
      ["durationSeconds", Infinity, "duration"],
      ["durationSeconds", NaN, "duration"],
      ["taggedTempo", 0, "taggedTempo"],
      ["taggedTempo", 99_999, "taggedTempo"],
      ["width", 0, "width"],
      ["height", 2 ** 31, "height"],
      ["takenTime", "0000:00:00 00:00:00", "takenTime"],
      ["takenTime", "+040000-01-01T00:00:00Z", "takenTime"],
      ["takenTime", "-000001-01-01T00:00:00Z", "takenTime"],
      ["location", { latitude: 90.1, longitude: 0 }, "latitude"],
      ["location", { latitude: NaN, longitude: 0 }, "longitude"],
      ["title", " ", "title"]
    ] as const
  )("MEDIA-4 a %s of %j was not found", (field, value, column) => {
    assert.isNull(facts({ [field]: value })[column])
  })

  it("MEDIA-91 the coordinates 0, 0 are no place", () => {
    for (const zero of [0, -0]) {
      assert.deepInclude(facts({ location: { latitude: 0, longitude: zero } }), { latitude: null, longitude: null })
    }
    assert.deepInclude(facts({ location: { latitude: 0, longitude: 6.7 } }), { latitude: 0, longitude: 6.7 })
  })

  it("MEDIA-4 the widest there is was found", () => {
    const found = facts({
      durationSeconds: 0,
      width: 2 ** 31 - 1,
      height: 1.4,
      takenTime: "9999-12-31T23:59:59.999Z",
      location: { latitude: -90, longitude: 180 }
    })
    assert.deepInclude(found, { duration: 0, width: 2 ** 31 - 1, height: 1, latitude: -90, longitude: 180 })
    assert.strictEqual(found.takenTime?.toISOString(), "9999-12-31T23:59:59.999Z")
  })
})

testLayer(layer(TestDatabase.layer))("ToolFacts in the database", (it) => {
  it.effect("MEDIA-4 whatever tools find, it is recorded or left out", () =>
    Effect.gen(function*() {
      const library = yield* Library
      const tools = yield* TestMediaTools
      const me = yield* newAccount
      const number = fc.option(fc.oneof(fc.double(), fc.integer(), fc.constantFrom(1e300, -1e300, Infinity, -0)))
      const text = fc.option(
        fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\0", "\ud800", "x".repeat(5_000)))
      )
      const time = fc.option(fc.oneof(
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        fc.string()
      ))
      const any = fc.record({
        title: text,
        artists: fc.array(text.map((artist) => artist ?? "")),
        album: text,
        genre: text,
        durationSeconds: number,
        taggedTempo: number,
        taggedKey: text,
        width: number,
        height: number,
        takenTime: time,
        location: fc.option(fc.record({ latitude: fc.double(), longitude: fc.double() })),
        camera: text
      })
      const sound = fc.record({ tempo: number, key: text })
      const samples = fc.sample(fc.tuple(any, sound), 30)
      for (const [at, [found, heard]] of samples.entries()) {
        yield* tools.say(`any ${at}.mp3`, { facts: found, sound: heard })
        yield* add(me, `any ${at}.mp3`, track)
      }
      yield* extracted
      for (const record of (yield* library.list("files").pipe(as(me), Effect.flatMap(Stream.runCollect))).flat()) {
        assert.strictEqual(record.metadataStatus, "done")
        yield* Schema.decodeUnknownEffect(FileRecord)(JSON.parse(JSON.stringify(record)))
      }
    }))
})
