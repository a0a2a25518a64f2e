import { assert, describe, it } from "@effect/vitest"
import { Bench } from "./Bench.ts"
import { changes, stateOf } from "./DriveState.ts"

const seeds = [
  { name: "Anlage 1.pdf", folder: "/Kaufvertrag", time: "2026-03-02T00:00:00Z" },
  { name: "Entwurf.pdf", folder: "/Kaufvertrag", time: "2026-03-03T00:00:00Z" },
  { name: "Notiz.txt", folder: "/Kaufvertrag", time: "2026-03-04T00:00:00Z", text: "Notar" },
  { name: "Alt.pdf", folder: "/Ablage", time: "2026-01-01T00:00:00Z" },
  { name: "Neu.pdf", folder: "/Ablage", time: "2026-03-09T00:00:00Z" }
]

const done = async (...messages: ReadonlyArray<string>) => {
  const bench = await Bench.make({ seeds })
  const before = await stateOf(bench)
  let text = ""
  for (const message of messages) text = (await bench.say(message)).text
  const found = changes(before, await stateOf(bench)).filter((change) => !change.startsWith("+"))
  await bench.close()
  return { found, text }
}

describe("places in a list", () => {
  it.each([
    ["Welche PDFs sind im Ordner Kaufvertrag?", "tagge die erste mit x", "Entwurf.pdf"],
    ["Welche PDFs sind im Ordner Kaufvertrag?", "tagge die zweite mit x", "Anlage 1.pdf"],
    ["Welche PDFs sind im Ordner Kaufvertrag?", "tagge die letzte mit x", "Anlage 1.pdf"],
    ["Which PDFs are in the folder Kaufvertrag?", "tag the first PDF with x", "Entwurf.pdf"],
    ["Which PDFs are in the folder Kaufvertrag?", "tag the second PDF with x", "Anlage 1.pdf"],
    ["Which PDFs are in the folder Kaufvertrag?", "tag the first two with x", "Anlage 1.pdf, Entwurf.pdf"],
    ["show all files by name", "tag the second and the third one with x", "Anlage 1.pdf, Entwurf.pdf"],
    ["show all files by name", "tag the first two of them with x", "Alt.pdf, Anlage 1.pdf"],
    ["show all files by name", "tag the last two with x", "Neu.pdf, Notiz.txt"],
    ["Was steht in den Dateien im Ordner Kaufvertrag über den Notar?", "tagge die zweite mit x", ""],
    ["how many PDFs do I have?", "tag the second one with x", ""],
    ["hello", "tag the second PDF with x", ""]
  ])("PLAN-290 “%s”, then “%s” means %s", async (first, then, wanted) => {
    const { found } = await done(first, then)
    assert.deepStrictEqual(found.map((change) => change.split(".tags")[0]).join(", "), wanted)
  })

  it("PLAN-290 what is done with an entry leaves the list as it was shown", async () => {
    const { found } = await done("show all files by name", "tag the first one with x", "tag the second one with y")
    assert.deepStrictEqual(found, ["Alt.pdf.tags: x", "Anlage 1.pdf.tags: y"])
  })

  it("PLAN-291 which files are in a folder is no question to their texts", async () => {
    const { text } = await done("Welche PDFs sind im Ordner Kaufvertrag?")
    assert.match(text, /1\. Entwurf\.pdf[\s\S]*2\. Anlage 1\.pdf/)
    assert.notMatch(text, /Notiz/)
  })

  it.each([
    "Give me a download link for contract.pdf but don't make it public",
    "give me a link to contract.pdf without making it public",
    "give me a private link for contract.pdf",
    "gib mir einen Link zu contract.pdf, aber mach ihn nicht öffentlich"
  ])("PLAN-293 “%s” gives a link and publishes nothing", async (say) => {
    const bench = await Bench.make({ seeds: [{ name: "contract.pdf", isReal: true }, { name: "list.pdf" }] })
    const before = await stateOf(bench)
    const { text } = await bench.say(say)
    assert.match(text, /contract\.pdf: http/)
    assert.deepStrictEqual(changes(before, await stateOf(bench)), [])
    await bench.close()
  })

  it.each([
    ["Markiere die beiden Grundrisse bitte mit frei", "Grundriss EG.pdf, Grundriss OG.pdf"],
    ["tagge die zwei Grundrisse mit frei", "Grundriss EG.pdf, Grundriss OG.pdf"],
    ["tagge die beiden Schnitte mit frei", ""],
    ["tagge die drei Grundrisse mit frei", ""],
    ["tag both videos with frei", ""]
  ])("PLAN-294 “%s” means two files, and no others unasked", async (say, wanted) => {
    const names = ["Grundriss EG.pdf", "Grundriss OG.pdf", "Schnitt A.pdf", "Schnitt B.pdf", "Schnitt C.pdf", "a.mp4"]
    const bench = await Bench.make({ seeds: names.map((name) => ({ name })) })
    const before = await stateOf(bench)
    await bench.say(say)
    const found = changes(before, await stateOf(bench)).filter((change) => !change.startsWith("+"))
    assert.strictEqual(found.map((change) => change.split(".tags")[0]).join(", "), wanted)
    await bench.close()
  })

  it.each([
    "which drawings are tagged both red and blue?",
    "Which files carry both the tag red and the tag blue?",
    "Which files have both the tag red and the tag blue?",
    "Welche Dateien haben sowohl den Tag red als auch den Tag blue?"
  ])("PLAN-295 “%s” means files with both tags", async (say) => {
    const bench = await Bench.make({
      seeds: [{ name: "A1.pdf", tags: ["red", "blue"] }, { name: "A2.pdf", tags: ["red"] }, {
        name: "A3.pdf",
        tags: ["blue"]
      }]
    })
    const { text } = await bench.say(say)
    assert.match(text, /A1/)
    assert.notMatch(text, /A2|A3/)
    await bench.close()
  })

  it.each([
    ["add these two to the Best gallery: a.jpg, b.jpg", /2 files \(a\.jpg and b\.jpg\)/],
    ["Leg bitte einen Ordner Eltern an und darin je einen für 5a und 5b", /\/Eltern, \/Eltern\/5a und \/Eltern\/5b/],
    ["What's taking up the most space here? Just give me the top 2.", /1\. c\.jpg.*\n2\. b\.jpg/],
    [
      "I want my pupils to send me their essays. Set up a file request called Essays that goes into /Class 7b/Essays",
      /^Made[^\n]*\nFiles land in \/Class 7b\/Essays\.$/
    ],
    ["Open a file request for the birthday pics and put a password on it: cake", /Changed the request “Birthday pics”/],
    ["put a password on it: cake", /Which one/]
  ])("PLAN-296 “%s” is answered with %s", async (say, wanted) => {
    const bench = await Bench.make({
      seeds: [{ name: "a.jpg", size: 10 }, { name: "b.jpg", size: 20 }, { name: "c.jpg", size: 30 }]
    })
    await bench.say("make a gallery Best")
    const { text } = await bench.say(say)
    assert.match(text, wanted)
    await bench.close()
  })
})
