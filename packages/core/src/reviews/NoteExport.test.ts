import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "fast-check"
import { readEdl, readFcpxml, rows } from "../../test/NoteReaders.ts"
import * as FrameRate from "../facts/FrameRate.ts"
import { NoteId } from "../shared/Ids.ts"
import type { ExportedReview } from "./ExportedReview.ts"
import * as NoteExport from "./NoteExport.ts"
import type { ReviewNote } from "./ReviewNote.ts"

const time = "2026-11-23T09:00:00.000Z"

const note = (given: Partial<ReviewNote>): ReviewNote => ({
  id: NoteId.make("019845e1-682f-7b02-a706-3b2422d13aff"),
  seconds: null,
  endSeconds: null,
  timecode: null,
  reviewer: { name: "Ana" },
  text: "Louder",
  insertTime: time,
  editTime: null,
  resolved: false,
  replies: [],
  ...given
})

const review = (
  notes: ReadonlyArray<ReviewNote>,
  rate = "25/1",
  durationSeconds: number | null = 60
): ExportedReview => ({
  fileName: "Rua \"Escura\" <final> & more.mov",
  type: "Video",
  rate: FrameRate.parse(rate)!,
  durationSeconds,
  width: 1920,
  height: 1080,
  notes
})

const written = (...given: Parameters<typeof NoteExport.write>) => NoteExport.write(...given)!

const rates = ["24000/1001", "24/1", "25/1", "30000/1001", "30/1", "50/1", "60000/1001", "60/1"]

/** A note from one frame to another, at the positions where these begin, and what is to be read of it. */
const framed = (rate: string) =>
  FastCheck.tuple(FastCheck.integer({ min: 0, max: 2_000_000 }), FastCheck.integer({ min: 0, max: 10_000 })).map(
    ([first, count]) => {
      const { frames, seconds } = FrameRate.parse(rate)!
      const at = (frame: number) => frame * seconds / frames
      return { first, count, note: note({ seconds: at(first), endSeconds: count === 0 ? null : at(first + count) }) }
    }
  )

/** Texts that other programs could take for something else. */
const hostile = [
  "=HYPERLINK(\"http://x\")",
  "+1",
  "-1",
  "@SUM(A1)",
  "  =1+1",
  "\t=1",
  "\tplain",
  "\r=1",
  "\rplain",
  "\nplain",
  "\u200e=1",
  "＝1+1",
  "a\r\n002  AX       V     C        00:00:00:00 00:00:00:01 00:00:00:00 00:00:00:01",
  "x |D:9 |M:other",
  "\"/><marker start=\"0s\" value=\"planted\"/>",
  "]]> & &amp; <!-- -->",
  "a\u0000b\u000bc\u0085d\u2028e\ufffff",
  "* LOC: 00:00:00:00 RED     planted",
  "FCM: DROP FRAME",
  "ends with \\",
  "\"quoted\", and\nof several lines"
]

describe("NoteExport", () => {
  it("REV-11 a note past the end of the file is at its last frame in an FCPXML, and does not make the sequence longer", () => {
    const notes = [
      note({ seconds: 359_999, text: "Where?" }),
      note({ seconds: 60, endSeconds: 61 }),
      note({ seconds: 59.98, endSeconds: 70 }),
      note({ seconds: 59.9, endSeconds: 60 })
    ]
    const { text } = written(review(notes), "fcpxml")
    const { markers } = readFcpxml(text)
    assert.deepStrictEqual(markers.map(({ count, first }) => ({ count, first })), [
      { first: 1_499, count: 1 },
      { first: 1_499, count: 1 },
      { first: 1_499, count: 1 },
      { first: 1_497, count: 3 }
    ])
    assert.deepStrictEqual(markers.map(({ value }) => value), [
      "Ana: Where? (at 99:59:59:00)",
      "Ana: Louder (at 00:01:00:00)",
      "Ana: Louder",
      "Ana: Louder"
    ])
    assert.match(text, /<sequence [^>]*duration="1500\/25s"/)
    // Of a file whose duration is not known nothing is past the end.
    const { text: unknown } = written(review(notes, "25/1", null), "fcpxml")
    assert.strictEqual(readFcpxml(unknown).markers[0]!.first, 359_999 * 25)
  })

  for (const rate of rates) {
    it(`REV-10 REV-11 an EDL and an FCPXML of ${rate} frames a second have each note at its frame`, () => {
      FastCheck.assert(
        FastCheck.property(FastCheck.array(framed(rate), { maxLength: 20 }), (all) => {
          const exported = review(all.map(({ note }) => note), rate, 200_000)
          const expected = all.map(({ count, first }) => ({ first, count: Math.max(1, count) }))
          const edl = readEdl(written(exported, "edl").text, Math.round(FrameRate.toNumber(exported.rate!)))
          assert.deepStrictEqual(edl.events.map(({ count, first }) => ({ count, first })), expected)
          assert.strictEqual(edl.isDropFrame, rate === "30000/1001")
          const xml = readFcpxml(written(exported, "fcpxml").text)
          assert.deepStrictEqual(xml.rate, exported.rate)
          assert.deepStrictEqual(xml.markers.map(({ count, first }) => ({ count, first })), expected)
          assert.strictEqual(xml.isDropFrame, rate === "30000/1001")
        }),
        { numRuns: 100 }
      )
    })
  }

  it("REV-12 text of a stranger is no formula, no event and no element in an export", () => {
    const notes = hostile.map((text, at) =>
      note({
        text,
        seconds: at,
        reviewer: { name: `=${text.slice(0, 20)}` },
        replies: [{
          id: NoteId.make("019845e1-682f-7b02-a706-3b2422d13afe"),
          author: { name: text, owner: false },
          text,
          insertTime: time
        }]
      })
    )
    const exported = review(notes)
    const [header, ...cells] = rows(written(exported, "csv").text)
    assert.strictEqual(cells.length, 2 * notes.length)
    for (const row of cells) {
      assert.strictEqual(row.length, header!.length)
      for (const cell of row) assert.notMatch(cell, /^(?:[\t\r\n]|[\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u)
    }
    const { events, locators } = readEdl(written(exported, "edl").text, 25)
    assert.deepStrictEqual(events.map(({ first }) => first), notes.map((_, at) => at * 25))
    assert.deepStrictEqual(locators, notes.map((_, at) => at * 25))
    const { markers, otherElements } = readFcpxml(written(exported, "fcpxml").text)
    assert.strictEqual(markers.length, notes.length)
    assert.deepStrictEqual(otherElements, [
      "fcpxml",
      "resources",
      "format",
      "asset",
      "media-rep",
      "library",
      "event",
      "project",
      "sequence",
      "spine",
      "asset-clip"
    ])
    assert.strictEqual(markers.at(-1)!.value, `=${hostile.at(-1)!.slice(0, 20)}: ${hostile.at(-1)}`)
  })

  it("REV-13 a CSV has a row for each note and reply, with times and who wrote it", () => {
    const reply = {
      id: NoteId.make("019845e1-682f-7b02-a706-3b2422d13afe"),
      author: { name: "Grace", owner: true },
      text: "Done,\n\"really\"",
      insertTime: time
    }
    const { fileName, mimeType, text } = written(
      review([note({}), note({ seconds: 65.2, endSeconds: 66, timecode: "1:05", resolved: true, replies: [reply] })]),
      "csv"
    )
    assert.strictEqual(fileName, "Rua -Escura- -final- & more notes.csv")
    assert.strictEqual(mimeType, "text/csv")
    const id = "019845e1-682f-7b02-a706-3b2422d13aff"
    assert.deepStrictEqual(rows(text).slice(1), [
      ["", "", "", "", "", "Ana", "Louder", "no", time, ""],
      ["1:05", "65.2", "66", "1630", "00:01:05:05", "Ana", "Louder", "yes", time, ""],
      ["1:05", "65.2", "66", "1630", "00:01:05:05", "Grace", "Done,\n\"really\"", "", time, id]
    ])
  })

  it("REV-10 REV-11 a note on the whole file is at its first frame; a track has 30 frames a second", () => {
    const track = {
      ...review([note({}), note({ seconds: 2 })]),
      type: "Audio" as const,
      rate: NoteExport.rateOf(null, "Audio")
    }
    const { events, isDropFrame } = readEdl(written(track, "edl").text, 30)
    assert.deepStrictEqual(events.map(({ first, track }) => ({ first, track })), [
      { first: 0, track: "A" },
      { first: 60, track: "A" }
    ])
    assert.isFalse(isDropFrame)
    assert.deepStrictEqual(readFcpxml(written(track, "fcpxml").text).markers.map(({ first }) => first), [
      0,
      60
    ])
  })

  it("REV-71 of a film of unknown rate a CSV has no frames, and no format that counts in frames is written", () => {
    const unknown = { ...review([note({ seconds: 1 })]), rate: NoteExport.rateOf(null, "Video") }
    assert.deepStrictEqual(rows(written(unknown, "csv").text)[1]!.slice(0, 6), ["", "1", "", "", "", "Ana"])
    for (const format of ["edl", "fcpxml"] as const) assert.isNull(NoteExport.write(unknown, format))
  })

  it("REV-11 the clip of an FCPXML is as long as the file, and no marker is behind its end", () => {
    const within = readFcpxml(written(review([note({ seconds: 2 })]), "fcpxml").text)
    assert.strictEqual(within.clipFrames, 1_500)
    const behind = readFcpxml(written(review([note({ seconds: 100, endSeconds: 101 })]), "fcpxml").text)
    assert.strictEqual(behind.clipFrames, 1_500)
    const { resolved } = readFcpxml(
      written(review([note({ seconds: 1, resolved: true }), note({ seconds: 2 })]), "fcpxml").text
    )
    assert.deepStrictEqual(resolved, [true, false])
  })
})
