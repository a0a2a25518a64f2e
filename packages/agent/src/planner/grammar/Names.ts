/** Names that people write without quotes: of folders, lists, tags. */
import { classAt, isFiller, type Sentence, type Span } from "./Sentence.ts"

/** Words in lower case before which an unquoted name ends. */
const stops = new Set((
  "in from with to into and or that which who over under since before after tagged called named for as by on at then but except " +
  "without is are was were has have should older newer larger smaller bigger longer shorter where when if until till so containing " +
  "und oder mit von aus die das der den dem nach seit vor uber ueber unter fur fuer als bis ist sind im am zu zum zur an auf dann aber ohne namens wenn sobald " +
  "liegt liegen lag lagen steht stehen befindet befinden gibt hat haben wurde wurden werden wird should shall soll sollen sollte inside " +
  "folder playlist gallery album tag ordner galerie playlists photos files videos tracks songs dateien fotos public private offentlich"
).split(" "))

const isCapital = (raw: string | undefined): boolean => raw !== undefined && /^[\p{Lu}\p{N}]/u.test(raw)

/** Classes of words that say something else of a request than a name, wherever they stand in small letters. */
const others =
  /^(?:into|in|called|and|afterwards|message|due|password|when|if|until|except|alphabetical|by(?:size|date|tempo|duration)|oldestfirst|reversed|again|back|forever|keepFiles|alsoFiles|it|them|is|startswith|endswith|tagged)$/

const isSmall = (raw: string): boolean => /^\p{Ll}/u.test(raw)

/** Whether a small word ends an unquoted name: an adverb or a condition is no part of one. */
const isOther = ({ hits, tokens, vocabulary }: Sentence, at: number): boolean =>
  isSmall(tokens[at]!.raw) && hits[at]!.some(({ className, isCorrected }) =>
    !isCorrected &&
    (/^(?:except|alphabetical|by(?:size|date|tempo|duration)|oldestfirst|reversed|forever|keepFiles|alsoFiles)$/
      .test(className) || (vocabulary.code === "de" && /^(?:again|back)$/.test(className)))
  )

/** Whether a word says that a name follows: "called", "namens", a colon, an opening quote. */
export const isNaming = (sentence: Sentence, at: number): boolean => {
  if (at <= 0) return false
  if (sentence.tokens[at - 1]!.raw === ":") return true
  for (let from = Math.max(0, at - 5); from < at; from++) {
    if (from + classAt(sentence, from, "called", at) === at && from < at) {
      if (classAt(sentence, from, "called", at) > 0) return true
    }
  }
  return false
}

/** How much speaks against an unquoted name: words that say something else, and other things in it. A name of the drive is one token. */
export const strangeness = ({ from, sentence, to }: Span): number => {
  const { hits, tokens } = sentence
  const isNamed = isNaming(sentence, from)
  let sum = 0
  for (let at = from + 1; at < to; at++) {
    const { kind, known, norm, raw } = tokens[at]!
    if (kind === "mark") {
      if (/[,;]/.test(raw)) sum += isNamed ? 0.5 : 1.5
      continue
    }
    if (kind !== "word" && kind !== "number") {
      sum += 1
      continue
    }
    if (known !== undefined) sum += 0.6
    if (!isSmall(raw)) continue
    const isBetween = isCapital(tokens[at - 1]!.raw) && isCapital(tokens[at + 1]?.raw) && at + 1 < to
    if (isBetween && /^(?:of|and|the|in|de|la|und|von|der|des|a|for|to|on|im|am)$/.test(norm)) continue
    const said = hits[at]!.some(({ className, isCorrected }) => !isCorrected && others.test(className))
    if (said && !(norm === "and" || norm === "und")) sum += isNamed ? 0.5 : 1.5
    else if (said) sum += 0.5
    else if (isFiller(sentence, at)) sum += isNamed ? 0.1 : 0.4
  }
  return sum
}

/** More than this is no name, unless a word says that one follows. */
export const tooStrange = 1.5

/** How many tokens of an unquoted or quoted name begin at `at`; 0 for none. In a list of names, "and" is between two. */
export const nameLengthAt = (sentence: Sentence, at: number, end: number, hasAnd = true): number => {
  const { text, tokens, vocabulary } = sentence
  const first = at < end ? tokens[at] : undefined
  if (first === undefined || (first.kind === "mark" && !/[&#+]/.test(first.raw))) return 0
  if (/^(?:quoted|hashtag|url|handle|file)$/.test(first.kind)) return 1
  // Behind a path or a name of the drive only a number or, in English, a proper name goes on.
  const isWhole = first.kind === "path" || first.known !== undefined
  let length = 0
  while (at + length < end) {
    const token = tokens[at + length]!
    const before = length > 0 ? tokens[at + length - 1]! : undefined
    const joinsTight = before !== undefined && token.start === before.end
    if (/^(?:quoted|file|path|url)$/.test(token.kind) && length > 0 && !joinsTight) break
    if (length > 0 && isOther(sentence, at + length)) break
    if (isWhole && length > 0 && token.kind !== "number" && (vocabulary.code === "de" || !isCapital(token.raw))) break
    if (
      token.kind === "mark" && !(joinsTight && /[&+#'’/-]/.test(token.raw)) && !(/[&–-]/.test(token.raw) && length > 0)
    ) break
    if (token.norm === "'s") {
      length++
      continue
    }
    const next = tokens[at + length + 1]
    // "Songs of Summer": a small word between capitals belongs to the name.
    const isBetween = length > 0 && isCapital(before?.raw) && isCapital(next?.raw) && at + length + 1 < end &&
      (hasAnd ? /^(?:of|and|the|in|de|la|und|von|der|des|a|for)$/ : /^(?:of|the|de|la|von|der|des)$/).test(
        token.norm
      ) && !/[/]/.test(text.slice(token.end, next!.start))
    if (stops.has(token.norm) && !isCapital(token.raw) && !isBetween) break
    length++
  }
  return length
}
