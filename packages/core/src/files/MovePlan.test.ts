import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import * as fc from "fast-check"
import * as Limits from "../limits/Limits.ts"
import * as MovePlan from "./MovePlan.ts"

const storedTime = DateTime.makeUnsafe(0)
const size = fc.integer({ min: 1, max: Limits.fileSizeMaxBytes })

describe("MovePlan", () => {
  it("ACC-4 the parts cover every byte once, are of one size but the last, and never more than a store takes", () => {
    fc.assert(
      fc.property(size, (sizeBytes) => {
        const count = MovePlan.partCount(sizeBytes)
        assert.isAtMost(count, Limits.partsMaxCount)
        let next = 0
        for (let number = 1; number <= count; number++) {
          const { end, start } = MovePlan.range(sizeBytes, number)
          assert.strictEqual(start, next)
          if (number < count) assert.strictEqual(end - start + 1, MovePlan.movePartSizeBytes)
          next = end + 1
        }
        assert.strictEqual(next, sizeBytes)
      }),
      { numRuns: 20 }
    )
  })

  it("ACC-4 a move goes on with the parts that are not stored whole", () => {
    const sizeBytes = 3 * MovePlan.movePartSizeBytes + 7
    const part = (partNumber: number, sizeBytes: number) => ({ partNumber, sizeBytes, etag: "e", storedTime })
    const stored = [part(1, MovePlan.movePartSizeBytes), part(2, 5), part(4, 7)]
    assert.deepStrictEqual(MovePlan.missing(sizeBytes, stored), [2, 3])
    assert.deepStrictEqual(MovePlan.missing(sizeBytes, []), [1, 2, 3, 4])
  })
})
