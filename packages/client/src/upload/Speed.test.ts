/** How fast bytes are sent, with moved clocks. */
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { Speed } from "./Speed.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe("speed", () => {
  it("CLIENT-237 is told on while the time of day is set back by an hour", async () => {
    const speed = new Speed()
    assert.isTrue(speed.add(0))
    await vi.advanceTimersByTimeAsync(1_000)
    assert.isTrue(speed.add(1_000))
    vi.setSystemTime(Date.now() - 3_600_000)
    await vi.advanceTimersByTimeAsync(1_000)
    assert.isTrue(speed.add(2_000))
    assert.deepStrictEqual(speed.of(2_000, 4_000), {
      sentBytes: 2_000,
      totalBytes: 4_000,
      bytesPerSecond: 1_000,
      secondsLeft: 2
    })
  })

  it("CLIENT-237 is not known before the first bytes", () => {
    assert.deepInclude(new Speed().of(0, 10), { bytesPerSecond: 0, secondsLeft: null })
  })
})
