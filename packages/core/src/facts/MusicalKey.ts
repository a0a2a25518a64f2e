/** Musical keys as numbers: pitch (C = 0, a semitone each) * 2, and 1 more for minor. */
import { Result } from "effect"

const pitches = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"] as const

/** `Am`, `F#`: a sharp where there is no white key, `m` for minor. */
export const format = (key: number): string => `${pitches[key >> 1]}${key % 2 === 1 ? "m" : ""}`

/** `M` alone is major, all else is read in any case. */
const pattern = /^([a-g])(?:[ -]?(#|♯|sharp|b|♭|flat))?[ -]?(m|min|minor|maj|major|moll|dur)?$/i

/** The wheel that DJs number keys by, Mixed In Key's and Traktor's: a fifth each, `A` or `m` for minor. */
const wheel = /^(\d{1,2})([abdm])$/i

const steps: Readonly<Record<string, number>> = { "#": 1, "♯": 1, sharp: 1, b: -1, "♭": -1, flat: -1 }

/**
 * The keys a text names: one, or both of a pitch when it says nothing of the mode. Reads `Am`, `A minor`, `F♯`,
 * `Gb`, `Bb minor`, `C maj`; two names of one pitch are one key. Fails with a few words about what is wrong.
 */
export const parse = (text: string): Result.Result<ReadonlyArray<number>, string> => {
  const [, letter, accidental, mode] = pattern.exec(text.trim().replace(/\s+/g, " ")) ?? []
  if (letter === undefined) return Result.fail("must be a musical key like Am, F# or Bb minor")
  const pitch = pitches.indexOf(letter.toUpperCase() as typeof pitches[number])
  const major = (((pitch + (steps[accidental?.toLowerCase() ?? ""] ?? 0)) + 12) % 12) * 2
  if (mode === undefined) return Result.succeed([major, major + 1])
  const isMinor = mode !== "M" && /^m(?:in(?:or)?|oll)?$/i.test(mode)
  return Result.succeed([isMinor ? major + 1 : major])
}

/** The key at a place of the wheel; null where there is none. */
const ofWheel = (text: string): number | null => {
  const [, place = "", mode = ""] = wheel.exec(text) ?? []
  const number = Number(place)
  if (!(number >= 1 && number <= 12)) return null
  const isMinor = /[am]/i.test(mode)
  const fifths = number - (/[ab]/i.test(mode) ? 8 : 1)
  const pitch = (((fifths * 7 + (isMinor ? 9 : 0)) % 12) + 12) % 12
  return pitch * 2 + (isMinor ? 1 : 0)
}

/** The keys of a text without a wheel; empty where it names none. */
const named = (text: string): ReadonlyArray<number> => Result.getOrElse(parse(text), () => [])

/** What parts two spellings of a key, or two keys: ` - `, `/`, brackets. */
const between = /\s+[-–—]\s+|[/|,;()[\]]/

/**
 * The key that a track's tag names, or null when it names none. A tag without a mode means major, as ID3 has it; besides what {@link parse}
 * reads, programs write places of a wheel, `8A` and `1m` are A minor, and both beside each other: `5B - Eb`, `Am (8A)`. The wheel counts then,
 * as it tells the mode. Of several keys the first counts.
 */
export const ofTag = (text: string): number | null => {
  const whole = ofWheel(text.trim()) ?? named(text)[0]
  if (whole !== undefined) return whole
  const parts = text.split(between).map((part) => part.trim()).filter((part) => part !== "")
  const words = text.split(/[^\w#♯♭]+/)
  const placed = words.map(ofWheel).find((key) => key !== null)
  if (placed !== undefined) return placed
  const keys = parts.map(named)
  if (!keys.every((one) => one.length > 0)) return null
  return (keys.find((one) => one.length === 1) ?? keys[0])?.[0] ?? null
}
