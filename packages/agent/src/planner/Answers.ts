/** Reads a message as the answer to a question: yes or no, one of some choices, or any text. */
import { parseFiles } from "./files/parseFiles.ts"
import { isIn, wordsOf } from "./files/WordForms.ts"
import { withoutPoliteness } from "./grammar/clauses.ts"
import {
  classAt,
  isFiller,
  isLight,
  type Moment,
  numberedAt,
  type Sentence,
  sentenceOf,
  wholeOf
} from "./grammar/Sentence.ts"
import { plainName } from "./grammar/Spelling.ts"
import type { LanguageCode } from "./grammar/Vocabulary.ts"
import type { Answer, Question } from "./Plan.ts"
import { numberAt } from "./Quantities.ts"

const choice = (at: number): Answer => ({ _tag: "Choice", at })
const no: Answer = { _tag: "Choice", at: -1 }

/** Words that point at one of several, and say nothing of it. */
const pointing =
  /^(?:one|ones|file|files|mean|meant|meine|meinte|meinen|from|in|with|of|for|by|on|that|which|called|named|version|von|vom|aus|im|mit|fur|datei|namens|sorry|no|not|nein|nee|just|only|nur|first|please)$/

const contentWords = (sentence: Sentence, from: number, to: number): ReadonlyArray<string> =>
  sentence.tokens.slice(from, to).flatMap(({ kind, norm, raw }, n) =>
    kind === "mark" || isFiller(sentence, from + n) || isLight(sentence, from + n) || pointing.test(norm) ? [] : [raw]
  )

/** The choice that the words name: by its number, its place in the list, or words that only it has. */
const chosen = (
  text: string,
  choices: ReadonlyArray<string>,
  language: LanguageCode,
  moment: Moment
): number | null => {
  const sentence = sentenceOf(text, language, moment)
  const { from, to } = withoutPoliteness(wholeOf(sentence))
  const wanted = plainName(text)
  const exact = choices.findIndex((one) =>
    plainName(one) === wanted || plainName(one.replace(/ \(.*\)$/, "")) === wanted
  )
  if (exact >= 0) return exact
  for (let at = from; at < to; at++) {
    const ordinal = numberedAt(sentence, at, "ordinal:", to)
    if (ordinal !== null) return ordinal.value < 0 ? choices.length + ordinal.value : ordinal.value - 1
  }
  const number = numberAt(sentence, from, to)
  if (number !== null && to - from <= 2 && number.value <= choices.length) return number.value - 1
  const said = contentWords(sentence, from, to)
  const having = choices.flatMap((one, at) => {
    const known = wordsOf(one)
    return said.length > 0 && said.every((word) => isIn(word, known, "form")) ? [at] : []
  })
  if (having.length === 1) return having[0]!
  const { query } = parseFiles({ sentence, from, to })
  const words = [
    ...query.names,
    ...query.words,
    ...query.nameParts.map((part) => part.text),
    query.folder ?? "",
    query.somewhere ?? "",
    ...query.extensions
  ]
    .flatMap((word) => plainName(word).split(/[ /]/)).filter((word) => word !== "")
  if (words.length === 0) return null
  const fitting = choices.flatMap((one, at) => words.every((word) => plainName(one).includes(word)) ? [at] : [])
  return fitting.length === 1 ? fitting[0]! : null
}

/** Behind "oh", "hmm", "well". */
const beginning = ({ tokens }: Sentence): number => {
  let at = 0
  while (at + 1 < tokens.length && /^(?:oh|ah|ach|hm+|well|so|um|tja|na|also|,)$/.test(tokens[at]!.norm)) at++
  return at
}

/** Whether a short answer calls the thing off, wherever it says so: "better none of them, forget it". */
const callsOff = ({ tokens }: Sentence): boolean =>
  tokens.length <= 14 &&
  /\b(?:forget (?:it|that|about it)|never ?mind|leave (?:it|them|that)(?: be| alone)?$|none of (?:them|these|those)|(?:don'?t|do not) (?:do|delete|bother)|changed my mind|rather not|better not|vergiss (?:es|das)|lass (?:es|das|mal|gut sein)|lassen sie (?:es|das)|doch nicht|lieber nicht|keine? davon|anders uberlegt)\b/
    .test(tokens.map(({ norm }) => norm).join(" "))

/** The answer that a message gives, or null when it is about something else. */
export const answerTo = (
  { choices, expects, pick }: Question,
  text: string,
  language: LanguageCode,
  moment: Moment
): Answer | null => {
  const sentence = sentenceOf(text, language, moment)
  const end = sentence.tokens.length
  if (end === 0) return null
  const start = beginning(sentence)
  const refusal = classAt(sentence, start, "no", end)
  if (expects === "yes") {
    const agreement = classAt(sentence, start, "yes", end)
    // "yes, delete them" is a yes, "ok, find the invoices" is not.
    const isShort = end - start - agreement <= 6
    if ((refusal > 0 && refusal >= agreement) || callsOff(sentence)) return no
    return agreement > 0 && isShort ? choice(0) : null
  }
  if ((refusal > 0 && end <= start + refusal + 2) || callsOff(sentence)) return no
  if (expects === "text") return { _tag: "Text", text }
  const at = chosen(text, choices, language, moment) ?? pick?.(text) ?? null
  return at === null || at < 0 || at >= choices.length ? null : choice(at)
}
