import { assert, describe, it } from "@effect/vitest"
import { nothing, parsed } from "../../browser/request/Kept.ts"

const item = { key: "1 2 a", name: "a.jpg", folder: "Trip", size: 12, type: "image/jpeg" }

describe("what is kept", () => {
  it("PAGE-42 is read as it was written", () => {
    const kept = { dropToken: "fdd_a", senderName: "Grace", note: "Hello", access: "fda_b", items: [item] }
    assert.deepStrictEqual(parsed(JSON.stringify(kept)), kept)
    assert.deepStrictEqual(parsed(null), nothing)
  })

  it.each(["null", "3", "\"text\"", "[]", "{\"dropToken\":3,\"items\":{}}", "{\"senderName\":[],\"access\":{}}"])(
    "PAGE-42 is nothing where it is %s",
    (text) => assert.deepStrictEqual(parsed(text), nothing)
  )

  it("PAGE-42 leaves out items that are none", () => {
    const items = [item, null, 3, { ...item, size: "12" }, { ...item, key: undefined }, { ...item, size: 1.5 }]
    assert.deepStrictEqual(parsed(JSON.stringify({ items })).items, [item])
  })
})
