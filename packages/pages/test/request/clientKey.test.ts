import { assert, describe, it } from "@effect/vitest"
import { clientKey } from "../../browser/request/clientKey.ts"

const file = { name: "tram.jpg", size: 12, lastModified: 1_767_225_600_000 }

describe("clientKey", () => {
  it("PAGE-40 is the same for the same file, and another one for another", () => {
    assert.strictEqual(clientKey("", file), clientKey("", { ...file }))
    const others = [
      clientKey("", file),
      clientKey("Trip", file),
      clientKey("Trip/Day 1", file),
      clientKey("", { ...file, size: 13 }),
      clientKey("", { ...file, lastModified: file.lastModified + 1 }),
      clientKey("", { ...file, name: "tram2.jpg" }),
      clientKey("", { ...file, name: "mart.jpg" }),
      clientKey("", { ...file, name: `${"a".repeat(300)}1` }),
      clientKey("", { ...file, name: `${"a".repeat(300)}2` }),
      ...Array.from({ length: 5_000 }, (_, place) => clientKey("Trip", { ...file, name: `IMG_${place}.jpg` }))
    ]
    assert.strictEqual(new Set(others).size, others.length)
  })

  it("PAGE-40 is a short line of plain characters, whatever a file is called", () => {
    for (const name of ["\u0000\n\u202E", "\uD800", "x".repeat(100_000), ""]) {
      assert.match(clientKey(name, { ...file, name }), /^12 1767225600000 [0-9a-z]{2,14}$/)
    }
  })
})
