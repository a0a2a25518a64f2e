/** Other wordings of a clause that mean the same and that intents have forms for. The rules are those of the language. */
import { englishRewordings } from "./EnglishRewordings.ts"
import { germanRewordings } from "./GermanRewordings.ts"
import { remembered } from "./remembered.ts"
import { sentenceOf, type Span, textOf, wholeOf } from "./Sentence.ts"

/** "There is a file at https://…, fetch it": the link is what is to be fetched. */
const linkRewordings = ({ from, sentence, to }: Span): ReadonlyArray<string> => {
  const { hits, text, tokens } = sentence
  const links = tokens.slice(from, to).filter(({ kind }) => kind === "url")
  const [link] = links
  if (link === undefined || links.length > 1) return []
  for (let at = tokens.indexOf(link) + 1; at + 1 < to; at++) {
    const isFetching = hits[at]!.some(({ className, isCorrected }) => className === "import" && !isCorrected)
    if (!isFetching || !/^(?:it|that|this|them|sie|es|das|die|ihn)$/.test(tokens[at + 1]!.norm)) continue
    const rest = at + 2 < to ? text.slice(tokens[at + 2]!.start, tokens[to - 1]!.end) : ""
    return [`${tokens[at]!.raw} ${link.raw} ${rest}`.trim()]
  }
  return []
}

/** Each as a span of a sentence of its own. Few: a clause has one verb. */
export const rewordings = remembered((span: Span): ReadonlyArray<Span> => {
  const { moment, vocabulary } = span.sentence
  const texts = vocabulary.code === "de" ? germanRewordings(span) : englishRewordings(span)
  return [...new Set([...texts, ...linkRewordings(span)])].filter((text) => text !== textOf(span)).map((text) =>
    wholeOf(sentenceOf(text, vocabulary.code, moment))
  )
})
