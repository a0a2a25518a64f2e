import { assert, describe, it } from "@effect/vitest"
import { assert as assertProperty, property, string } from "fast-check"
import { clientKey } from "../../browser/request/clientKey.ts"

const file = { name: "tram.jpg", size: 12, lastModified: 1_767_225_600_000 }

describe("clientKey", () => {
  it("PAGE-40 is the same for the same file, and another one for another", () => {
    assert.strictEqual(clientKey("", file), clientKey("", { ...file }))
    const others = [
      clientKey("", file),
      clientKey("Trip", file),
      clientKey("", { ...file, size: 13 }),
      clientKey("", { ...file, lastModified: file.lastModified + 1 }),
      clientKey("", { ...file, name: "tram2.jpg" }),
      clientKey("Trip/Day 1", file),
      clientKey("Trip", { ...file, name: `${"a".repeat(300)}1` }),
      clientKey("Trip", { ...file, name: `${"a".repeat(300)}2` })
    ]
    assert.strictEqual(new Set(others).size, others.length)
  })

  it("PAGE-40 has 1 to 200 characters in one line, whatever a file is called", () => {
    assertProperty(
      property(string({ unit: "binary", maxLength: 120 }), string({ maxLength: 120 }), (name, folder) => {
        const key = clientKey(folder, { ...file, name: `${name}\n\u2028\u0000${name}` })
        assert.isAtMost(key.length, 200)
        assert.match(key, /^\S/)
        // oxlint-disable-next-line no-control-regex -- there must be none
        assert.notMatch(key, /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
        assert.isTrue(key.isWellFormed())
      })
    )
  })
})
