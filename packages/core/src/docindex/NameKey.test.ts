import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as NameKey from "./NameKey.ts"

describe("NameKey", () => {
  it("SRCH-21 names are in the order people expect", () => {
    const ordered = ["a 2", "A 010", "ä 11", "b", "img1", "img9.jpg", "IMG10.jpg", "img010b.jpg", "img100.jpg", "zebra"]
    const sorted = ordered.toReversed().sort((a, b) => NameKey.of(a) < NameKey.of(b) ? -1 : 1)
    assert.deepStrictEqual(sorted, ordered)
  })

  it("SRCH-21 numbers are in the order of their values", () => {
    const number = fc.bigInt({ min: 0n, max: 10n ** 39n })
    fc.assert(fc.property(number, number, (a, b) => {
      const [x, y] = [NameKey.of(`x${a}`), NameKey.of(`x${b}`)]
      assert.strictEqual(x < y, a < b)
    }))
  })

  it("SRCH-21 a key fits an index, whatever the name", () => {
    for (const name of ["a1".repeat(512), "ﷺ".repeat(341), "9".repeat(1024), "😀".repeat(256)]) {
      assert.isAtMost(new TextEncoder().encode(NameKey.of(name)).length, 800)
    }
  })
})
