/**
 * Positions as frames of the file's own rate, and as they are written: what docs/reviews.md says of exports, so that a note is at the same
 * frame here and there. Tracks have no frames.
 */

/** So many frames in so many seconds: 30,000 in 1,001. */
export interface Rate {
  readonly frames: number
  readonly seconds: number
}

/** Numbers that are nearer than this are the same rate. */
const nearness = 0.0005

/** The fraction that a number of frames a second stands for; null where the drive does not know it. */
export const rateOf = (perSecond: number | null): Rate | null => {
  if (perSecond === null || !(perSecond > 0)) return null
  const whole = Math.round(perSecond)
  if (Math.abs(perSecond - whole) < nearness) return { frames: Math.max(1, whole), seconds: 1 }
  const broadcast = Math.round(perSecond * 1.001)
  if (Math.abs(perSecond - broadcast * 1_000 / 1_001) < nearness) return { frames: broadcast * 1_000, seconds: 1_001 }
  return { frames: Math.round(perSecond * 1_000), seconds: 1_000 }
}

/** Players tell positions rounded to a millisecond: so much before its beginning a position belongs to the next frame. */
const roundingSeconds = 0.000_6
const roundingMaxFrames = 0.1

/** The number of the frame that is shown at a position; the first is 0. */
export const frameAt = (positionSeconds: number, { frames, seconds }: Rate): number =>
  Math.max(
    0,
    Math.floor(
      positionSeconds * frames / seconds + Math.min(roundingSeconds * frames / seconds, roundingMaxFrames)
    )
  )

/** When a frame begins, to the microsecond. */
export const beginOf = (frame: number, { frames, seconds }: Rate): number =>
  Math.round(frame * seconds / frames * 1_000_000) / 1_000_000

/** Where a player shows a frame for certain: in its middle, since at its beginning it may show the one before. */
export const middleOf = (frame: number, { frames, seconds }: Rate): number => (frame + 0.5) * seconds / frames

const two = (number: number): string => String(number).padStart(2, "0")

/** The number that drop-frame timecode gives to a frame (SMPTE ST 12-1): two are left out in each minute but every tenth. */
const dropped = (frame: number): number => {
  const tens = Math.floor(frame / 17_982)
  const within = frame % 17_982
  return frame + 18 * tens + (within < 1_800 ? 0 : 2 * (1 + Math.floor((within - 1_800) / 1_798)))
}

/** As editing programs write it: `01:02:03:04`, of 29.97 with drop frame `01:02:03;04`. */
export const timecode = (positionSeconds: number, rate: Rate): string => {
  const frame = frameAt(positionSeconds, rate)
  const isDrop = rate.frames === 30_000 && rate.seconds === 1_001
  const perSecond = Math.max(1, Math.round(rate.frames / rate.seconds))
  const number = (isDrop ? dropped(frame) : frame) % (perSecond * 360_000)
  const whole = Math.floor(number / perSecond)
  const rest = String(number % perSecond).padStart(perSecond > 100 ? 3 : 2, "0")
  return [two(Math.floor(whole / 3_600)), two(Math.floor(whole / 60) % 60), two(whole % 60)].join(":") +
    (isDrop ? ";" : ":") + rest
}

/** Of a track, or a video of unknown rate, to a tenth of a second: `1:05.2`, `1:02:05.0`. */
export const clock = (positionSeconds: number): string => {
  const tenths = Math.floor((positionSeconds + roundingSeconds) * 10)
  const whole = Math.floor(tenths / 10)
  const [hours, minutes, seconds] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, two(whole % 60)]
  return `${hours === 0 ? minutes : `${hours}:${two(minutes)}`}:${seconds}.${tenths % 10}`
}
