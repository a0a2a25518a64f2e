/** What is told in passing, and only read out. */
import { assert, describe, it } from "@effect/vitest"
import { effect } from "@preact/signals"
import { say, spoken } from "../../browser/foundation/announce.ts"

describe("what is only read out", () => {
  it("PAGE-211 the same text once more is another text of the region that screen readers follow, and sounds the same", () => {
    const said: Array<string> = []
    const stop = effect(() => void said.push(spoken.value))
    for (let times = 0; times < 3; times++) say("Grace left a note.")
    say("Ada left a note.")
    stop()
    assert.deepStrictEqual(said.slice(-4).map((text) => text.trim()), [
      "Grace left a note.",
      "Grace left a note.",
      "Grace left a note.",
      "Ada left a note."
    ])
    said.slice(1).forEach((text, at) => assert.notStrictEqual(text, said[at]))
  })
})
