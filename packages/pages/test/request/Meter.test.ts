import { assert, describe, it } from "@effect/vitest"
import { Meter } from "../../browser/request/Meter.ts"

describe("Meter", () => {
  it("PAGE-41 tells the speed of the last seconds", () => {
    let now = 0
    const meter = new Meter(() => now)
    assert.strictEqual(meter.bytesPerSecond, 0)
    for (let step = 0; step < 40; step++) {
      meter.add(25_000)
      now += 100
    }
    assert.closeTo(meter.bytesPerSecond, 250_000, 10_000)
    // What is slower now is told soon.
    for (let step = 0; step < 60; step++) {
      meter.add(1_000)
      now += 100
    }
    assert.closeTo(meter.bytesPerSecond, 10_000, 1_000)
    now += 6_000
    assert.strictEqual(meter.bytesPerSecond, 0)
  })

  it("PAGE-41 takes no fright at the first bytes, and none of what is sent again", () => {
    let now = 0
    const meter = new Meter(() => now)
    meter.add(1_000_000)
    now = 10
    assert.strictEqual(meter.bytesPerSecond, 1_000_000)
    meter.add(-500_000)
    assert.strictEqual(meter.bytesPerSecond, 1_000_000)
  })
})
