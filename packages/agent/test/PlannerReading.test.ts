import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { Planner } from "../src/index.ts"
import { families } from "../src/planner/intents/Intents.ts"
import { readRequest } from "../src/planner/Request.ts"
import { allTools } from "./Bench.ts"

const moment = { now: DateTime.makeUnsafe("2026-03-18T12:00:00Z"), zone: DateTime.zoneMakeNamedUnsafe("Europe/Berlin") }

/** The first call that a request leads to. */
const firstCall = (userText: string, zone = "Europe/Berlin") => {
  const decision = Planner.decide({ earlier: [], present: { userText, parts: [], calls: [], reply: "" } }, {
    now: moment.now,
    zone: DateTime.zoneMakeNamedUnsafe(zone),
    tools: allTools
  })
  return decision._tag === "Call" ? decision.calls[0]! : null
}

describe("reading", () => {
  it.each([
    "find cats and ".repeat(60),
    `delete all photos ${"x".repeat(2_000)}`,
    "tell me when ".repeat(5_000)
  ])(
    "TASK-303 a request that is too long, or has too many parts, is not understood, and nothing of it is done",
    (text) => {
      const { clauses, unknown } = readRequest(text, moment, "en")
      assert.deepStrictEqual([clauses, unknown.length], [[], 1])
      assert.isAtMost(unknown[0]!.length, 101)
      assert.oneOf(firstCall(text)?.name, [undefined, "select_collections"])
    }
  )

  // Without a bound on the work, or with a pattern that tries each word in two ways, these don't end within the test's time.
  it.each([
    "delte flies phtos mvoe ",
    "because it is mine, delete it, ",
    "when Grace sends files, move them to /a, ",
    "move photos to /a, but keep the rest so I can see them, and not b.pdf, ",
    "verschieb alle Bilder nach /A, damit ich sie finde, aber nicht die PDFs, ",
    "notes comments remarks ",
    "keep the the files and ",
    "Anna's "
  ])("TASK-303 “%s” again and again is read within bounds, and nothing is done", (text) => {
    const all = text.repeat(Math.floor(999 / text.length))
    for (const verb of ["", "delete ", "mark ", "reply to "]) {
      assert.isArray(readRequest(`${verb}${all}`.slice(0, 999), moment, "en").unknown)
    }
    assert.oneOf(firstCall(all)?.name.split("_")[0], [undefined, "select", "search"])
  })

  describe.each(families)("$name", ({ examples, intents }) => {
    it.each((["en", "de"] as const).flatMap((language) => examples[language].map((text) => ({ language, text }))))(
      "PLAN-2 reads “$text”",
      ({ language, text }) => {
        const { clauses, language: found, unknown } = readRequest(text, moment, "en")
        assert.deepStrictEqual(unknown, [])
        assert.strictEqual(found, language)
        assert.lengthOf(clauses, 1)
        assert.include(intents.map(({ name }) => name), clauses[0]!.parsed.intent.name)
      }
    )
  })

  it.each([
    ["photos from yesterday", {
      uploadedAfter: "2026-03-16T23:00:00.000Z",
      uploadedBefore: "2026-03-17T23:00:00.000Z"
    }],
    ["files from last week", { uploadedAfter: "2026-03-08T23:00:00.000Z", uploadedBefore: "2026-03-15T23:00:00.000Z" }],
    ["files older than two weeks", { uploadedBefore: "2026-03-03T23:00:00.000Z" }],
    ["documents uploaded in February 2026", {
      uploadedAfter: "2026-01-31T23:00:00.000Z",
      uploadedBefore: "2026-02-28T23:00:00.000Z"
    }],
    ["documents since Monday", { uploadedAfter: "2026-03-15T23:00:00.000Z" }],
    ["videos over 1.5 GB", { minSize: 1_500_000_000 }],
    ["tracks between 100 and 120 bpm", { minTempo: 100, maxTempo: 120 }],
    ["songs longer than 5 minutes", { minDuration: 300 }],
    ["clips under 30 seconds", { maxDuration: 30 }],
    ["songs in F# minor", { key: "F#m" }],
    ["tracks slower than 90 bpm", { maxTempo: 90 }],
    ["public images", { isPublic: true }],
    ["the ten largest files", { sort: "largest", limit: 10 }]
  ])("PLAN-15 “find %s” becomes filters", (text, filters) => {
    const args = firstCall(`find ${text}`)!.args
    for (const [name, value] of Object.entries(filters)) {
      const taken = name.replace("uploaded", "taken")
      assert.deepStrictEqual(args[name] ?? args[taken], value, name)
    }
  })

  it.each([
    "fnid the photos of Lisbon",
    "Plese find the photos of Lisbon",
    "find the phtos of Lisbon",
    "serach for photos of Lisbon"
  ])(
    "PLAN-16 “%s” is read in spite of its typing error",
    (text) => {
      const { clauses, unknown } = readRequest(text, moment, "en")
      assert.deepStrictEqual(unknown, [])
      assert.strictEqual(clauses[0]!.parsed.intent.name, "find files")
    }
  )

  it("PLAN-3 the same conversation gives the same decision", () => {
    assert.deepStrictEqual(
      firstCall("tag all photos from yesterday with holiday"),
      firstCall("tag all photos from yesterday with holiday")
    )
  })
})
