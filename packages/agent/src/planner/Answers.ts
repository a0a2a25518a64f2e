/** Reads a message as the answer to a question: yes or no, one of some choices, or any text. */
import { parseFiles } from "./files/parseFiles.ts"
import { withoutPoliteness } from "./grammar/clauses.ts"
import { classAt, type Moment, numberedAt, sentenceOf, wholeOf } from "./grammar/Sentence.ts"
import { plainName } from "./grammar/Spelling.ts"
import type { LanguageCode } from "./grammar/Vocabulary.ts"
import type { Answer, Question } from "./Plan.ts"
import { numberAt } from "./Quantities.ts"

const choice = (at: number): Answer => ({ _tag: "Choice", at })
const no: Answer = { _tag: "Choice", at: -1 }

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

/** The answer that a message gives, or null when it is about something else. */
export const answerTo = (
  { choices, expects }: Question,
  text: string,
  language: LanguageCode,
  moment: Moment
): Answer | null => {
  const sentence = sentenceOf(text, language, moment)
  const end = sentence.tokens.length
  if (end === 0) return null
  const refusal = classAt(sentence, 0, "no", end)
  if (expects === "yes") {
    const agreement = classAt(sentence, 0, "yes", end)
    // "yes, delete them" is a yes, "ok, find the invoices" is not.
    const isShort = end - agreement <= 6
    if (refusal > 0 && refusal >= agreement) return no
    return agreement > 0 && isShort ? choice(0) : null
  }
  if (refusal > 0 && end <= refusal + 2) return no
  if (expects === "text") return { _tag: "Text", text }
  const at = chosen(text, choices, language, moment)
  return at === null || at < 0 || at >= choices.length ? null : choice(at)
}
