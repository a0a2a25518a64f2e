/** Musical keys in a request: "in A minor", "in F#", "Bbm", "in a-Moll". */
import type { Sentence } from "../grammar/Sentence.ts"

const minor = /^(?:minor|min|moll)$/
const major = /^(?:major|maj|dur)$/

/** The key at `at`, as searches take it. A bare letter is a key only behind "in", "key of" and the like. */
export const keyAt = (
  { tokens }: Sentence,
  at: number,
  end: number,
  mayBeBare: boolean
): { readonly key: string; readonly length: number } | null => {
  const token = at < end ? tokens[at] : undefined
  if (token === undefined || token.kind !== "word") return null
  const joined = /^([a-h](?:#|♯|b|♭|is|es)?)-?(minor|moll|major|dur)$/.exec(token.norm)
  if (joined !== null) return { key: `${note(joined[1]!)}${minor.test(joined[2]!) ? "m" : " major"}`, length: 1 }
  const plain = /^([A-Ha-h])(#|♯|b|♭)?(m)?$/.exec(token.raw)
  if (plain === null) return null
  const next = at + 1 < end ? tokens[at + 1]!.norm : ""
  const word = /^(?:sharp|flat)$/.test(next) ? at + 2 : at + 1
  const accidental = next === "sharp"
    ? "#"
    : next === "flat"
    ? "b"
    : plain[2]?.replace("♯", "#").replace("♭", "b") ?? ""
  const tonic = `${plain[1]!.toUpperCase()}${accidental}`
  const mode = word < end ? tokens[word]!.norm : ""
  if (minor.test(mode)) return { key: `${tonic}m`, length: word + 1 - at }
  if (major.test(mode)) return { key: `${tonic} major`, length: word + 1 - at }
  if (plain[3] !== undefined) return { key: `${tonic}m`, length: 1 }
  const isUpper = plain[1] === plain[1]!.toUpperCase()
  return mayBeBare && isUpper ? { key: tonic, length: word - at } : null
}

/** German names of notes: fis is F#, b is Bb, h is B. */
const note = (name: string): string => {
  if (name === "es" || name === "as") return name === "es" ? "Eb" : "Ab"
  const letter = name[0]!.toUpperCase()
  const rest = name.slice(1).replace("is", "#").replace("es", "b").replace("♯", "#").replace("♭", "b")
  return `${letter === "H" ? "B" : letter}${rest}`
}
