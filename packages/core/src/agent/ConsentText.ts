/** Finds words of many languages in what a user wrote, with their usual typing errors. Pure. */

/** Without accents and capitals, so that people may leave them out. */
const plain = (text: string): string =>
  text.toLowerCase().replaceAll("ß", "ss").replaceAll("ł", "l").replaceAll("ø", "o").replaceAll("’", "'").normalize(
    "NFKD"
  ).replace(/\p{M}/gu, "")

/** Scripts that write words without spaces between, or join them with others. */
const joined =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Devanagari}]/u

export const wordsOf = (text: string): ReadonlyArray<string> => plain(text).match(/[\p{L}\p{N}]+(?:'[\p{L}]+)?/gu) ?? []

/** Longer messages are read as far as this. */
const readLength = 20_000

/** "Close" that closes nothing. */
const near = /(?<!\p{L})close(?:r|st)?\s+to(?!\p{L})/giu

/** "When somebody sends files, close the request": what follows is asked for. "When was it made public, …" is a question. */
const condition =
  /(?=[wif])(?<=(?:^|[.!?;:\n])\s*)((?:when|whenever|if|wenn|falls)\s+(?!(?:did|was|were|is|are|do|does|have|has|had|will|would|can|could|should|shall|may|must)(?!\p{L}))[^,.!?;:\n]{1,300}),/giu

/** Sentences, and what "and", "then" join, each as its words. */
export const clausesOf = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  text.slice(0, readLength).replaceAll(near, " near ").replaceAll(condition, "$1;\n").split(
    /[.!?;:\n…]+(?=\s|$)|[。！？；]+|(?<![\p{L}\p{N}])(?:and|then|but|und|dann|aber|sondern|et|puis|mais|y|luego|pero|e|poi|ma|en|dan|maar)(?![\p{L}\p{N}])/iu
  )
    .map((clause) => {
      const words = wordsOf(clause)
      const from = words.findIndex((word) => !polite.has(word))
      return from < 0 ? [] : words.slice(from)
    })
    .filter((words) => words.length > 0)

/** What stands before a request or a question. */
const polite = new Set("please pls plz hey hi hello so well also now bitte hallo also jetzt noch s'il".split(" "))

/** Whether two words differ by at most one letter that is missing, added, wrong, or in the place of its neighbour. */
const isClose = (one: string, other: string): boolean => {
  if (Math.abs(one.length - other.length) > 1) return false
  let from = 0
  while (from < one.length && one[from] === other[from]) from++
  let ends = 0
  while (ends < Math.min(one.length, other.length) - from && one.at(-1 - ends) === other.at(-1 - ends)) ends++
  const left = one.slice(from, one.length - ends)
  const right = other.slice(from, other.length - ends)
  return left.length <= 1 && right.length <= 1 ||
    left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}

interface Word {
  readonly text: string
  readonly isStem: boolean
}

/** `..` is a gap. */
type Term = ReadonlyArray<Word | null>

const wordOf = (text: string): Word | null =>
  text === ".." ? null : { text: plain(text.replace("*", "")), isStem: text.endsWith("*") }

const read = (list: string): ReadonlyArray<Term> =>
  list.split(",").map((term) => term.trim()).filter((term) => term !== "").map((term) => term.split(/ +/).map(wordOf))

const known = new Map<ReadonlyArray<string>, ReadonlyArray<Term>>()

const termsOf = (lists: ReadonlyArray<string>): ReadonlyArray<Term> => {
  const terms = known.get(lists) ?? lists.flatMap(read)
  known.set(lists, terms)
  return terms
}

/** The shortest word that may have a typing error. */
const mistyped = 5

const fits = (word: string, { isStem, text }: Word): boolean => {
  if (word === text || isStem && word.startsWith(text)) return true
  if (joined.test(text)) return word.includes(text)
  // The contractions: "don't" is also "do n't".
  if (text === "n't") return word.endsWith("n't") || /^(?:dont|cant|wont|shouldnt|doesnt|isnt)$/.test(word)
  if (text.length < mistyped) return false
  return isStem
    ? [text.length - 1, text.length, text.length + 1].some((length) => isClose(word.slice(0, length), text))
    : isClose(word, text)
}

const gap = 8

/** Where a term that begins at `at` ends; -1 where it does not. */
const endAt = (words: ReadonlyArray<string>, term: Term, at: number): number => {
  const [first, ...rest] = term
  if (first === undefined) return at
  if (first !== null) return at < words.length && fits(words[at]!, first) ? endAt(words, rest, at + 1) : -1
  for (let skipped = 0; skipped <= gap && at + skipped < words.length; skipped++) {
    const end = endAt(words, rest, at + skipped)
    if (end >= 0) return end
  }
  return -1
}

/** Words that turn the next ones into what is not to be done, unless something is to be no longer so. */
const negations = new Set("don't dont doesn't never without ohne niemals nie nichts keinesfalls".split(" "))

const isNegated = (words: ReadonlyArray<string>, at: number): boolean => {
  const before = words.slice(Math.max(0, at - 5), at)
  const isDenied = before.some((word, n) => negations.has(word) || word === "do" && before[n + 1] === "not")
  return isDenied && !words.some((word) => /^(?:anymore|longer|more|mehr|langer|need|want)$/.test(word))
}

const has = (words: ReadonlyArray<string>, term: Term): boolean =>
  words.some((_, at) => endAt(words, term, at) > at && !isNegated(words, at))

/** Whether one of the terms is in the words. */
export const hasTerm = (words: ReadonlyArray<string>, lists: ReadonlyArray<string>): boolean =>
  termsOf(lists).some((term) => has(words, term))

export const beginsWith = (words: ReadonlyArray<string>, lists: ReadonlyArray<string>): boolean =>
  termsOf(lists).some((term) => endAt(words, term, 0) > 0)

/** Whether a text names somebody or something: the same words in a row; a long one may have a typing error, and a short one an s. */
export const mentions = (text: string, name: string): boolean => {
  const words = wordsOf(text.slice(0, readLength))
  const wanted = wordsOf(name)
  return wanted.length > 0 && words.some((_, at) =>
    wanted.every((want, n) => {
      const word = words[at + n] ?? ""
      return word === want || word.replace(/'?s$/, "") === want || want.length > mistyped && isClose(word, want)
    })
  )
}
