import { assert, describe, it } from "@effect/vitest"
import { sharesOf } from "./Shares.ts"

const all = ({ extractions, readings }: ReturnType<typeof sharesOf>) =>
  readings.inTurn + readings.aside + extractions.inTurn + extractions.aside

describe("shares", () => {
  it("READ-18 MEDIA-51 by default there is room aside, and a process for everything that is begun", () => {
    for (const cores of [1, 2, 3, 4, 8, 64]) {
      const shares = sharesOf(undefined, cores)
      assert.strictEqual(shares.processes, all(shares))
      assert.isAtLeast(shares.readings.inTurn, 2)
      assert.isAtLeast(shares.readings.aside, 2)
      assert.isAtLeast(shares.extractions.aside, 2)
    }
    assert.deepStrictEqual(sharesOf(undefined, 2).previews, { inTurn: 1, aside: 2 })
    assert.deepStrictEqual(sharesOf(1).previews, { inTurn: 1, aside: 0 })
    assert.strictEqual(sharesOf(undefined, 2).processes, 7)
    assert.strictEqual(sharesOf(undefined, 4).processes, 12)
  })

  it("READ-18 MEDIA-51 a host has at most twice as many processes as it chose, and one for everything that is begun", () => {
    for (let chosen = 1; chosen <= 32; chosen++) {
      const shares = sharesOf(chosen, 2)
      assert.strictEqual(shares.processes, all(shares))
      assert.isAtMost(shares.processes, 2 * chosen)
      assert.strictEqual(shares.readings.inTurn, chosen)
      assert.isAtLeast(shares.extractions.inTurn, 1)
      assert.isAtLeast(shares.extractions.aside, 0)
    }
  })
})
