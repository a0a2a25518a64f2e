import { assert, describe, it } from "@effect/vitest"
import { RememberedAnswers } from "./RememberedAnswers.ts"

const overhead = 1_024

describe("remembered answers", () => {
  const limits = { allBytes: 10 * (overhead + 100), ownerBytes: 3 * (overhead + 100) }
  const entry = (owner: string, answer: string, until = 1_000) => ({ owner, answer, bytes: 100, until })

  it("OPS-14 are known until their time is over", () => {
    const answers = new RememberedAnswers<string>(limits)
    answers.add("a", entry("ada", "A", 10))
    answers.add("b", entry("ada", "B", 20))
    assert.deepStrictEqual([answers.find("a", 9), answers.find("b", 9)], ["A", "B"])
    assert.deepStrictEqual([answers.find("a", 10), answers.find("b", 10)], [undefined, "B"])
  })

  it("OPS-14 of one caller leave room for those of the others, however many they are", () => {
    const answers = new RememberedAnswers<string>(limits)
    answers.add("grace", entry("grace", "G"))
    for (let at = 0; at < 100; at++) answers.add(`a${at}`, entry("ada", String(at)))
    assert.strictEqual(answers.find("grace", 0), "G")
    const known = Array.from({ length: 100 }, (_, at) => answers.find(`a${at}`, 0)).filter((one) => one !== undefined)
    assert.deepStrictEqual(known, ["97", "98", "99"])
  })

  it("OPS-14 of whoever has most are forgotten first when all take too much", () => {
    const answers = new RememberedAnswers<string>(limits)
    answers.add("grace", entry("grace", "G"))
    for (let owner = 0; owner < 5; owner++) {
      for (let at = 0; at < 3; at++) answers.add(`${owner} ${at}`, entry(`owner ${owner}`, "x"))
    }
    assert.strictEqual(answers.find("grace", 0), "G")
    assert.strictEqual(answers.find("4 2", 0), "x")
  })

  it("OPS-14 that are larger than the memory of their caller are not kept", () => {
    const answers = new RememberedAnswers<string>(limits)
    answers.add("a", { ...entry("ada", "A"), bytes: 1_000_000 })
    assert.isUndefined(answers.find("a", 0))
    answers.add("a", entry("ada", "A"))
    assert.strictEqual(answers.find("a", 0), "A")
  })
})
