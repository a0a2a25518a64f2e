/** The names that a drive has, found in a text: evidence of where a name begins and ends. */
import { isNear } from "./Spelling.ts"
import { fold, type Token } from "./Token.ts"
import type { Hit, Vocabulary } from "./Vocabulary.ts"

export type NameKind = "file" | "folder" | "playlist" | "gallery" | "tag" | "request" | "review"

export interface KnownName {
  readonly kind: NameKind
  /** As the drive has it; of a folder its path. */
  readonly name: string
}

interface Entry {
  readonly kind: NameKind
  readonly words: ReadonlyArray<string>
}

/** Names, ready to be looked up. Two of the same `key` have the same names. */
export interface Lexicon {
  readonly key: string
  /** By the first word of the name. */
  readonly entries: ReadonlyMap<string, ReadonlyArray<Entry>>
}

/** Names that are looked up at most. */
const mostNames = 5_000

const wordsIn = (text: string): ReadonlyArray<string> =>
  fold(text).split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "")

/** A folder is called by its path or by its last part. */
const spoken = ({ kind, name }: KnownName): ReadonlyArray<string> =>
  kind === "folder" ? [name, name.slice(name.lastIndexOf("/") + 1)] : [name]

export const lexiconOf = (names: ReadonlyArray<KnownName>): Lexicon => {
  const entries = new Map<string, Array<Entry>>()
  const known = names.slice(0, mostNames)
  for (const one of known) {
    for (const text of new Set(spoken(one))) {
      const words = wordsIn(text)
      const [first] = words
      if (first === undefined) continue
      const list = entries.get(first) ?? []
      entries.set(first, list)
      list.push({ kind: one.kind, words })
    }
  }
  return { key: known.map(({ kind, name }) => `${kind} ${name}`).join("\n"), entries }
}

export const noNames: Lexicon = lexiconOf([])

/** A name that stands in a text. */
interface Known {
  readonly kinds: ReadonlyArray<NameKind>
  /** In tokens. */
  readonly length: number
  /** In words of the name. */
  readonly words: number
}

/** Inside a name they say nothing: "Anna & Tom", "R&B". */
const isInner = ({ kind, norm, raw }: Token): boolean => norm === "'s" || (kind === "mark" && /[&+'’–-]/.test(raw))

const isSame = (said: string, name: string, isLast: boolean): boolean =>
  said === name || (isLast && name.length > 3 && (said === `${name}s` || said === `${name}es`))

/** How many tokens from `at` spell the words; 0 when they don't, and when a token goes on behind the name. */
const lengthOf = (tokens: ReadonlyArray<Token>, at: number, words: ReadonlyArray<string>): number => {
  let word = 0
  for (let next = at; next < tokens.length; next++) {
    const token = tokens[next]!
    if (word > 0 && isInner(token)) continue
    const parts = ["mark", "url"].includes(token.kind) ? [] : wordsIn(token.norm)
    if (parts.length === 0 || (next > at && token.kind === "quoted")) return 0
    for (const part of parts) {
      if (word >= words.length || !isSame(part, words[word]!, word === words.length - 1)) return 0
      word++
    }
    if (word === words.length) return next + 1 - at
  }
  return 0
}

/** Names with a typing error, where their noun says that a name stands there: "the folder Kliens". */
const nearAt = (tokens: ReadonlyArray<Token>, at: number, { entries }: Lexicon): ReadonlyArray<Known> => {
  const { kind, norm } = tokens[at]!
  if (kind !== "word" || norm.length < 5) return []
  return [...entries].flatMap(([first, all]) =>
    Math.abs(first.length - norm.length) > 2 || !isNear(first, norm) ? [] : all.flatMap(({ kind, words }) => {
      const length = words.length === 1 ? 1 : 1 + lengthOf(tokens, at + 1, words.slice(1))
      return words.length > 1 && length === 1 ? [] : [{ kinds: [kind], length, words: words.length }]
    })
  )
}

/** The names that begin at `at`, the longest first; those of one length are one, of several kinds. */
const knownAt = (tokens: ReadonlyArray<Token>, at: number, { entries }: Lexicon): ReadonlyArray<Known> => {
  const [first] = wordsIn(tokens[at]!.norm)
  if (first === undefined) return []
  const found = new Map<number, { readonly kinds: Array<NameKind>; readonly words: number }>()
  const candidates = [first, first.replace(/e?s$/, "")].flatMap((word, n, all) =>
    n > 0 && word === all[0] ? [] : entries.get(word) ?? []
  )
  for (const { kind, words } of candidates) {
    const length = lengthOf(tokens, at, words)
    if (length === 0) continue
    const same = found.get(length)
    if (same === undefined) found.set(length, { kinds: [kind], words: words.length })
    else same.kinds.push(kind)
  }
  return [...found].map(([length, { kinds, words }]) => ({ kinds, length, words })).toSorted((a, b) =>
    b.length - a.length
  )
}

const isCapital = ({ raw }: Token): boolean => /^[\p{Lu}\p{N}/]/u.test(raw)

/** Where names stand among the words of a vocabulary. */
interface Place {
  readonly tokens: ReadonlyArray<Token>
  readonly hits: ReadonlyArray<ReadonlyArray<Hit>>
  readonly vocabulary: Vocabulary
  readonly at: number
}

const nounOf = (kind: NameKind): string => `n:${kind}`

const hasHit = (hits: ReadonlyArray<Hit> | undefined, className: string): boolean =>
  hits?.some((hit) => hit.className === className && !hit.isCorrected) === true

const isOrdinary = ({ hits, tokens, vocabulary }: Place, at: number): boolean =>
  tokens[at]!.kind === "word" &&
  (vocabulary.fillers.has(tokens[at]!.norm) || hits[at]!.some(({ isCorrected }) => !isCorrected))

/** Whether a noun for such a thing ends before `at`, perhaps with "called" between. */
const isBehindNoun = ({ at, hits, tokens }: Place, kinds: ReadonlyArray<NameKind>): boolean => {
  for (let from = at - 1; from >= Math.max(0, at - 5); from--) {
    const reached = hits[from]!.filter((hit) => !hit.isCorrected).flatMap(({ className, length }) =>
      kinds.some((kind) => nounOf(kind) === className) ? [from + length] : []
    )
    for (const end of reached) {
      let next = end
      const called = Math.max(
        0,
        ...(hits[next] ?? []).filter(({ className }) => className === "called").map(({ length }) => length)
      )
      next += called
      if (tokens[next]?.kind === "mark" && tokens[next]!.raw === ":") next++
      if (next === at) return true
    }
  }
  return false
}

/** Whether the words are a name here, and no words of the sentence that happen to spell one. */
const isMeant = (place: Place, { kinds, length, words }: Known): "surely" | "likely" | null => {
  const { at, hits, tokens, vocabulary } = place
  if (kinds.includes("file")) return "surely"
  const first = tokens[at]!
  if (first.kind === "path" || first.kind === "quoted") return "likely"
  if (isBehindNoun(place, kinds)) return "surely"
  // A tag is often an ordinary word: "the old ones".
  if (words === 1 && kinds.every((kind) => kind === "tag")) return null
  const span = tokens.slice(at, at + length)
  const isProper = at > 0 && span.every((token) => isCapital(token) || isInner(token) || token.raw.length <= 3)
  const isPlain = span.every((_, n) => isOrdinary(place, at + n))
  const isNounNext = kinds.some((kind) => hasHit(hits[at + length], nounOf(kind)))
  if (isNounNext && (isProper || !isPlain)) return "surely"
  if (vocabulary.code === "de" && words === 1 && isPlain) return null
  return isProper || !isPlain ? "likely" : null
}

/** The tokens with those joined that are a known name: a file, a path, a name as if it stood in quotes. */
export const withNames = (
  tokens: ReadonlyArray<Token>,
  hits: ReadonlyArray<ReadonlyArray<Hit>>,
  vocabulary: Vocabulary,
  lexicon: Lexicon,
  text: string
): ReadonlyArray<Token> => {
  if (lexicon.entries.size === 0) return tokens
  const out: Array<Token> = []
  for (let at = 0; at < tokens.length; at++) {
    const place: Place = { tokens, hits, vocabulary, at }
    let found: { readonly known: Known; readonly how: "surely" | "likely" } | undefined
    const exact = knownAt(tokens, at, lexicon)
    const candidates = exact.length > 0
      ? exact
      : nearAt(tokens, at, lexicon).filter(({ kinds }) => isBehindNoun(place, kinds))
    for (const known of candidates) {
      const how = isMeant(place, known)
      if (how !== null) {
        found = { known, how }
        break
      }
    }
    if (found === undefined) {
      out.push(tokens[at]!)
      continue
    }
    const { how, known } = found
    const [first, last] = [tokens[at]!, tokens[at + known.length - 1]!]
    const kind = known.kinds.includes("file")
      ? "file"
      : first.kind === "word" && how === "surely"
      ? "quoted"
      : first.kind
    const raw = known.length === 1 ? first.raw : text.slice(first.start, last.end)
    out.push({ kind, raw, norm: fold(raw), start: first.start, end: last.end, known: known.kinds })
    at += known.length - 1
  }
  return out
}
