/**
 * In which of the old alphabets texts are written that are declared as Latin-1: programs wrote the code page of their country there. Tags
 * are short, so all texts of a tag are weighed together: by how likely their letters are in each alphabet, and how words are spelled.
 */
import { centralEuropean } from "./LatinLetters.ts"
import * as Letters from "./Letters.ts"

/** The logarithm of how likely a character is, in a text of which the one before it is known. */
type Likelihood = (character: Character, before: Character | null) => number

interface Character {
  readonly text: string
  readonly bytes: ReadonlyArray<number>
}

const isPlain = ({ bytes: [first = 0] }: Character): boolean => first < 0x80
const isAsciiLetter = ({ text }: Character): boolean => /^[a-z]$/i.test(text)
const isLetter = ({ text }: Character): boolean => /^[\p{L}\p{M}]$/u.test(text)
const isUpper = ({ text }: Character): boolean => /^\p{Lu}$/u.test(text)
const isLower = ({ text }: Character): boolean => /^\p{Ll}$/u.test(text)

const plain = (character: Character, isLatin: boolean): number => isLatin || !isAsciiLetter(character) ? -3 : -4

/** Letters of two alphabets in one word. */
const mixes = (character: Character, before: Character | null): boolean =>
  before !== null && isLetter(character) && isLetter(before) && isPlain(character) !== isPlain(before)

/** A large letter behind a small one. */
const turns = (character: Character, before: Character | null): boolean =>
  before !== null && isUpper(character) && isLower(before)

const impossible = -14

/** Western Europe: letters beyond ASCII are rare, and stand alone. */
const western: Likelihood = (character, before) => {
  if (isPlain(character)) return plain(character, true)
  const { text } = character
  const beside = before !== null && !isPlain(before) && isLetter(before) && isLetter(character) ? -2 : 0
  const turn = turns(character, before) ? -3 : 0
  if (/^[éèàáíóúñçäöüßåøæêâô]$/.test(text)) return -5.5 + beside
  if (isLower(character)) return -7.5 + beside
  if (isUpper(character)) return -8 + beside + turn
  if (/^[’‘“”–—…«»¿¡·°´™®©½²³ºª€£]$/.test(text)) return -7
  return /^[\u0080-\u009f]$/.test(text) ? impossible : -10.5
}

/** How much rarer each letter is than the one before it in the list: in longer alphabets less. */
const steepness = { short: 0.12, long: 0.075 }

/** An alphabet of its own, of which the letters are known by how frequent they are. */
const alphabet = (
  letters: string,
  spelling: (character: Character, before: Character | null) => number,
  steepness: number
): Likelihood => {
  const ranks = new Map([...letters].map((letter, rank) => [letter, rank]))
  const most = Math.log(1 - Math.exp(-steepness))
  return (character, before) => {
    if (isPlain(character)) return plain(character, false) + (mixes(character, before) ? -6 : 0)
    const rank = ranks.get(character.text.toLowerCase())
    if (rank === undefined) {
      if (/^[\p{P}\p{Zs}№©®°±™]$/u.test(character.text)) return -8
      return /^[\p{L}\p{M}]$/u.test(character.text) ? -9 : impossible
    }
    return most - rank * steepness + (mixes(character, before) ? -6 : 0) + (turns(character, before) ? -5 : 0)
      + spelling(character, before)
  }
}

const anySpelling = (): number => 0

/** Final forms end words, and stand nowhere else. */
const hebrewSpelling = (_: Character, before: Character | null): number =>
  before !== null && /^[ךםןףץ]$/.test(before.text) && isLetter(_) ? -5 : 0

/** No word begins with these. */
const cyrillicSpelling = ({ text }: Character, before: Character | null): number =>
  /^[ьъы]$/i.test(text) && (before === null || !isLetter(before)) ? -4 : 0

/** Vowels and tones of Thai stand on a consonant. */
const thaiSpelling = ({ text }: Character, before: Character | null): number =>
  /^\p{M}$/u.test(text) && (before === null || isPlain(before)) ? -6 : 0

interface Ranges {
  /** By the first byte: characters that every text has. */
  readonly isUsual: (first: number, second: number) => boolean
  readonly common: ReadonlySet<string>
}

/** Characters of two bytes: some hundred are frequent, some thousand are usual. */
const ofPairs = ({ common, isUsual }: Ranges): Likelihood => (character, before) => {
  if (isPlain(character)) return plain(character, false) + (mixes(character, before) ? -3 : 0)
  const { bytes: [first = 0, second], text } = character
  // Half a width, or half of a character: hardly ever.
  if (second === undefined) return -8.5
  const beside = before !== null && isAsciiLetter(before) ? -3 : 0
  if (common.has(text)) return -5.2 + beside
  if (/^[\u3040-\u30ff]$/.test(text)) return -4.6 + beside
  if (/^[\u3000-\u303f\uff00-\uff5e・ー～]$/u.test(text)) return -6
  if (!isLetter(character)) return -11
  return (isUsual(first, second) ? -8 : -11.5) + beside
}

const within = (value: number, from: number, to: number): boolean => value >= from && value <= to

interface CodePage {
  readonly encoding: string
  readonly likelihood: Likelihood
  /** How much rarer than others it is in tags. */
  readonly rarity?: number
  /** Whether a byte is the first of two. */
  readonly isFirst?: (byte: number) => boolean
}

const fromA1 = (byte: number): boolean => within(byte, 0x81, 0xfe)

const codePages: ReadonlyArray<CodePage> = [
  { encoding: "windows-1252", likelihood: western },
  { encoding: "windows-1251", likelihood: alphabet(Letters.cyrillic, cyrillicSpelling, steepness.short) },
  { encoding: "koi8-r", likelihood: alphabet(Letters.cyrillic, cyrillicSpelling, steepness.short), rarity: 2 },
  { encoding: "ibm866", likelihood: alphabet(Letters.cyrillic, cyrillicSpelling, steepness.short), rarity: 2 },
  { encoding: "windows-1253", likelihood: alphabet(Letters.greek, anySpelling, steepness.short) },
  { encoding: "windows-1255", likelihood: alphabet(Letters.hebrew, hebrewSpelling, steepness.short) },
  { encoding: "windows-1256", likelihood: alphabet(Letters.arabic, anySpelling, steepness.short) },
  { encoding: "windows-874", likelihood: alphabet(Letters.thai, thaiSpelling, steepness.long) },
  {
    encoding: "shift_jis",
    likelihood: ofPairs({ common: Letters.japanese, isUsual: (first) => within(first, 0x88, 0x98) }),
    isFirst: (byte) => within(byte, 0x81, 0x9f) || within(byte, 0xe0, 0xfc)
  },
  {
    encoding: "euc-jp",
    likelihood: ofPairs({ common: Letters.japanese, isUsual: (first) => within(first, 0xb0, 0xcf) }),
    isFirst: fromA1,
    rarity: 5
  },
  {
    encoding: "gb18030",
    likelihood: ofPairs({
      common: Letters.simplified,
      isUsual: (first, second) => within(first, 0xb0, 0xd7) && second >= 0xa1
    }),
    isFirst: fromA1
  },
  {
    encoding: "big5",
    likelihood: ofPairs({ common: Letters.traditional, isUsual: (first) => within(first, 0xa4, 0xc6) }),
    isFirst: fromA1
  },
  {
    encoding: "euc-kr",
    likelihood: ofPairs({
      common: Letters.korean,
      isUsual: (first, second) => within(first, 0xb0, 0xc8) && second >= 0xa1
    }),
    isFirst: fromA1
  }
]

/** What one byte, or two, are in a code page; null for nothing. */
const makeReader = (encoding: string): (piece: Uint8Array) => Character | null => {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const known = new Map<number, Character | null>()
  const read = (piece: Uint8Array): Character | null => {
    try {
      return { text: decoder.decode(piece), bytes: [...piece] }
    } catch {
      return null
    }
  }
  return (piece) => {
    const code = piece.reduce((sum, byte) => sum * 256 + byte, piece.length)
    const found = known.get(code)
    if (found !== undefined) return found
    const character = read(piece)
    known.set(code, character)
    return character
  }
}

const readers = new Map(codePages.map(({ encoding }) => [encoding, makeReader(encoding)]))

/** Null where the bytes can't be a text in it. A last character may be cut off. */
const charactersIn = (bytes: Uint8Array, { encoding, isFirst }: CodePage): ReadonlyArray<Character> | null => {
  const read = readers.get(encoding)!
  const characters: Array<Character> = []
  for (let at = 0; at < bytes.length;) {
    const count = isFirst?.(bytes[at]!) === true ? 2 : 1
    const piece = bytes.subarray(at, at + count)
    const character = piece.length < count ? { text: "", bytes: [...piece] } : read(piece)
    if (character === null) return null
    characters.push(character)
    at += count
  }
  return characters
}

const likelihoodOf = (texts: ReadonlyArray<Uint8Array>, page: CodePage): number => {
  let sum = -(page.rarity ?? 0)
  for (const bytes of texts) {
    const characters = charactersIn(bytes, page)
    if (characters === null) return -Infinity
    for (const [at, character] of characters.entries()) sum += page.likelihood(character, characters[at - 1] ?? null)
  }
  return sum
}

/** So much more likely than Latin-1, which is declared, another must be: 400 times. */
const margin = 6

/** So many bytes of a tag's texts are weighed. */
const weighedMax = 2_000

const beginningOf = (texts: ReadonlyArray<Uint8Array>): ReadonlyArray<Uint8Array> => {
  const pieces: Array<Uint8Array> = []
  let left = weighedMax
  for (const bytes of texts) {
    if (left <= 0) break
    pieces.push(bytes.subarray(0, left))
    left -= bytes.length
  }
  return pieces
}

const encodingOf = (texts: ReadonlyArray<Uint8Array>): string => {
  const weighed = beginningOf(texts)
  const [declared = -Infinity, ...others] = codePages.map((page) => likelihoodOf(weighed, page))
  const best = Math.max(...others)
  if (best > declared + margin) return codePages[others.indexOf(best) + 1]!.encoding
  return centralEuropean(weighed) ?? "windows-1252"
}

const isHigh = (byte: number): boolean => byte >= 0x80

const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u
]

/** Characters of two bytes in several alphabets: so Chinese looks that happens to be UTF-8. */
const isMixed = (text: string): boolean => {
  const high = text.replaceAll(/\p{ASCII}/gu, "")
  return !/[\u0800-\uffff]/.test(high) && scripts.filter((script) => script.test(high)).length > 1
}

/** UTF-8 where Latin-1 is declared, as many programs write it: no words of Latin-1 are UTF-8 by chance. */
const asUtf8 = (bytes: Uint8Array): string | null => {
  if (!bytes.some(isHigh)) return null
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
    return isMixed(text) ? null : text
  } catch {
    return null
  }
}

/** How texts of one tag are read that are declared as Latin-1. */
export const decoderOf = (texts: ReadonlyArray<Uint8Array>): (bytes: Uint8Array) => string => {
  const old = texts.filter((bytes) => bytes.some(isHigh) && asUtf8(bytes) === null)
  const decoder = old.length === 0 ? null : new TextDecoder(encodingOf(old))
  return (bytes) => {
    const utf8 = asUtf8(bytes)
    if (utf8 !== null || decoder === null) return utf8 ?? Buffer.from(bytes).toString("latin1")
    const text = decoder.decode(bytes, { stream: true })
    // Half of a last character, where a field was too short for all of it, is left out.
    decoder.decode()
    return text
  }
}
