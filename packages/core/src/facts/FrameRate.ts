/**
 * How many frames a video shows a second, as an exact fraction: 30000/1001 is what is called 29.97. Positions of frames are
 * computed from it, so a rounded number would be wrong by whole frames within hours.
 */

export interface FrameRate {
  /** A whole number of frames… */
  readonly frames: number
  /** …in a whole number of seconds. The two have no common divisor. */
  readonly seconds: number
}

/** Outside of these a stated rate is an error of whoever wrote the file. */
const perSecond = { min: 1, max: 1_000 }

const termMax = 2 ** 31 - 1

const gcd = (a: number, b: number): number => b === 0 ? a : gcd(b, a % b)

/** The rate of `frames` in `seconds`; undefined where no video has such a one. */
export const make = (frames: number, seconds: number): FrameRate | undefined => {
  const isTerm = (term: number) => Number.isInteger(term) && term > 0 && term <= termMax
  if (!isTerm(frames) || !isTerm(seconds)) return undefined
  if (frames / seconds < perSecond.min || frames / seconds > perSecond.max) return undefined
  const divisor = gcd(frames, seconds)
  return { frames: frames / divisor, seconds: seconds / divisor }
}

/** Reads `30000/1001` or `25`; undefined for anything else. */
export const parse = (text: string): FrameRate | undefined => {
  const [, frames, seconds = "1"] = /^(\d{1,10})(?:\/(\d{1,10}))?$/.exec(text) ?? []
  return frames === undefined ? undefined : make(Number(frames), Number(seconds))
}

/** As {@link parse} reads it, always with both numbers: `25/1`. */
export const format = ({ frames, seconds }: FrameRate): string => `${frames}/${seconds}`

/** Frames a second, rounded as a number is. */
export const toNumber = ({ frames, seconds }: FrameRate): number => frames / seconds

/** The same of a stored rate; null where there is none. */
export const numberOf = (stored: string | null): number | null => {
  const rate = parse(stored ?? "")
  return rate === undefined ? null : toNumber(rate)
}
