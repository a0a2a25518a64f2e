import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import type { OpenedReview } from "../../browser/review/OpenedReview.ts"
import { makeWaiting } from "../../browser/review/Waiting.ts"

const stream = { url: "https://drive.example/storage/1", mimeType: "video/mp4", expireTime: "2026-01-01T06:00:00.000Z" }

/** What the drive answers of a video or a track, as far as waiting looks at it. */
const answer = (
  type: "Video" | "Audio",
  frameRate: number | null,
  { peaksUrl = null, status = "none" }: { readonly peaksUrl?: string | null; readonly status?: "none" | "working" } = {}
) => ({ file: { type, frameRate }, peaksUrl, preview: { status, progress: 0, error: null }, stream }) as OpenedReview

const peaksUrl = "https://drive.example/storage/peaks"

describe("what is still being made of a review's file", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** How often the page asks when it gets this answer again and again. */
  const asked = async (opened: OpenedReview, hours = 1): Promise<number> => {
    let count = 0
    const waiting = makeWaiting(async () => {
      count++
      waiting.look(opened)
    })
    waiting.look(opened)
    await vi.advanceTimersByTimeAsync(hours * 3_600_000)
    waiting.stop()
    return count
  }

  it("PAGE-160 a video that plays, and whose frame rate is not known yet, is asked for again, but not for ever", async () => {
    assert.isAtLeast(await asked(answer("Video", null, { peaksUrl }), 5 / 60), 6)
    assert.strictEqual(await asked(answer("Video", null, { peaksUrl }), 24), 26)
    assert.strictEqual(await asked(answer("Video", 25, { peaksUrl })), 0)
  })

  it("PAGE-221 the shape of the sound is waited for, of a video too, for longer than making it takes", async () => {
    for (const opened of [answer("Audio", null), answer("Video", 25)]) {
      assert.isAtLeast(await asked(opened, 0.5), 12)
      assert.strictEqual(await asked(opened, 24), 26)
    }
    assert.strictEqual(await asked(answer("Audio", null, { peaksUrl })), 0)
  })

  it("PAGE-221 who leaves and comes back often takes no try away, and waits no longer for it", async () => {
    let count = 0
    const opened = answer("Video", null)
    const waiting = makeWaiting(async () => {
      count++
      waiting.look(opened)
    })
    const comeAndGo = async (times: number, millis: number) => {
      for (let time = 0; time < times; time++) {
        waiting.stop()
        waiting.look(opened)
        await vi.advanceTimersByTimeAsync(millis)
      }
    }
    await comeAndGo(100, 0)
    assert.strictEqual(count, 0)
    await comeAndGo(5, 1_000)
    assert.strictEqual(count, 1)
    await vi.advanceTimersByTimeAsync(24 * 3_600_000)
    assert.strictEqual(count, 26)
  })

  it("PAGE-70 a preview is asked for until it is there", async () => {
    assert.isAbove(await asked(answer("Video", null, { status: "working" })), 200)
  })
})
