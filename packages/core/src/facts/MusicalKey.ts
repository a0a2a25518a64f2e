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

/**
 * The key that a track's tag names, or null when it names none. A tag without a mode means major, as ID3 has it; besides
 * what {@link parse} reads, programs write places of a wheel: `8A` and `1m` are A minor.
 */
export const ofTag = (text: string): number | null => {
  const [, place = "", mode = ""] = wheel.exec(text.trim()) ?? []
  const number = Number(place)
  if (number >= 1 && number <= 12) {
    const isMinor = /[am]/i.test(mode)
    const fifths = number - (/[ab]/i.test(mode) ? 8 : 1)
    const pitch = (((fifths * 7 + (isMinor ? 9 : 0)) % 12) + 12) % 12
    return pitch * 2 + (isMinor ? 1 : 0)
  }
  return Result.getOrElse(parse(text), (): ReadonlyArray<number> => [])[0] ?? null
}
