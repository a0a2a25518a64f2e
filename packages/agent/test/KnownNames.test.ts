import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { type KnownName, lexiconOf } from "../src/planner/grammar/Lexicon.ts"
import { sentenceOf } from "../src/planner/grammar/Sentence.ts"
import { readRequest } from "../src/planner/Request.ts"
import { Bench } from "./Bench.ts"
import { changes, stateOf } from "./DriveState.ts"

const moment = { now: DateTime.makeUnsafe("2026-03-18T12:00:00Z"), zone: DateTime.zoneMakeNamedUnsafe("UTC") }

const names: ReadonlyArray<KnownName> = [
  { kind: "file", name: "cover letter.pdf" },
  { kind: "folder", name: "/Handouts" },
  { kind: "folder", name: "/Case 88" },
  { kind: "folder", name: "/Photos" },
  { kind: "gallery", name: "Best of" },
  { kind: "playlist", name: "Road trip" },
  { kind: "tag", name: "old" },
  { kind: "request", name: "Tender documents" }
]

const known = { ...moment, lexicon: lexiconOf(names) }

const readOf = (text: string) => {
  const { clauses, unknown } = readRequest(text, known, "en")
  assert.deepStrictEqual(unknown, [])
  return clauses.filter(({ kind }) => kind !== "remark").map(({ parsed }) => parsed)
}

describe("names of the drive", () => {
  it.each(
    [
      ["put cover letter.pdf into /Case 88", ["cover letter.pdf", "/Case 88"]],
      ["Mach mir aus der Galerie Best of ein ZIP", ["Best of"]],
      ["open the request tender documents again, somebody was late", ["tender documents"]],
      ["add it to Road trip", ["Road trip"]],
      ["close the request Tendr documents", ["Tendr documents"]],
      ["show me the photos", []],
      ["delete the old ones", []],
      ["move the old photos to /Handouts", ["/Handouts"]]
    ] as const
  )("PLAN-210 “%s” has the names %j", (text, wanted) => {
    const language = /\bder\b/.test(text) ? "de" : "en"
    const found = sentenceOf(text, language, known).tokens.flatMap(({ known, raw }) => known === undefined ? [] : [raw])
    assert.deepStrictEqual(found, [...wanted])
  })

  it("PLAN-211 a name ends where the name that the drive has ends", () => {
    const [found] = readOf("list everything in /Handouts alphabetically")
    assert.strictEqual(found!.slots.get("files")?.folder, "/Handouts")
    assert.strictEqual(found!.slots.get("files")?.sort, "name")
    assert.strictEqual(readOf("open the request Tender documents again")[0]!.slots.get("name"), "Tender documents")
  })

  it.each([
    "move everything from /Shoot to /Backup except the text files",
    "Verschieb alles aus /Shoot nach /Backup außer den Textdateien"
  ])("PLAN-212 “%s” makes no name of a condition, and keeps it", (text) => {
    const [found] = readOf(text)
    assert.strictEqual(found!.slots.get("folder")?.said, "/Backup")
    assert.deepStrictEqual(found!.slots.get("files")?.except?.types, ["Text"])
  })

  it("PLAN-213 a plain search needs no names: it is one call", async () => {
    const bench = await Bench.make({ seeds: [{ name: "beach.jpg" }] })
    for (const text of ["find beach", "how many photos do I have?", "find documents uploaded in February 2026"]) {
      const { calls } = await bench.say(text)
      assert.deepStrictEqual(calls.map(({ name }) => name), ["search_files"], text)
    }
    assert.isEmpty((await bench.say("hello")).calls)
    await bench.close()
  })

  it.each([
    "mark a.pdf, b.pdf and c.pdf as graded",
    "tag a.pdf, b.pdf & c.pdf with graded",
    "markiere a.pdf, b.pdf und c.pdf als graded"
  ])("PLAN-220 a list is one thing: “%s”", async (text) => {
    const bench = await Bench.make({ seeds: [{ name: "a.pdf" }, { name: "b.pdf" }, { name: "c.pdf" }] })
    const before = await stateOf(bench)
    await bench.say(text)
    assert.deepStrictEqual(changes(before, await stateOf(bench)).filter((change) => change.includes("graded")), [
      "+tag graded",
      "a.pdf.tags: graded",
      "b.pdf.tags: graded",
      "c.pdf.tags: graded"
    ])
    await bench.close()
  })

  it.each(
    [
      ["verschieb alles, was mit IMG anfängt, nach /Handy", ["IMG_1.jpg", "IMG_2.jpg"]],
      ["move the files that begin with IMG to /Handy", ["IMG_1.jpg", "IMG_2.jpg"]],
      ["move all photos except beach.jpg to /Handy", ["IMG_1.jpg", "IMG_2.jpg"]],
      ["move all photos to /Handy except beach.jpg", ["IMG_1.jpg", "IMG_2.jpg"]]
    ] as const
  )("PLAN-221 the condition of “%s” holds", async (text, moved) => {
    const bench = await Bench.make({ seeds: [{ name: "IMG_1.jpg" }, { name: "IMG_2.jpg" }, { name: "beach.jpg" }] })
    const before = await stateOf(bench)
    await bench.say(text)
    assert.deepStrictEqual(changes(before, await stateOf(bench)), [
      "+folder /Handy",
      ...moved.map((name) => `${name}.folder: /Handy`)
    ])
    await bench.close()
  })

  it("PLAN-222 “the first and the third” are two of what was shown", async () => {
    const bench = await Bench.make({ seeds: ["a.pdf", "b.pdf", "c.pdf"].map((name) => ({ name, folder: "/Scans" })) })
    await bench.say("show the files in /Scans by name")
    const before = await stateOf(bench)
    await bench.say("put the first and the third one into /Case 88")
    assert.deepStrictEqual(changes(before, await stateOf(bench)), [
      "+folder /Case 88",
      "a.pdf.folder: /Case 88",
      "c.pdf.folder: /Case 88"
    ])
    await bench.close()
  })

  it("PLAN-223 two questions in one sentence are both answered", async () => {
    const bench = await Bench.make({ seeds: [{ name: "a.jpg" }, { name: "b.jpg" }, { name: "c.mp4" }] })
    const { text } = await bench.say("how many videos and how many photos do I have?")
    assert.match(text, /1 video\b[\s\S]*2 photos/)
    await bench.close()
  })
})
