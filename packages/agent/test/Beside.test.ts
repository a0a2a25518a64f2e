import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { readRequest } from "../src/planner/Request.ts"
import { Bench, type Seed } from "./Bench.ts"
import { changes, stateOf } from "./DriveState.ts"

const clip = (name: string, duration: number): Seed => ({ name, folder: "/Clips", media: { duration } })

const photo = (name: string, latitude: number, longitude: number): Seed => ({
  name,
  media: { takenTime: new Date("2025-08-12T10:00:00Z"), location: { latitude, longitude } }
})

const seeds: ReadonlyArray<Seed> = [
  { name: "plan.pdf", folder: "/Work", tags: ["best"] },
  { name: "notes.txt", folder: "/Work" },
  { name: "scan.pdf", folder: "/Old stuff" },
  clip("hands.mp4", 5),
  clip("interview.mp4", 95),
  photo("squirrel.jpg", 37.9, -122.2),
  photo("tram.jpg", 38.71, -9.13),
  { name: "elevation north.pdf" },
  { name: "elevation south.pdf" },
  { name: "poster.png", isReal: true }
]

/** What some messages change, and the last answer. */
const said = async (...messages: ReadonlyArray<string>) => {
  const bench = await Bench.make({ seeds })
  const before = await stateOf(bench)
  let last = await bench.say(messages[0]!)
  for (const message of messages.slice(1)) last = await bench.say(message)
  const found = changes(before, await stateOf(bench))
  await bench.close()
  return { found, isAsked: last.decision._tag === "Ask", text: last.text }
}

const toWork = ["+tag x", "notes.txt.tags: x", "plan.pdf.tags: best, x"]

describe("what is said beside a request in its sentence", () => {
  it.each([
    "tag everything in /Work with x so that I can find it again",
    "tag everything in /Work with x so I can find it and send it to bob",
    "tag everything in /Work with x because my boss never finds anything",
    "tag everything in /Work with x, nobody outside should be able to miss it",
    "tag everything in /Work with x - the client keeps asking for it",
    "Since we're running out of time, tag everything in /Work with x",
    "The office called again. Could you tag everything in /Work with x, I promised it to them",
    "Tagge alles in /Work mit x, damit ich es wiederfinde",
    "Tagge alles in /Work mit x, weil es sonst niemand findet",
    "Weil ich es sonst nie finde, tagge alles in /Work mit x",
    "tag everything in /Work with x, two colleagues were sick"
  ])("PLAN-243 “%s”", async (text) => {
    assert.deepStrictEqual((await said(text)).found, toWork)
  })

  it.each([
    "share everything in /Work with bob, but he must not see the plan",
    "delete everything in /Work, only the notes are still needed by anna",
    "tag everything in /Work with x, I don't want the plan tagged though"
  ])("PLAN-243 what narrows a request is no reason: “%s”", async (text) => {
    assert.notInclude((await said(text)).found.join(" "), "plan.pdf.shared")
    assert.notInclude((await said(text)).found.join(" "), "notes.txt.trashed")
    assert.notInclude((await said(text)).found.join(" "), "plan.pdf.tags")
  })

  it.each([
    "delete the folder Old stuff but keep the files that are in it",
    "delete the folder Old stuff. The files in it should stay though.",
    "get rid of the folder Old stuff but please keep the documents",
    "Remove the folder Old stuff. Don't delete the files in it!",
    "Lösch den Ordner Old stuff, aber die Dateien darin sollen bleiben",
    "Lösche den Ordner Old stuff. Der Inhalt selbst soll erhalten bleiben!"
  ])("PLAN-244 “%s”", async (text) => {
    assert.deepStrictEqual((await said(text)).found, ["-folder /Old stuff", "scan.pdf.folder: /"])
  })

  it.each([
    "move everything in /Work to /Backup, but not the text files",
    "Move everything in /Work to /Backup. Not the text files.",
    "move everything in /Work to /Backup, leave notes.txt where it is",
    "move all but the text files from /Work to /Backup",
    "Verschieb alles aus /Work nach /Backup, nur notes.txt nicht",
    "Verschieb alles aus /Work nach /Backup. Die Textdateien bleiben da."
  ])("PLAN-245 “%s”", async (text) => {
    assert.deepStrictEqual((await said(text)).found, ["+folder /Backup", "plan.pdf.folder: /Backup"])
  })

  it("PLAN-245 an exception that fits nothing is asked about", async () => {
    const { found, isAsked } = await said("delete everything in /Work but keep the invoices")
    assert.deepStrictEqual(found, [])
    assert.isTrue(isAsked)
  })

  it.each([
    ["list the clips that run for less than 8 seconds", /hands\.mp4/, /interview/],
    ["any video that lasts more than a minute?", /interview\.mp4/, /hands/],
    ["Welche Videos dauern länger als eine Minute?", /interview\.mp4/, /hands/],
    ["any photos shot within 30 km of 37.87, -122.26?", /squirrel\.jpg/, /tram/],
    ["photos within 20 miles of 37.87, -122.26", /squirrel\.jpg/, /tram/],
    ["Fotos im Umkreis von 50 km um Lissabon", /tram\.jpg/, /squirrel/]
  ])("PLAN-246 “%s”", async (text, named, not) => {
    const answer = (await said(text)).text
    assert.match(answer, named)
    assert.notMatch(answer, not)
  })

  it.each([
    ["tga teh files in Work wiht x", toWork],
    ["pleas moev al the pdfs in Work to /Papers", ["+folder /Papers", "plan.pdf.folder: /Papers"]],
    ["renmae notes.txt to done.txt", ["+file done.txt: /Work", "-file notes.txt"]],
    ["Erstele einen Ordner Taxen udn verschieb plan.pdf dorthin", ["+folder /Taxen", "plan.pdf.folder: /Taxen"]]
  ])("PLAN-247 “%s”", async (text, wanted) => {
    assert.deepStrictEqual((await said(text)).found, wanted)
  })

  it("PLAN-247 pigs are no pics", async () => {
    const { found, isAsked } = await said("move the pigs to /Farm")
    assert.deepStrictEqual(found, [])
    assert.isTrue(isAsked)
  })

  it.each(["the north one", "2"])("PLAN-248 “%s” chooses one of those that come near", async (answer) => {
    const { found } = await said("Move the elevation drawing to /Approved", answer)
    assert.deepStrictEqual(found, ["+folder /Approved", "elevation north.pdf.folder: /Approved"])
  })

  it.each([
    ["I need a new folder called Exams with two subfolders in it, Spring and Autumn", "Exams", ["Spring", "Autumn"]],
    ["make a folder 2026 and inside it two folders, January and February", "2026", ["January", "February"]],
    ["create a folder House and in it one named Bills", "House", ["Bills"]],
    ["Leg mir einen Ordner Semester 3 an und darin einen namens Statistik", "Semester 3", ["Statistik"]],
    ["Erstelle einen Ordner Haus mit den Unterordnern Strom und Wasser", "Haus", ["Strom", "Wasser"]]
  ])("PLAN-249 “%s”", async (text, outer, inner) => {
    const wanted = [`+folder /${outer}`, ...inner.map((name) => `+folder /${outer}/${name}`)]
    assert.deepStrictEqual((await said(text)).found, wanted.toSorted())
  })

  it.each([
    [["please make a folder", "Holidays"], ["+folder /Holidays"]],
    [["move plan.pdf", "to /Done please"], ["+folder /Done", "plan.pdf.folder: /Done"]],
    [["Verschieb plan.pdf", "In den Ordner Sommerfest"], ["+folder /Sommerfest", "plan.pdf.folder: /Sommerfest"]]
  ])("PLAN-249 what is missing is asked for: %s", async (messages, wanted) => {
    assert.deepStrictEqual((await said(...messages)).found, wanted)
  })

  it.each([
    "plan.pdf to /A, notes.txt to /B",
    "plan.pdf goes to /A and notes.txt goes to /B",
    "move plan.pdf to /A, notes.txt to /B, leave the rest where it is",
    "plan.pdf nach /A, notes.txt nach /B, der Rest bleibt liegen"
  ])("PLAN-250 “%s”", async (text) => {
    const wanted = ["+folder /A", "+folder /B", "notes.txt.folder: /B", "plan.pdf.folder: /A"]
    assert.deepStrictEqual((await said(text)).found, wanted)
  })

  it.each(["no, to /B", "sorry, I meant to /B"])("PLAN-251 “%s”", async (correction) => {
    const { found } = await said("move plan.pdf to /A", correction)
    assert.deepStrictEqual(found, ["+folder /A", "+folder /B", "plan.pdf.folder: /B"])
  })

  it("PLAN-251 without a move before it nothing goes anywhere", async () => {
    assert.deepStrictEqual((await said("to /B")).found, [])
  })

  it.each([
    "what did I write about the plumber in notes.txt?",
    "what did Ruth say about the plumber in notes.txt?",
    "Was habe ich in notes.txt über den Klempner geschrieben?"
  ])("PLAN-252 “%s”", async (text) => {
    const bench = await Bench.make({ seeds })
    const { calls } = await bench.say(text)
    assert.include(calls.map(({ name }) => name), "read_file")
    await bench.close()
  })

  it.each(["Delete all the files ending in .bak", "Lösche alle Dateien, die auf .bak enden"])(
    "PLAN-253 “%s”",
    async (text) => {
      const bench = await Bench.make({ seeds: [{ name: "house.bak" }, { name: "plan.bak" }, { name: "bak.txt" }] })
      const before = await stateOf(bench)
      await bench.say(text)
      const found = changes(before, await stateOf(bench)).join(" ")
      assert.match(found, /house\.bak.*plan\.bak/)
      assert.notInclude(found, "bak.txt")
      await bench.close()
    }
  )

  it.each([
    "take hands.mp4 off the Rehearsal playlist, but don't delete it",
    "remove hands.mp4 from Rehearsal but don't delete it",
    "Nimm hands.mp4 aus der Playlist Rehearsal, aber lösche es nicht"
  ])("PLAN-254 “%s”", async (text) => {
    const bench = await Bench.make({ seeds })
    await bench.say("make a playlist Rehearsal of hands.mp4 and interview.mp4")
    const before = await stateOf(bench)
    const { calls } = await bench.say(text)
    const made = calls.map(({ name }) => name)
    assert.include(made, "remove_from_playlist")
    assert.notInclude(made, "trash_files")
    assert.notInclude(changes(before, await stateOf(bench)).join(" "), "trashed")
    await bench.close()
  })

  it.each([
    "once a new file lands in /Inbox, move it to /Sorted",
    "sobald eine neue Datei in /Inbox landet, verschiebe sie nach /Sorted"
  ])("PLAN-255 “%s”", (text) => {
    const moment = { now: DateTime.makeUnsafe("2026-03-18T12:00:00Z"), zone: DateTime.zoneMakeNamedUnsafe("UTC") }
    const { clauses } = readRequest(text, moment as never, "en")
    assert.deepStrictEqual(clauses.map(({ kind, parsed }) => [kind, parsed.intent.name]), [
      ["wait", "files in a folder"],
      ["do", "move files"]
    ])
  })
})
