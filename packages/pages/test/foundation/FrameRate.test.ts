import { assert, describe, it } from "@effect/vitest"
import * as Timecode from "../../../core/src/reviews/Timecode.ts"
import { beginOf, clock, frameAt, middleOf, rateOf, timecode } from "../../browser/foundation/FrameRate.ts"

const rates = [
  [23.976_023_976, 24_000, 1_001],
  [24, 24, 1],
  [25, 25, 1],
  [30_000 / 1_001, 30_000, 1_001],
  [29.97, 30_000, 1_001],
  [59.940_059_94, 60_000, 1_001],
  [120, 120, 1],
  [12.5, 12_500, 1_000]
] as const

describe("frames", () => {
  it("PAGE-60 a rate is the exact fraction that is meant", () => {
    for (const [told, frames, seconds] of rates) assert.deepStrictEqual(rateOf(told), { frames, seconds }, String(told))
    for (const nothing of [null, 0, -1, NaN]) assert.isNull(rateOf(nothing))
  })

  it("PAGE-60 a position is the frame and the timecode that exports have", () => {
    for (const [told] of rates) {
      const rate = rateOf(told)!
      for (let position = 0; position < 90_000; position = position * 1.013 + 0.017_3) {
        assert.strictEqual(frameAt(position, rate), Timecode.frameAt(position, rate))
        assert.strictEqual(timecode(position, rate), Timecode.format(Timecode.frameAt(position, rate), rate))
      }
    }
    assert.strictEqual(timecode(60.06, rateOf(29.97)!), "00:01:00;02")
    assert.strictEqual(timecode(1, rateOf(25)!), "00:00:01:00")
  })

  it("PAGE-60 the beginning and the middle of a frame are that frame, for hours", () => {
    for (const [told] of rates) {
      const rate = rateOf(told)!
      for (let frame = 0; frame < 20_000_000; frame = Math.ceil(frame * 1.01) + 1) {
        assert.strictEqual(frameAt(beginOf(frame, rate), rate), frame)
        assert.strictEqual(frameAt(middleOf(frame, rate), rate), frame)
      }
    }
  })

  it("PAGE-60 a track has tenths of a second", () => {
    assert.deepStrictEqual([0, 65.2, 59.99, 3_725].map(clock), ["0:00.0", "1:05.2", "0:59.9", "1:02:05.0"])
  })
})
