/** What a part of its own leaves out of a request: "not the text files", "the PDFs stay". */
import { classAt, slice, type Span, tokensOf } from "../grammar/Sentence.ts"
import type { FileQuery } from "./FileQuery.ts"
import { parseFiles } from "./parseFiles.ts"

const leadIn = /^(?:and|but|please|just|also|und|aber|bitte|nur|doch|jedoch|na|,|-|–|—)$/

/** How many tokens from `from` say that something is left out. */
const exceptLength = ({ sentence, to }: Span, from: number): number => {
  const text = sentence.tokens.slice(from, Math.min(to, from + 3)).map(({ norm }) => norm).join(" ")
  const [leaving] =
    /^(?:not|nicht|leave|keep|skip|spare|ignore|behalte?|lass(?:t|e)?|(?:dont|do not) (?:touch|include|move|delete|take)|ohne)\b/
      .exec(text) ?? []
  return Math.max(classAt(sentence, from, "except", to), leaving?.split(" ").length ?? 0)
}

const behind =
  /^(?:stays?|remains?|should|must|can|may|stay|remain|not|put|there|where|it|they|is|are|as|out|alone|untouched|though|of|this|that|be|kept|nicht|bleibt|bleiben|soll|sollen|mussen|muss|liegen|aber|da|wo|so|weg|raus|draussen|unberuhrt|in|ruhe|aus|dort|doch|mit|included|moved|deleted|tagged|touched|please|bitte)$/

/** "Not the text files.", "except the draft", "the PDFs stay", "die Rechnung nicht": what is left out; null for words that say no such thing. */
export const exceptionOf = (span: Span): FileQuery | null => {
  let { from, to } = span
  while (from < to && leadIn.test(span.sentence.tokens[from]!.norm)) from++
  while (to > from && span.sentence.tokens[to - 1]!.kind === "mark") to--
  const length = exceptLength(slice(span, from, to), from)
  let end = to
  while (end > from && behind.test(span.sentence.tokens[end - 1]!.norm)) end--
  const tail = tokensOf(slice(span, end, to)).map(({ norm }) => norm).join(" ")
  const isStaying =
    /^(?:(?:should|must|can|may|soll|sollen|mussen|aber|doch) )*(?:stays?|remains?|not|nicht|bleibt|bleiben)\b/.test(
      tail
    ) ||
    /\b(?:bleiben|nicht|untouched|alone|stay)\b/.test(tail)
  if (length === 0 && !isStaying) return null
  const rest = slice(span, from + length, end)
  if (rest.from >= rest.to) return null
  const { query, score } = parseFiles(rest)
  return score < -1 || query.refer !== null ? null : query
}
