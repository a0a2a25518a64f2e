/** The classes of words of a language, ready to be looked up in a sentence. */
import { English } from "../words/English.ts"
import { German } from "../words/German.ts"
import type { Phrases, Words } from "../words/Words.ts"
import { allowedErrors, distance } from "./Spelling.ts"
import { fold, type Token } from "./Token.ts"

export type LanguageCode = "en" | "de"

interface Entry {
  readonly className: string
  readonly words: ReadonlyArray<string>
}

/** A phrase of a class that stands somewhere in a sentence. */
export interface Hit {
  readonly className: string
  /** How many tokens it takes. */
  readonly length: number
  /** Whether it is only this phrase after a typing error was corrected. */
  readonly isCorrected: boolean
}

export interface Vocabulary {
  readonly code: LanguageCode
  readonly words: Words
  /** By the first word of the phrase. */
  readonly entries: ReadonlyMap<string, ReadonlyArray<Entry>>
  /** Classes of verbs. */
  readonly verbs: ReadonlySet<string>
  /** Words that may begin a request: imperatives, and what follows "would you mind". */
  readonly imperatives: ReadonlySet<string>
  readonly fillers: ReadonlySet<string>
  /** Words of the sentence around a request. */
  readonly light: ReadonlySet<string>
  /** Folded nouns that mean a single file. */
  readonly singulars: ReadonlySet<string>
  /** Phrases that may stand before a request and behind it, longest first. */
  readonly openings: ReadonlyArray<ReadonlyArray<string>>
  readonly closings: ReadonlyArray<ReadonlyArray<string>>
}

const split = (list: string): ReadonlyArray<string> => list.split(",").map((phrase) => phrase.trim())

/** As a tokenized text has it; umlauts are also typed as two letters. */
const spellings = (phrase: string): ReadonlyArray<ReadonlyArray<string>> => {
  const typed = phrase.replaceAll("ä", "ae").replaceAll("ö", "oe").replaceAll("ü", "ue")
  return [...new Set([fold(phrase), fold(typed)])].map((text) =>
    text.replaceAll(/(?<=\p{L})'(?=\p{L})/gu, "").split(" ")
  )
}

const make = (code: LanguageCode, words: Words): Vocabulary => {
  const entries = new Map<string, Array<Entry>>()
  const seen = new Set<string>()
  const put = (className: string, phrase: string) => {
    for (const parts of spellings(phrase)) {
      const key = `${className} ${parts.join(" ")}`
      if (seen.has(key)) continue
      seen.add(key)
      const list = entries.get(parts[0]!)
      if (list === undefined) entries.set(parts[0]!, [{ className, words: parts }])
      else list.push({ className, words: parts })
    }
  }
  const each = (phrases: Phrases, prefix: string, forms: (phrase: string) => ReadonlyArray<string>) => {
    for (const [name, list] of Object.entries(phrases)) {
      for (const phrase of split(list)) for (const form of forms(phrase)) put(prefix + name, form)
    }
  }
  const itself = (phrase: string) => [phrase]
  each(words.verbs, "", words.verbForms)
  // A noun has a class of its own, since "share" and "review" are verbs too.
  each(words.nouns, "n:", words.nounForms)
  each(words.phrases, "", itself)
  each(words.numbers, "number:", itself)
  each(words.ordinals, "ordinal:", itself)
  const longestFirst = (list: string) => split(list).flatMap(spellings).toSorted((a, b) => b.length - a.length)
  return {
    code,
    words,
    entries,
    verbs: new Set(Object.keys(words.verbs)),
    imperatives: new Set(
      Object.values(words.verbs).flatMap(split).flatMap((verb) => {
        const forms = words.verbForms(verb)
        return (code === "de" ? forms : forms.filter((_, at) => at === 0 || at === 2)).flatMap((form) =>
          spellings(form).map(([first]) => first!)
        )
      })
    ),
    fillers: new Set(split(words.fillers).flatMap((word) => spellings(word).map(([one]) => one!))),
    light: new Set(split(words.light).flatMap((word) => spellings(word).map(([one]) => one!))),
    singulars: new Set(split(words.singulars).map(fold)),
    openings: longestFirst(words.openings),
    closings: longestFirst(words.closings)
  }
}

export const vocabularies: Readonly<Record<LanguageCode, Vocabulary>> = {
  en: make("en", English),
  de: make("de", German)
}

/** One letter for another makes another word of a short one: "pigs" are no "pics". */
const isOtherWord = (word: string, known: string): boolean =>
  word.length === known.length && word.length < 6 && [...word].toSorted().join("") !== [...known].toSorted().join("")

/** "tagg" for "tag": a letter is typed twice. */
const isDoubled = (word: string, known: string): boolean =>
  known.length === 3 && word.length === 4 &&
  [1, 2, 3].some((at) => word[at] === word[at - 1] && word.slice(0, at) + word.slice(at + 1) === known)

/** Known words near an unknown one. */
const corrections = ({ entries }: Vocabulary, word: string): ReadonlyArray<string> => {
  const limit = allowedErrors(word)
  if (limit === 0) return []
  let best = limit
  let found: Array<string> = []
  for (const known of entries.keys()) {
    if (known.length < 4 && !isDoubled(word, known) || known[0] !== word[0] && known[1] !== word[0]) continue
    const far = distance(word, known, best)
    if (far > best || (far > 0 && isOtherWord(word, known))) continue
    if (far < best) found = []
    best = far
    found.push(known)
  }
  return found
}

/** Words that are near others of the vocabulary and are no typing errors of them. */
const common: ReadonlySet<string> = new Set(
  ("old odd older done were hope hopes team boss need needs time life like live lives want wants work works look looks deadline " +
    "because since client clients quick messy too very here there again wrong right long short good bad best better ready late " +
    "great week work month home house last lost come comes call calls called phone full trip class party sound sorry wait " +
    "alt alte alten alter altes hoffe hoffen geht gehen brauch braucht fertig voll leider wegen weil heute morgen zeit " +
    "lang lange gut gute guten schlecht falsch richtig team chef chefin kunde kunden klasse letzte reise party handy")
    .split(" ")
)

/** A name in the middle of a sentence is not corrected; nor is anything that isn't a plain word. */
const mayBeTypo = (token: Token, at: number): boolean =>
  token.kind === "word" && /^[\p{L}]+$/u.test(token.raw) && !common.has(token.norm) &&
  (at === 0 || token.raw[0] !== token.raw[0]!.toUpperCase())

/** In German every noun has a capital: a long one may be mistyped. */
const isGermanNoun = ({ code }: Vocabulary, { kind, norm, raw }: Token): boolean =>
  code === "de" && kind === "word" && norm.length >= 7 && /^\p{Lu}\p{Ll}+$/u.test(raw)

/** Short words as they are often mistyped: too short to be corrected by their letters. */
const mistyped: Readonly<Record<string, string>> = {
  teh: "the",
  hte: "the",
  al: "all",
  adn: "and",
  nad: "and",
  ot: "to",
  fro: "for",
  fo: "of",
  wih: "with",
  wiht: "with",
  whit: "with",
  wth: "with",
  frm: "from",
  fomr: "from",
  form: "from",
  evry: "every",
  mov: "move",
  mve: "move",
  fidn: "find",
  fnd: "find",
  shw: "show",
  tga: "tag",
  zpi: "zip",
  whcih: "which",
  wich: "which",
  waht: "what",
  hwo: "how",
  mnay: "many",
  thme: "them",
  thm: "them",
  taht: "that",
  tht: "that",
  intp: "into",
  udn: "und",
  unt: "und",
  ale: "alle",
  ide: "die",
  dei: "die",
  mti: "mit",
  nahc: "nach",
  ncah: "nach",
  bite: "bitte",
  btte: "bitte"
}

/** The word that was meant, where that is beyond doubt. */
const meant = (token: Token, before: Token | undefined): string =>
  token.kind === "word" && /^\p{L}+$/u.test(token.raw) && (before === undefined || !/^\p{Lu}/u.test(token.raw)) &&
    !/^(?:called|named|namens|#)$/.test(before?.norm ?? "")
    ? mistyped[token.norm] ?? token.norm
    : token.norm

/** With short words as they were meant; names keep their letters. */
export const spelled = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> =>
  tokens.map((token, at) => {
    const norm = meant(token, tokens[at - 1])
    return norm === token.norm ? token : { ...token, norm }
  })

/** Whether a later word of a phrase is mistyped: "stop shareing". */
const isMistyped = (token: Token, word: string, vocabulary: Vocabulary): boolean =>
  token.kind === "word" && word.length >= 5 && !vocabulary.entries.has(token.norm) &&
  !vocabulary.fillers.has(token.norm) &&
  mayBeTypo(token, 1) && token.norm[0] === word[0] &&
  distance(token.norm, word, allowedErrors(word)) <= allowedErrors(word) &&
  !isOtherWord(token.norm, word)

/** Whether the words of a phrase behind its first stand there: exactly, or with a typing error in one. */
const startsWith = (
  tokens: ReadonlyArray<Token>,
  at: number,
  words: ReadonlyArray<string>,
  vocabulary: Vocabulary
): "exact" | "near" | null => {
  let found: "exact" | "near" = "exact"
  for (let n = 1; n < words.length; n++) {
    const token = tokens[at + n]
    if (token === undefined) return null
    if (token.norm === words[n] && (token.kind === "word" || token.kind === "mark")) continue
    if (found === "near" || !isMistyped(token, words[n]!, vocabulary)) return null
    found = "near"
  }
  return found
}

/** For each token the phrases of the vocabulary that begin there. */
export const hitsOf = (vocabulary: Vocabulary, tokens: ReadonlyArray<Token>): ReadonlyArray<ReadonlyArray<Hit>> =>
  tokens.map((token, at) => {
    if (token.kind !== "word" && token.raw !== "&") return []
    const exact = vocabulary.entries.get(token.norm)
    const near = exact !== undefined || vocabulary.fillers.has(token.norm) ||
        !mayBeTypo(token, at) && !isGermanNoun(vocabulary, token)
      ? []
      : corrections(vocabulary, token.norm)
    const hit = (entries: ReadonlyArray<Entry>, isCorrected: boolean) =>
      entries.flatMap(({ className, words }) => {
        const found = startsWith(tokens, at, words, vocabulary)
        return found === null ? [] : [{ className, length: words.length, isCorrected: isCorrected || found === "near" }]
      })
    const isNounOnly = at > 0 && isGermanNoun(vocabulary, token)
    return [
      ...hit(exact ?? [], false),
      ...near.flatMap((word) => hit(vocabulary.entries.get(word)!, true)).filter(({ className }) =>
        !isNounOnly || className.startsWith("n:")
      )
    ]
  })

/** How many tokens `phrase` takes at `at`; 0 when it isn't there. */
export const phraseAt = (
  tokens: ReadonlyArray<Token>,
  at: number,
  phrases: ReadonlyArray<ReadonlyArray<string>>
): number => {
  // "ich möchte, dass du": people set commas in them.
  let most = 0
  for (const words of phrases) {
    let next = at
    for (const word of words) {
      if (next > at && tokens[next]?.raw === ",") next++
      const token = tokens[next]
      if (token === undefined || token.norm !== word || (token.kind !== "word" && token.kind !== "mark")) {
        next = at
        break
      }
      next++
    }
    most = Math.max(most, next - at)
  }
  return most
}
