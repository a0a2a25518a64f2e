import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import * as fc from "fast-check"
import * as Limits from "../limits/Limits.ts"
import * as TransferPlan from "./TransferPlan.ts"

const storedTime = DateTime.makeUnsafe(0)
const size = fc.integer({ min: 1, max: Limits.fileSizeMaxBytes })

describe("TransferPlan", () => {
  it("ACC-4 the parts cover every byte once, are of one size but the last, and never more than a store takes", () => {
    fc.assert(
      fc.property(size, (sizeBytes) => {
        const count = TransferPlan.partCount(sizeBytes)
        assert.isAtMost(count, Limits.partsMaxCount)
        let next = 0
        for (let number = 1; number <= count; number++) {
          const { end, start } = TransferPlan.range(sizeBytes, number)
          assert.strictEqual(start, next)
          if (number < count) assert.strictEqual(end - start + 1, TransferPlan.movePartSizeBytes)
          next = end + 1
        }
        assert.strictEqual(next, sizeBytes)
      }),
      { numRuns: 20 }
    )
  })

  it("ACC-4 a move continues with the parts that are not stored whole", () => {
    const sizeBytes = 3 * TransferPlan.movePartSizeBytes + 7
    const part = (partNumber: number, sizeBytes: number) => ({ partNumber, sizeBytes, etag: "e", storedTime })
    const stored = [part(1, TransferPlan.movePartSizeBytes), part(2, 5), part(4, 7)]
    assert.deepStrictEqual(TransferPlan.missing(sizeBytes, stored), [2, 3])
    assert.deepStrictEqual(TransferPlan.missing(sizeBytes, []), [1, 2, 3, 4])
  })
})
