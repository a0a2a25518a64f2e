/**
 * The words that files are found by. A file's texts and what is searched for are cut in one way, so a pasted file
 * name finds its file.
 *
 * Contract: "Search words".
 */

/** Characters of a word that count; words that differ only after them are equal. */
const wordMaxLength = 64

/** Characters of a gram: pieces of this length or less are kept of runs without spaces. */
const gramLength = 3

/** Characters inside words that say nothing: what no font draws (soft hyphens, joiners, marks of direction), and Arabic's lengthening stroke. */
const joiners = /[\p{Default_Ignorable_Code_Point}\u0640]/gu

/**
 * Marks that are written or left out as one pleases: accents, and the points of Hebrew and Arabic. Not those a word
 * is another word without: the vowel signs of Indic scripts, and the marks of kana.
 */
const accents = /(?!\u3099|\u309a)(?:\p{Script=Inherited}|[\u0591-\u05c7\u0610-\u061a\u06d6-\u06ed])/gu

/** Letters that Unicode takes for letters of their own, and people for accented ones. */
const plain: Readonly<Record<string, string>> = {
  æ: "ae",
  ð: "d",
  ø: "o",
  þ: "th",
  đ: "d",
  ħ: "h",
  ł: "l",
  œ: "oe",
  ŧ: "t",
  ς: "σ"
}
const unplain = /[æðøþđħłœŧς]/g

/**
 * What is between two cuts: a run in scripts that put no spaces between words, other letters, or digits. A mark
 * belongs to what is before it, and is nothing by itself.
 */
const spaceless = "\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Bopo}\\p{scx=Thai}\\p{scx=Laoo}"
  + "\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Lana}\\p{scx=Talu}\\p{scx=Tale}"
const pieces = new RegExp(
  `((?=[\\p{L}\\p{N}])[${spaceless}](?:(?=[\\p{L}\\p{N}\\p{M}])[${spaceless}])*)`
    + `|((?![${spaceless}])\\p{L}(?:(?![${spaceless}])\\p{L}|\\p{M})*)`
    + `|((?![${spaceless}])\\p{N}(?:(?![${spaceless}])\\p{N}|\\p{M})*)`,
  "gu"
)
const asciiPieces = /([A-Za-z]+)|([0-9]+)/g

/** Between the humps of `camelCase` and `HTTPServer`. */
const hump = /(?<=\p{Ll}\p{M}*)(?=\p{Lu})|(?<=\p{Lu}\p{M}*)(?=\p{Lu}\p{M}*\p{Ll})/u

// oxlint-disable-next-line no-control-regex
const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text)

/** Without accents, and one form of each of the many Unicode has for some letters. Case stays. */
const unaccented = (text: string): string =>
  isAscii(text)
    ? text
    : text.normalize("NFKD").replace(joiners, "").replace(accents, "").normalize("NFC")

/** One case, by way of the upper: only there are `ß` and `SS`, or the two small sigmas, one. */
const oneCase = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text.toLowerCase().toUpperCase().toLowerCase()
      .normalize("NFKD").replace(accents, "").normalize("NFC").replace(unplain, (letter) => plain[letter]!)

/** The form that two spellings of a text share which differ only in case, accents, or how characters are encoded. */
export const fold = (text: string): string => oneCase(unaccented(text))

interface Piece {
  readonly kind: "run" | "letters" | "digits"
  /** As written, but for accents. */
  readonly text: string
}

const cut = (text: string): ReadonlyArray<Piece> => {
  if (isAscii(text)) {
    return Array.from(text.matchAll(asciiPieces), ([piece, letters]): Piece => ({
      kind: letters === undefined ? "digits" : "letters",
      text: piece
    }))
  }
  return Array.from(unaccented(text).matchAll(pieces), ([piece, run, letters]): Piece => ({
    kind: run !== undefined ? "run" : letters !== undefined ? "letters" : "digits",
    text: piece
  }))
}

const humps = (text: string): ReadonlyArray<string> => {
  const folded = oneCase(text)
  // Most words have no upper case after their first letter, and those that are all of it have no hump either.
  return folded === text || text === text.toUpperCase() ? [folded] : text.split(hump).map(oneCase)
}

const clip = (word: string): string =>
  word.length <= wordMaxLength ? word : Array.from(word).slice(0, wordMaxLength).join("")

/** Every piece of 1 to {@link gramLength} characters of a run. */
const addGrams = (run: string, into: Set<string>): void => {
  const characters = Array.from(run)
  for (let at = 0; at < characters.length; at++) {
    let gram = ""
    for (const character of characters.slice(at, at + gramLength)) into.add(gram += character)
  }
}

/** What a file is found by. */
export interface Index {
  /** Words to be found by their beginnings. */
  readonly words: ReadonlySet<string>
  /** Pieces of runs without spaces, to be found as they are. */
  readonly grams: ReadonlySet<string>
}

/**
 * The words of a text. Of one with humps also what they are together, from each on: people who look for
 * `iPhone` write `iphone`.
 *
 * Of a run without spaces every piece of one to three characters. What is looked for in it is cut to such pieces as
 * well, so whatever part of a run is typed finds it, however a dictionary would cut either; and each is found as it
 * is, which is quick where beginnings of words are not. A part longer than three characters is found by the pieces
 * it holds, all of them, next to each other or not.
 */
export const index = (text: string): Index => {
  const words = new Set<string>()
  const grams = new Set<string>()
  for (const piece of cut(text)) {
    if (piece.kind === "run") {
      addGrams(oneCase(piece.text), grams)
      continue
    }
    const parts = piece.kind === "digits" ? [oneCase(piece.text)] : humps(piece.text)
    for (let at = 0; at < parts.length; at++) {
      words.add(clip(parts[at]!))
      if (parts.length > 1) words.add(clip(parts.slice(at, at + wordMaxLength).join("")))
    }
  }
  return { words, grams }
}

/** A word looked for: the beginning of one, or a piece of a run as it is. */
export interface Word {
  readonly kind: "start" | "gram"
  readonly text: string
}

/** Found where one of these is there as a whole: every word of it. */
export type Term = ReadonlyArray<ReadonlyArray<Word>>

const start = (text: string): Word => ({ kind: "start", text: clip(text) })

const segmenter = new Intl.Segmenter("und", { granularity: "word" })

/** The pieces a file must have that holds this part of a run. */
const gramsOf = (part: string): ReadonlyArray<Word> => {
  const characters = Array.from(part)
  const last = Math.max(characters.length - gramLength, 0)
  return Array.from({ length: last + 1 }, (_, at) => ({
    kind: "gram",
    text: characters.slice(at, at + gramLength).join("")
  }))
}

/**
 * What a search for `text` asks for: a file is found that has every term. None for a text without a letter or digit.
 *
 * Humps are looked for apart and together, as `YouTube` may be `youtube` in a name.
 */
export const terms = (text: string): ReadonlyArray<Term> => {
  const found = new Map<string, Term>()
  const add = (term: Term) => void found.set(JSON.stringify(term), term)
  for (const piece of cut(text)) {
    if (piece.kind === "run") {
      for (const { segment } of segmenter.segment(oneCase(piece.text))) {
        for (const word of gramsOf(segment)) add([[word]])
      }
      continue
    }
    const parts = piece.kind === "digits" ? [oneCase(piece.text)] : humps(piece.text)
    add(parts.length === 1 ? [[start(parts[0]!)]] : [parts.map(start), [start(parts.join(""))]])
  }
  return withoutImplied([...found.values()])
}

/** Leaves out single words that another one begins with: whatever has `vacation` has `va`. */
const withoutImplied = (terms: ReadonlyArray<Term>): ReadonlyArray<Term> => {
  const single = (term: Term): Word | undefined => term.length === 1 && term[0]!.length === 1 ? term[0]![0] : undefined
  const starts = terms.flatMap((term) => single(term) ?? []).filter(({ kind }) => kind === "start")
    .map(({ text }) => text).sort()
  const implied = new Set(starts.filter((text, at) => starts[at + 1]?.startsWith(text) === true))
  return terms.filter((term) => {
    const word = single(term)
    return word === undefined || word.kind === "gram" || !implied.has(word.text)
  })
}
