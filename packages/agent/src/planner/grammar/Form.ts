/**
 * Forms of requests, as they are written in the intents: `@move <files> @into <folder>`.
 *
 * - `@class` is a phrase of a class of verbs or other words, `#class` one of a class of nouns (`../words`);
 * - `<slot>` is one token or more that the parser of that slot understands, `<slot:name>` the same under another name;
 * - `[…]` may be left out, `(…|…)` is one of several, anything else is that word itself.
 *
 * Articles and other fillers are skipped before everything but slots; so are words like "I'd like", at a cost.
 */
import { isFiller, isLight, type Sentence, slice, type Span } from "./Sentence.ts"
import { distance } from "./Spelling.ts"
import { fold } from "./Token.ts"

type Element =
  | { readonly kind: "word"; readonly word: string }
  | { readonly kind: "class"; readonly className: string }
  | { readonly kind: "slot"; readonly slot: string; readonly name: string }
  | { readonly kind: "choice"; readonly options: ReadonlyArray<ReadonlyArray<Element>> }

export interface Form {
  readonly text: string
  readonly elements: ReadonlyArray<Element>
  /** Classes and words without which it can't match. */
  readonly needs: ReadonlyArray<string>
}

/** One way to read a span by a form. */
export interface Reading {
  readonly slots: ReadonlyMap<string, { readonly slot: string; readonly span: Span }>
  /** How much of the span the form itself accounts for. */
  readonly score: number
}

const parts = /<[^>]+>|[[\]()|]|[^\s[\]()|<>]+/g

const compile = (text: string): ReadonlyArray<Element> => {
  // "make me a …", "build us a …".
  const tokens = text.replaceAll("@create ", "@create [@me] ").match(parts) ?? []
  let at = 0
  const sequence = (): ReadonlyArray<Element> => {
    const elements: Array<Element> = []
    while (at < tokens.length && !/^[\])|]$/.test(tokens[at]!)) {
      const token = tokens[at++]!
      if (token === "[" || token === "(") {
        const options = [sequence()]
        while (tokens[at] === "|") {
          at++
          options.push(sequence())
        }
        at++
        elements.push({ kind: "choice", options: token === "[" ? [...options, []] : options })
      } else if (token.startsWith("<")) {
        const [slot, name] = token.slice(1, -1).split(":")
        elements.push({ kind: "slot", slot: slot!, name: name ?? slot! })
      } else if (token.startsWith("@")) {
        elements.push({ kind: "class", className: token.slice(1) })
      } else if (token.startsWith("#")) {
        elements.push({ kind: "class", className: `n:${token.slice(1)}` })
      } else {
        elements.push({ kind: "word", word: fold(token) })
      }
    }
    return elements
  }
  return sequence()
}

/** Words of forms that are long enough to be known in spite of a typing error. */
const longWords = new Set<string>()

const wordsIn = (elements: ReadonlyArray<Element>): ReadonlyArray<string> =>
  elements.flatMap((element) =>
    element.kind === "word" ? [element.word] : element.kind === "choice" ? element.options.flatMap(wordsIn) : []
  )

/** Whether a token that is no known word is this one, mistyped. */
const isMistyped = ({ hits, tokens, vocabulary }: Sentence, at: number, word: string): boolean => {
  const { kind, norm, raw } = tokens[at]!
  return kind === "word" && word.length >= 6 && norm.length >= 6 && norm[0] === word[0] && /^\p{Ll}+$/u.test(raw) &&
    !vocabulary.fillers.has(norm) && hits[at]!.every(({ isCorrected }) => isCorrected) && distance(norm, word, 1) === 1
}

export const form = (text: string): Form => {
  const elements = compile(text)
  for (const word of wordsIn(elements)) if (word.length >= 6) longWords.add(word)
  const needs = elements.flatMap((element) =>
    element.kind === "class" ? [element.className] : element.kind === "word" ? [`=${element.word}`] : []
  )
  return { text, elements, needs }
}

const presents = new WeakMap<Sentence, ReadonlySet<string>>()

/** Classes and words (`=word`) that stand anywhere in a sentence. */
export const presentIn = (sentence: Sentence): ReadonlySet<string> => {
  const known = presents.get(sentence)
  if (known !== undefined) return known
  const { hits, tokens } = sentence
  const present = new Set([
    ...hits.flatMap((at) => at.map(({ className }) => className)),
    ...tokens.flatMap(({ norm }, at) => [
      `=${norm}`,
      ...norm.length < 6 || longWords.has(norm) || hits[at]!.some(({ isCorrected }) => !isCorrected)
        ? []
        : [...longWords].filter((word) => isMistyped(sentence, at, word)).map((word) => `=${word}`)
    ])
  ])
  presents.set(sentence, present)
  return present
}

/** A word of a form counts for more than a phrase of a class, a corrected one for less. */
const wordScore = 2.5
const classScore = 2
const correctedScore = 1

/** What a word of the sentence around the request takes from a reading that passes over it. */
const lightCost = 0.3

/** All ways to read the span by the form. */
export const readings = ({ elements }: Form, span: Span): ReadonlyArray<Reading> => {
  const { sentence, to } = span
  const found: Array<Reading> = []
  const slots = new Map<string, { readonly slot: string; readonly span: Span }>()
  const isEnd = (at: number): boolean => at >= to || (isFiller(sentence, at) && isEnd(at + 1))
  /** What the words behind the last part cost; null where they are more than fillers. */
  const endCost = (at: number): number | null => {
    if (at >= to) return 0
    if (isFiller(sentence, at)) return endCost(at + 1)
    const rest = isLight(sentence, at) ? endCost(at + 1) : null
    return rest === null ? null : rest + lightCost
  }

  const walk = (rest: ReadonlyArray<Element>, at: number, score: number): void => {
    const [element, ...more] = rest
    if (element === undefined) {
      const cost = endCost(at)
      if (cost !== null) found.push({ slots: new Map(slots), score: score - cost })
      return
    }
    if (element.kind === "choice") {
      for (const option of element.options) walk([...option, ...more], at, score)
      return
    }
    if (at >= to) return
    if (element.kind === "slot") {
      for (let end = at + 1; end <= to; end++) {
        // What somebody wants written is taken whole, with its small words.
        if (element.slot === "text" && end < to && endCost(end) !== null) continue
        slots.set(element.name, { slot: element.slot, span: slice(span, at, end) })
        walk(more, end, score)
      }
      slots.delete(element.name)
      return
    }
    if (element.kind === "word") {
      const token = sentence.tokens[at]!
      if (token.norm === element.word && token.kind !== "quoted") walk(more, at + 1, score + wordScore)
      else if (isMistyped(sentence, at, element.word)) walk(more, at + 1, score + correctedScore)
    } else {
      for (const { className, isCorrected, length } of sentence.hits[at]!) {
        if (className !== element.className || at + length > to) continue
        walk(more, at + length, score + (isCorrected ? correctedScore : classScore) + (length - 1) * 0.7)
      }
    }
    if (isFiller(sentence, at)) walk(rest, at + 1, score)
    else if (isLight(sentence, at)) walk(rest, at + 1, score - lightCost)
  }
  walk(elements, span.from, 0)
  return found
}
