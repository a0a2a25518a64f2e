/** A text with its tokens and the phrases that were recognized in it, and spans of it. */
import type { DateTime } from "effect"
import { type Lexicon, noNames, withNames } from "./Lexicon.ts"
import { rawOf, type Token, tokenize } from "./Token.ts"
import { type Hit, hitsOf, type LanguageCode, spelled, vocabularies, type Vocabulary } from "./Vocabulary.ts"

/** When and where a request is read: its "yesterday" depends on both, its names on what the drive has. */
export interface Moment {
  readonly now: DateTime.Utc
  readonly zone: DateTime.TimeZone
  /** Names of the drive. Default: none are known. */
  readonly lexicon?: Lexicon | undefined
}

export interface Sentence {
  readonly text: string
  readonly vocabulary: Vocabulary
  readonly tokens: ReadonlyArray<Token>
  /** For each token what begins there. */
  readonly hits: ReadonlyArray<ReadonlyArray<Hit>>
  readonly moment: Moment
}

/** Some tokens of a sentence, `from` inclusive, `to` exclusive. */
export interface Span {
  readonly sentence: Sentence
  readonly from: number
  readonly to: number
}

export const sentenceOf = (text: string, language: LanguageCode, moment: Moment): Sentence => {
  const vocabulary = vocabularies[language]
  const plain = spelled(tokenize(text))
  const hits = hitsOf(vocabulary, plain)
  const tokens = withNames(plain, hits, vocabulary, moment.lexicon ?? noNames, text)
  return { text, vocabulary, tokens, hits: tokens === plain ? hits : hitsOf(vocabulary, tokens), moment }
}

export const wholeOf = (sentence: Sentence): Span => ({ sentence, from: 0, to: sentence.tokens.length })

export const slice = ({ sentence }: Span, from: number, to: number): Span => ({ sentence, from, to })

export const tokensOf = ({ from, sentence, to }: Span): ReadonlyArray<Token> => sentence.tokens.slice(from, to)

/** What the user wrote there. */
export const textOf = (span: Span): string => rawOf(span.sentence.text, tokensOf(span))

/** Length of the longest phrase of a class that begins at `at` and ends before `end`; 0 for none. */
export const classAt = ({ hits }: Sentence, at: number, className: string, end: number): number => {
  let longest = 0
  for (const hit of hits[at] ?? []) {
    if (hit.className === className && at + hit.length <= end && hit.length > longest) longest = hit.length
  }
  return longest
}

/** The value after the colon of the longest phrase of classes that begin so: "number:3" is 3. */
export const numberedAt = (
  { hits }: Sentence,
  at: number,
  prefix: string,
  end: number
): { readonly value: number; readonly length: number } | null => {
  let found: { readonly value: number; readonly length: number } | null = null
  for (const { className, isCorrected, length } of hits[at] ?? []) {
    if (isCorrected || !className.startsWith(prefix) || at + length > end || length <= (found?.length ?? 0)) continue
    found = { value: Number(className.slice(prefix.length)), length }
  }
  return found
}

export const isFiller = ({ tokens, vocabulary }: Sentence, at: number): boolean => {
  const token = tokens[at]
  return token?.kind === "mark"
    ? /[,.!?;:]/.test(token.raw)
    : token?.kind === "word" && vocabulary.fillers.has(token.norm)
}

/** Whether a word belongs to the sentence around a request, and not to what it is about. */
export const isLight = ({ tokens, vocabulary }: Sentence, at: number): boolean => {
  const token = tokens[at]
  return token?.kind === "word" && token.known === undefined && vocabulary.light.has(token.norm) &&
    (at === 0 || /^(?:\p{Ll}|['’]|I$)/u.test(token.raw))
}

/** Without fillers and marks at both ends. */
export const trimmed = (span: Span): Span => {
  let { from, to } = span
  while (from < to && isFiller(span.sentence, from)) from++
  while (to > from && span.sentence.tokens[to - 1]!.kind === "mark") to--
  return slice(span, from, to)
}
