import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { type MadeCall, Planner, type Turn } from "../src/index.ts"
import { allTools } from "./Bench.ts"

const decide = (earlier: ReadonlyArray<Turn>, userText: string, calls: ReadonlyArray<MadeCall>) =>
  Planner.decide({ earlier, present: { userText, calls, parts: [], reply: "" } }, {
    now: DateTime.makeUnsafe("2026-03-18T12:00:00Z"),
    zone: DateTime.zoneMakeNamedUnsafe("UTC"),
    tools: allTools
  })

describe("the planner and consent", () => {
  it("TASK-112 the planner asks about a call that was refused for want of the user's words, and makes it after a yes", () => {
    const text = "create a folder called Trips"
    const known: MadeCall = {
      name: "select_collections",
      args: {},
      result: { folders: [], playlists: [], galleries: [], tags: [] }
    }
    const wanted = decide([], text, [known])
    assert.strictEqual(wanted._tag, "Call")
    const call = wanted._tag === "Call" ? wanted.calls.at(-1)! : undefined
    const refused: MadeCall = { ...call!, failure: { error: "Nothing was done.", code: "consent_needed" } }
    const asked = decide([], text, [known, refused])
    assert.strictEqual(asked._tag, "Ask")
    const earlier = [{ userText: text, calls: [known, refused], parts: [], reply: "…" }]
    const again = decide(earlier, "yes", [])
    assert.deepStrictEqual(again._tag === "Call" ? again.calls : [], [call!])
    const no = decide(earlier, "no", [])
    assert.strictEqual(no._tag, "Reply")
    const done = decide(earlier, "yes", [{ ...call!, result: { id: "f", path: "/Trips" } }])
    assert.strictEqual(done._tag, "Reply")
  })
})
