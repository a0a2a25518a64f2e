import { assert, describe, it } from "@effect/vitest"
import { parseDraft, parseReviewer } from "../../browser/review/Kept.ts"
import { barsOf, parsePeaks } from "../../browser/review/peaks.ts"

describe("what is kept of a reviewer", () => {
  it("PAGE-77 is read as what it is, and anything else is not", () => {
    assert.deepStrictEqual(parseReviewer("{\"name\":\"Grace\",\"token\":\"fdr_1\"}"), { name: "Grace", token: "fdr_1" })
    for (const text of [null, "null", "[]", "7", "{\"name\":7,\"token\":{}}"]) {
      assert.deepStrictEqual(parseReviewer(text), { name: "", token: null })
    }
    const draft = { text: "Too dark", seconds: 4.2, endSeconds: 5 }
    assert.deepStrictEqual(parseDraft(JSON.stringify(draft)), draft)
    assert.deepStrictEqual(parseDraft("{\"text\":\"a\",\"seconds\":-1,\"endSeconds\":3}"), {
      text: "a",
      seconds: null,
      endSeconds: null
    })
    for (const text of [null, "[]", "{\"seconds\":1}"]) assert.isNull(parseDraft(text))
  })
})

describe("the shape of a sound", () => {
  it("PAGE-71 is a list of pairs of numbers, and nothing else is drawn", () => {
    assert.deepStrictEqual(parsePeaks([-0.5, 0.5, 1]), [-0.5, 0.5])
    for (const other of [null, {}, [], [1], ["a", "b"], [null, 1], { length: 2 }]) assert.isNull(parsePeaks(other))
  })

  it("PAGE-71 has a bar for each part of the track, the loudest as high as it goes", () => {
    assert.deepStrictEqual(barsOf([-0.1, 0.1, -0.4, 0.2, 0, 0, -0.2, 0.2], 4), [0.25, 1, 0, 0.5])
    assert.deepStrictEqual(barsOf([-0.1, 0.1, -0.4, 0.2, 0, 0, -0.2, 0.2], 2), [1, 0.5])
    assert.lengthOf(barsOf([-1, 1], 700), 700)
    assert.deepStrictEqual(barsOf([0, 0], 2), [0, 0])
  })
})
