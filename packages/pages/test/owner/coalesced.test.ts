import { assert, describe, it } from "@effect/vitest"
import { coalesced } from "../../browser/owner/coalesced.ts"

describe("what is loaded again", () => {
  it("PAGE-123 is loaded once more for all that happens meanwhile, and never twice at once", async () => {
    let runs = 0
    let running = 0
    const ends: Array<() => void> = []
    const reload = coalesced(async () => {
      runs++
      running++
      assert.strictEqual(running, 1)
      await new Promise<void>((resolve) => ends.push(resolve))
      running--
    })
    const first = reload()
    const later = [reload(), reload(), reload()]
    assert.strictEqual(runs, 1)
    ends.shift()!()
    await first
    // What was asked for meanwhile begins.
    while (ends.length === 0) await Promise.resolve()
    assert.strictEqual(runs, 2)
    ends.shift()!()
    await Promise.all(later)
    assert.strictEqual(runs, 2)
  })

  it("PAGE-129 is loaded again after it failed", async () => {
    let runs = 0
    const reload = coalesced(async () => {
      if (++runs === 1) throw new Error("The drive does not answer.")
    })
    const first = reload()
    const second = reload()
    await first.then(() => assert.fail("It did not fail."), () => undefined)
    await second
    assert.strictEqual(runs, 2)
  })
})
