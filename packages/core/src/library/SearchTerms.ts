/**
 * From the words looked for to a `tsquery`. It is sent as a parameter, and every lexeme in it is quoted: no text
 * that is searched for is ever read as an operator.
 *
 * The index gives files of a WHOLE word quickly, also of several words, where it skips from one to the next. Of a
 * word's beginning it first gathers all files of all words that begin so. Hence the table of an account's words:
 * with it a beginning becomes the few words it may be. A beginning of very many words leads to most files anyway,
 * so those that other conditions have found are looked through for it.
 */
import * as Lexeme from "../files/Lexeme.ts"
import type { Term, Word } from "../files/Words.ts"
import * as Words from "../files/Words.ts"

/** Whole words that one beginning may stand for; of more it stays a beginning. */
export const expansionsMaxCount = 64

/** Whole words in one query. */
const lexemesMaxCount = 512

/** Terms that are looked up; what these have found is looked through for the others. */
const lookedUpMaxCount = 16

/** Beginnings of words, each once, in the order in which {@link build} wants their expansions. */
export const beginnings = (terms: ReadonlyArray<Term>): ReadonlyArray<string> => [
  ...new Set(
    terms.flat(2).filter(({ kind, text }) => kind === "start" && Words.isLookedUp(text)).map(({ text }) => text)
  )
]

export interface TextQuery {
  /** Every term, by beginnings: what a row is looked through for. */
  readonly filter: string
  /** Terms the index answers quickly; empty when it does for none. */
  readonly lookup: ReadonlyArray<string>
  /** Whether a file that {@link lookup} finds must be looked through as well. */
  readonly isPartial: boolean
}

interface Looked {
  readonly text: string
  /** Lexemes in it; more than any limit when one is a beginning of too many. */
  readonly count: number
}

/**
 * The query for an account's files, or null when a word is one that no file has. `expansions` are whole words, by
 * their beginning: all of them, or more than {@link expansionsMaxCount} of very many.
 */
export const build = (
  accountNo: number,
  terms: ReadonlyArray<Term>,
  expansions: ReadonlyMap<string, ReadonlyArray<string>>
): TextQuery | null => {
  const quoted = (text: string) => Lexeme.quoted(Lexeme.word(accountNo, text))
  const filterWord = ({ kind, text }: Word) => kind === "gram" ? quoted(text) : `${quoted(text)}:*`
  const lookWord = (word: Word): Looked | null => {
    if (word.kind === "gram") return { text: quoted(word.text), count: 1 }
    const whole = expansions.get(word.text)
    if (whole === undefined) {
      // A number. Short ones begin very many others.
      return { text: filterWord(word), count: word.text.length > 2 ? 1 : Infinity }
    }
    if (whole.length === 0) return null
    return whole.length > expansionsMaxCount
      ? { text: filterWord(word), count: Infinity }
      : { text: anyOf(whole.map(quoted)), count: whole.length }
  }

  const looked: Array<Looked> = []
  for (const term of terms) {
    const ways = term.flatMap((words) => {
      const found = words.map(lookWord)
      return found.includes(null) ? [] : [found as ReadonlyArray<Looked>]
    })
    if (ways.length === 0) return null
    looked.push({
      text: anyOf(ways.map((way) => allOf(way.map(({ text }) => text)))),
      count: ways.flat().reduce((sum, { count }) => sum + count, 0)
    })
  }
  const chosen: Array<string> = []
  let room = lexemesMaxCount
  for (const { count, text } of looked.sort((a, b) => a.count - b.count).slice(0, lookedUpMaxCount)) {
    if (count > room) break
    room -= count
    chosen.push(text)
  }
  return {
    filter: allOf(terms.map((term) => anyOf(term.map((words) => allOf(words.map(filterWord)))))),
    lookup: chosen,
    isPartial: chosen.length < terms.length
  }
}

export const allOf = (parts: ReadonlyArray<string>): string => parts.length === 1 ? parts[0]! : `(${parts.join(" & ")})`
export const anyOf = (parts: ReadonlyArray<string>): string => parts.length === 1 ? parts[0]! : `(${parts.join(" | ")})`
