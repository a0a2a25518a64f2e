import { assert, describe, it } from "@effect/vitest"
import { Bench } from "./Bench.ts"
import { changes, stateOf } from "./DriveState.ts"

const seeds = [
  { name: "contract 2019.pdf", time: "2026-01-10T09:00:00Z", size: 10 },
  { name: "contract 2021.pdf", time: "2026-02-10T09:00:00Z", size: 20, folder: "/Work" }
]

const changedBy = async (...texts: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const bench = await Bench.make({ seeds })
  const before = await stateOf(bench)
  for (const text of texts) await bench.say(text)
  const found = changes(before, await stateOf(bench))
  await bench.close()
  return found
}

describe("answers to the planner's questions", () => {
  it.each([
    "the one from 2019",
    "2019",
    "the older one",
    "the smaller one"
  ])("PLAN-230 “%s” chooses one of several", async (answer) => {
    assert.deepStrictEqual(await changedBy("tag the contract with done", answer), [
      "+tag done",
      "contract 2019.pdf.tags: done"
    ])
  })

  it.each(["never mind", "better none of them, forget it", "oh no, leave it", "I changed my mind"])(
    "PLAN-231 “%s” calls it off",
    async (answer) => {
      assert.deepStrictEqual(await changedBy("permanently delete contract 2019.pdf", answer), [])
      assert.deepStrictEqual(await changedBy("trash the contract", answer), [])
    }
  )

  it.each(["go ahead", "Yes, I'm sure", "ok do it"])("PLAN-232 “%s” is a yes", async (answer) => {
    assert.deepStrictEqual(await changedBy("permanently delete contract 2019.pdf", answer), ["-file contract 2019.pdf"])
  })
})

describe("what is said around a request", () => {
  it("PLAN-240 what a remark names is what “it” means", async () => {
    const bench = await Bench.make({ seeds: [...seeds, { name: "floor plan.pdf", tags: ["superseded"] }] })
    await bench.say("We don't use the tag superseded any more, delete it.")
    const state = await stateOf(bench)
    assert.deepStrictEqual(Object.keys(state.tags), [])
    await bench.say("anna needs the floor plan. share it with her and with bob")
    assert.strictEqual((await stateOf(bench)).files["floor plan.pdf"]!.shared, "anna, bob")
    await bench.close()
  })

  it.each([
    "tag contract 2019.pdf with done, I need it for the office",
    "Could you tag contract 2019.pdf with done? I don't need it any more.",
    "How lovely it is here. tag contract 2019.pdf with done"
  ])("PLAN-241 a reason is no request: “%s”", async (text) => {
    assert.deepStrictEqual(await changedBy(text), ["+tag done", "contract 2019.pdf.tags: done"])
  })

  it("PLAN-242 words that no file has are left out of a search, and nothing is done with what is found then unasked", async () => {
    const bench = await Bench.make({ seeds })
    const before = await stateOf(bench)
    assert.match((await bench.say("whats the file with the contract 2019 for the landlord again")).text, /2019\.pdf/)
    const { decision } = await bench.say("tag the contract 2019 landlord bike with done")
    assert.strictEqual(decision._tag, "Ask")
    assert.deepStrictEqual(changes(before, await stateOf(bench)), [])
    await bench.close()
  })
})
