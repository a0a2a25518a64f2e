import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "fast-check"
import * as FrameRate from "../facts/FrameRate.ts"
import * as Timecode from "./Timecode.ts"

/** The rates that editing programs have. */
const rates = ["24000/1001", "24/1", "25/1", "30000/1001", "30/1", "50/1", "60000/1001", "60/1"].map((text) =>
  FrameRate.parse(text)!
)

/** The frame of a timecode, by the rule of SMPTE ST 12-1 and not by the code that wrote it. */
const read = (timecode: string, perSecond: number): number => {
  const [, hours, minutes, seconds, mark, frames] = /^(\d\d):(\d\d):(\d\d)([:;])(\d\d)$/.exec(timecode)!
  const allMinutes = Number(hours) * 60 + Number(minutes)
  const number = (allMinutes * 60 + Number(seconds)) * perSecond + Number(frames)
  return mark === ";" ? number - 2 * (allMinutes - Math.floor(allMinutes / 10)) : number
}

const anyRate = FastCheck.constantFrom(...rates)
/** Of 24 hours at most. */
const anyFrame = (rate: FrameRate.FrameRate) =>
  FastCheck.integer({ min: 0, max: Math.floor(86_399 * FrameRate.toNumber(rate)) })
const framed = anyRate.chain((rate) => FastCheck.tuple(FastCheck.constant(rate), anyFrame(rate)))

describe("Timecode", () => {
  it("REV-2 a frame's timecode is read back as that frame, at every rate", () => {
    FastCheck.assert(
      FastCheck.property(framed, ([rate, frame]) => {
        assert.strictEqual(read(Timecode.format(frame, rate), Timecode.nominal(rate)), frame)
      }),
      { numRuns: 5_000 }
    )
  })

  it("REV-2 the position where a frame begins is that frame, also rounded to a millisecond", () => {
    FastCheck.assert(
      FastCheck.property(framed, ([rate, frame]) => {
        const begin = Number(Timecode.beginOf(frame, rate).over) / rate.frames
        assert.strictEqual(Timecode.frameAt(begin, rate), frame)
        assert.strictEqual(Timecode.frameAt(Math.round(begin * 1_000) / 1_000, rate), frame)
        assert.strictEqual(Timecode.frameAt(Number(begin.toFixed(6)), rate), frame)
      }),
      { numRuns: 5_000 }
    )
  })

  it("REV-2 a position within a frame is that frame, to its end", () => {
    FastCheck.assert(
      FastCheck.property(framed, FastCheck.double({ min: 0, max: 0.95, noNaN: true }), ([rate, frame], part) => {
        // Of 60 frames a second 0.05 are 0.8 ms.
        const within = (frame + Math.min(part, 0.95)) * rate.seconds / rate.frames
        assert.strictEqual(Timecode.frameAt(within, rate), frame)
      }),
      { numRuns: 5_000 }
    )
  })

  it.each([
    [0, "00:00:00;00"],
    [1_799, "00:00:59;29"],
    [1_800, "00:01:00;02"],
    [17_981, "00:09:59;29"],
    [17_982, "00:10:00;00"],
    [19_781, "00:10:59;29"],
    [19_782, "00:11:00;02"],
    [107_892, "01:00:00;00"]
  ])("REV-2 frame %s of 29.97 is at %s", (frame, timecode) => {
    assert.strictEqual(Timecode.format(frame, FrameRate.parse("30000/1001")!), timecode)
  })

  it("REV-2 drop frame is at most two frames from the clock, within a day", () => {
    const rate = FrameRate.parse("30000/1001")!
    FastCheck.assert(FastCheck.property(anyFrame(rate), (frame) => {
      const number = Timecode.format(frame, rate).split(/[:;]/).map(Number)
      const shown = number[0]! * 3_600 + number[1]! * 60 + number[2]! + number[3]! / 30
      // It loses a frame in 9 hours and 15 minutes.
      assert.isAtMost(Math.abs(shown - frame * 1_001 / 30_000), 5 / 30)
    }))
  })

  it.each([
    [0, "0:00"],
    [5.9, "0:05"],
    [65, "1:05"],
    [3_599.999_9, "1:00:00"],
    [3_725.2, "1:02:05"],
    [36_000, "10:00:00"]
  ])("REV-3 %s seconds are read as %s", (seconds, timecode) => {
    assert.strictEqual(Timecode.spoken(seconds), timecode)
  })

  it("REV-2 a rate of its own has timecodes as well", () => {
    assert.strictEqual(Timecode.format(61, { frames: 25, seconds: 2 }), "00:00:04:09")
    assert.strictEqual(Timecode.format(1_000, { frames: 240, seconds: 1 }), "00:00:04:040")
  })
})
