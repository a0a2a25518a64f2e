import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Limits from "../limits/Limits.ts"
import * as PartPlan from "./PartPlan.ts"

const MiB = 1024 ** 2
const GiB = 1024 ** 3
const TiB = 1024 ** 4

describe("PartPlan", () => {
  it("UP-31 the parts of every size add up to it and never pass 10,000", () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: Limits.fileSizeMaxBytes }), (fileSizeBytes) => {
      const plan = PartPlan.make(fileSizeBytes)
      const last = PartPlan.partLength(plan, plan.partCount)
      assert.strictEqual(plan.partSizeBytes * (plan.partCount - 1) + last, fileSizeBytes)
      assert.isTrue(last >= 1 && last <= plan.partSizeBytes)
      assert.isTrue(plan.partCount <= Limits.partsMaxCount)
      assert.strictEqual(plan.partSizeBytes % MiB, 0)
    }))
  })

  it.each([
    { fileSizeBytes: 1, partSizeBytes: 64 * MiB, partCount: 1 },
    { fileSizeBytes: 64 * MiB, partSizeBytes: 64 * MiB, partCount: 1 },
    { fileSizeBytes: 64 * MiB + 1, partSizeBytes: 64 * MiB, partCount: 2 },
    { fileSizeBytes: 625 * GiB, partSizeBytes: 64 * MiB, partCount: 10_000 },
    { fileSizeBytes: 625 * GiB + 1, partSizeBytes: 65 * MiB, partCount: 9_847 },
    { fileSizeBytes: 2 * TiB, partSizeBytes: 210 * MiB, partCount: 9_987 }
  ])("UP-30 $fileSizeBytes bytes make $partCount parts", ({ fileSizeBytes, partCount, partSizeBytes }) => {
    assert.deepStrictEqual(PartPlan.make(fileSizeBytes), { fileSizeBytes, partSizeBytes, partCount })
  })

  it("UP-106 the size that covers several has room for each part of each, and is the largest but above 600 GiB", () => {
    const size = fc.oneof(
      fc.integer({ min: 1, max: 10 * GiB }),
      fc.integer({ min: 600 * GiB, max: 700 * GiB }),
      fc.integer({ min: 1, max: Limits.fileSizeMaxBytes })
    )
    fc.assert(
      fc.property(fc.array(size, { minLength: 1, maxLength: 6 }), fc.nat(9_999), (sizes, part) => {
        const covered = sizes.reduce(PartPlan.cover)
        const largest = Math.max(...sizes)
        assert.isTrue(covered >= largest && covered <= largest + Limits.partsMaxCount * MiB)
        if (largest <= 600 * GiB) assert.strictEqual(covered, largest)
        const cover = PartPlan.make(covered)
        const lengthIn = (plan: PartPlan.PartPlan, number: number) =>
          number > plan.partCount ? 0 : PartPlan.partLength(plan, number)
        for (const plan of sizes.map(PartPlan.make)) {
          for (const number of [1, part + 1, plan.partCount, cover.partCount]) {
            assert.isTrue(lengthIn(plan, number) <= lengthIn(cover, number), `part ${number} of ${sizes}`)
          }
        }
        assert.strictEqual(PartPlan.cover(covered, sizes[0]!), covered)
      }),
      { numRuns: 2_000 }
    )
  })

  it.each([
    { one: 5, other: 9, covered: 9 },
    { one: 64 * MiB, other: 1, covered: 64 * MiB },
    { one: 625 * GiB, other: 700 * GiB, covered: 10_000 * 72 * MiB },
    { one: 700 * GiB, other: 300 * GiB, covered: 700 * GiB },
    { one: 2 * TiB, other: 625 * GiB, covered: 10_000 * 210 * MiB }
  ])("UP-106 $one and $other bytes are covered by $covered", ({ covered, one, other }) => {
    assert.strictEqual(PartPlan.cover(one, other), covered)
    assert.strictEqual(PartPlan.cover(other, one), covered)
  })

  it("UP-33 a stored part fits when its number and its size are planned", () => {
    const plan = PartPlan.make(130 * MiB)
    assert.deepStrictEqual(
      [
        { partNumber: 1, sizeBytes: 64 * MiB },
        { partNumber: 3, sizeBytes: 2 * MiB },
        { partNumber: 3, sizeBytes: 64 * MiB },
        { partNumber: 2, sizeBytes: 64 * MiB - 1 },
        { partNumber: 4, sizeBytes: 64 * MiB },
        { partNumber: 0, sizeBytes: 64 * MiB }
      ].map((part) => PartPlan.fits(plan, part)),
      [true, true, false, false, false, false]
    )
  })

  it("UP-32 the missing parts come in order and no more than asked for", () => {
    const plan = PartPlan.make(64 * MiB * 150)
    const stored = [1, 3].map((partNumber) => ({ partNumber, sizeBytes: 64 * MiB }))
    assert.deepStrictEqual(PartPlan.missing(plan, stored, 3), [2, 4, 5])
    assert.strictEqual(PartPlan.missing(plan, stored).length, 148)
  })
})
