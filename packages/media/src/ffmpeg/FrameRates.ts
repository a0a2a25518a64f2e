/**
 * The frame rate of a video, from the two that ffprobe states: `r_frame_rate`, the lowest by which every time stamp is a
 * multiple (twice as high where fields are interlaced), and `avg_frame_rate`, frames by duration (imprecise where the frames
 * don't come evenly, as of telephones).
 */
import { FrameRate } from "@filedrive/core"
import type { Stream } from "./Probe.ts"

type Rate = FrameRate.FrameRate

/** What cameras and players use. Containers round some of these: 2997/100 is meant to be 30000/1001. */
const standard: ReadonlyArray<Rate> = [24, 25, 30, 48, 50, 60, 90, 100, 120, 240].flatMap((whole) => [
  { frames: whole, seconds: 1 },
  ...(whole % 6 === 0 ? [{ frames: whole * 1_000, seconds: 1_001 }] : [])
])

/** How far apart two rates are, as a part of the second. */
const apart = (one: Rate, other: Rate): number => Math.abs(FrameRate.toNumber(one) / FrameRate.toNumber(other) - 1)

const nearest = (rate: Rate): Rate =>
  standard.reduce((best, next) => apart(rate, next) < apart(rate, best) ? next : best)

/** A rounded rate is so close to what is meant; 24 and 23.976 are a thousandth apart. */
const rounding = 0.000_1

/** Frames that come unevenly average so close to the rate that was meant. */
const uneven = 0.05

/** As a fraction like `30000/1001`; null where none is stated. */
export const of = (
  { avg_frame_rate, r_frame_rate }: Pick<Stream, "avg_frame_rate" | "r_frame_rate">
): string | null => {
  const average = FrameRate.parse(avg_frame_rate ?? "")
  const lowest = FrameRate.parse(r_frame_rate ?? "")
  const rate = average === undefined ? lowest : choose(average, lowest)
  return rate === undefined ? null : FrameRate.format(rate)
}

const choose = (average: Rate, lowest: Rate | undefined): Rate => {
  const meant = nearest(average)
  if (apart(average, meant) < rounding) return meant
  if (lowest !== undefined) {
    // An average that is not exact, of a video whose time stamps tell the rate.
    if (apart(lowest, nearest(lowest)) < rounding && apart(average, lowest) < uneven) return nearest(lowest)
    // Even frames at a rate of their own, like the 10 a second of a recorded screen.
    if (apart(average, lowest) < rounding) return average
  }
  return apart(average, meant) < uneven ? meant : average
}
