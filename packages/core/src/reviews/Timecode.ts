/**
 * Positions in a file: as seconds, as frames of its own rate, and as they are written. Computed in whole numbers, so that a
 * frame is the same one hours into a video of 29.97 frames a second.
 */
import type * as FrameRate from "../facts/FrameRate.ts"

type Rate = FrameRate.FrameRate

/** For tracks, which have no frames of their own. */
export const ofTracks: Rate = { frames: 30, seconds: 1 }

/** Frames that a timecode counts in a second: 30 for 29.97. */
export const nominal = ({ frames, seconds }: Rate): number => Math.max(1, Math.round(frames / seconds))

/**
 * Whether timecodes of this rate leave out numbers to keep up with the clock: 29.97, where each minute but every tenth begins
 * with number 2. Other rates are written without gaps.
 */
export const isDropFrame = ({ frames, seconds }: Rate): boolean => frames === 30_000 && seconds === 1_001

/** Players tell positions rounded to a millisecond: so much before its beginning a position belongs to the next frame. */
const roundingSeconds = 0.000_6

/** In frames: of very high rates a millisecond is several. */
const roundingMaxFrames = 0.1

/** The number of the frame that is shown at a position; the first is 0. */
export const frameAt = (positionSeconds: number, { frames, seconds }: Rate): number => {
  const exact = positionSeconds * frames / seconds
  return Math.floor(exact + Math.min(roundingSeconds * frames / seconds, roundingMaxFrames))
}

/** When a frame begins, in seconds: a fraction that is not shortened, like `1001/30000`. */
export const beginOf = (
  frame: number,
  { frames, seconds }: Rate
): { readonly over: bigint; readonly under: bigint } => ({
  over: BigInt(frame) * BigInt(seconds),
  under: BigInt(frames)
})

const framesOfHour = (perSecond: number) => perSecond * 3_600

const two = (number: number): string => String(number).padStart(2, "0")

/** The number that drop-frame timecode gives to a frame: two are left out in each minute but every tenth. */
const numbered = (frame: number, perSecond: number): number => {
  const [left, minute] = [2, perSecond * 60]
  const tenMinutes = minute * 10 - left * 9
  const tens = Math.floor(frame / tenMinutes)
  const within = frame % tenMinutes
  const minutes = within < minute ? 0 : 1 + Math.floor((within - minute) / (minute - left))
  return frame + left * (tens * 9 + minutes)
}

/** As editing programs write a frame's time: `01:02:03:04`, of drop frame `01:02:03;04`. After 99 hours it begins anew. */
export const format = (frame: number, rate: Rate): string => {
  const perSecond = nominal(rate)
  const number = (isDropFrame(rate) ? numbered(frame, perSecond) : frame) % (framesOfHour(perSecond) * 100)
  const seconds = Math.floor(number / perSecond)
  return [
    two(Math.floor(seconds / 3_600)),
    ":",
    two(Math.floor(seconds / 60) % 60),
    ":",
    two(seconds % 60),
    isDropFrame(rate) ? ";" : ":",
    String(number % perSecond).padStart(perSecond > 100 ? 3 : 2, "0")
  ].join("")
}

/** As people read a position: `1:05`, `1:02:05`. */
export const spoken = (positionSeconds: number): string => {
  const whole = Math.floor(positionSeconds + roundingSeconds)
  const [hours, minutes, seconds] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, two(whole % 60)]
  return hours === 0 ? `${minutes}:${seconds}` : `${hours}:${two(minutes)}:${seconds}`
}
