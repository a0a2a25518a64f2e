/** How often an owner's page loads again what strangers change. */
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { paced } from "../../browser/owner/paced.ts"

describe("what an owner's page loads again", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const loading = (millis: number) => {
    const begun: Array<number> = []
    const start = Date.now()
    const soon = paced(() => {
      begun.push(Date.now() - start)
      return new Promise((resolve) => setTimeout(resolve, millis))
    })
    return { begun, soon }
  }

  it("PAGE-153 while visitors send without end a page loads a quarter of the time", async () => {
    const { begun, soon } = loading(2_000)
    for (let at = 0; at < 40_000; at += 100) {
      soon()
      await vi.advanceTimersByTimeAsync(100)
    }
    assert.deepStrictEqual(begun, [500, 8_500, 16_500, 24_500, 32_500])
  })

  it("PAGE-153 a single change is loaded at once, and what comes while the page loads is loaded afterwards", async () => {
    const { begun, soon } = loading(100)
    soon()
    await vi.advanceTimersByTimeAsync(550)
    soon()
    await vi.advanceTimersByTimeAsync(60_000)
    soon()
    await vi.advanceTimersByTimeAsync(60_000)
    assert.deepStrictEqual(begun, [500, 1_100, 61_050])
  })
})
