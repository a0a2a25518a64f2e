/**
 * Detects alphabets of one byte a letter that statistics of letter groups do not know, or
 * take for others: by rules of spelling that only texts in them follow.
 */

const highBytesMin = 8

const within = (byte: number | undefined, from: number, to: number): boolean =>
  byte !== undefined && byte >= from && byte <= to

const isHigh = (byte: number): boolean => byte >= 0x80

const isThaiConsonant = (byte: number | undefined): boolean => within(byte, 0xa1, 0xce)
/** Vowels and tones above or below a letter. */
const isThaiMark = (byte: number | undefined): boolean =>
  byte === 0xd1 || within(byte, 0xd4, 0xda) || within(byte, 0xe7, 0xee)
/** Vowels that are written before the consonant they are spoken after. */
const isThaiLeader = (byte: number | undefined): boolean => within(byte, 0xe0, 0xe4)

/** The long a and two marks of tone: a seventh of any text in Thai. */
const commonThai = new Set([0xd2, 0xe8, 0xe9])
/** How much of Thai such letters are, beside those that are bound to a place: with 40 letters over 0.3, of other alphabets under 0.22. */
const leastThai = 0.25

/**
 * Thai: marks stand on a consonant or another mark, and some vowels before a consonant. Short texts of two bytes a
 * character, Korean above all, often keep to that by chance, but have few such letters.
 */
const isThai = (head: Uint8Array): boolean => {
  let high = 0
  let bound = 0
  let common = 0
  let wrong = 0
  for (const [at, byte] of head.entries()) {
    if (!isHigh(byte)) continue
    high++
    const isMark = isThaiMark(byte)
    const isLeader = isThaiLeader(byte)
    if (isMark || isLeader) bound++
    if (commonThai.has(byte)) common++
    const before = head[at - 1]
    const isRight = isMark
      ? at === 0 || isThaiConsonant(before) || isThaiMark(before)
      : isLeader
      ? at + 1 === head.length || isThaiConsonant(head[at + 1])
      : isThaiConsonant(byte) || within(byte, 0xcf, 0xd3) || within(byte, 0xdf, 0xfb) || byte === 0xa0 || byte < 0x98
    if (!isRight) wrong++
  }
  return high >= highBytesMin && bound + common > high * leastThai && wrong <= high / 50
}

const isHebrewLetter = (byte: number | undefined): boolean => within(byte, 0xe0, 0xfa)
/** Points below and in letters, which stand in no other place. */
const isHebrewPoint = (byte: number | undefined): boolean => within(byte, 0xc0, 0xd2)
/** Five letters have a form of their own at the end of a word, and are written so nowhere else. */
const hebrewFinals = new Set([0xea, 0xed, 0xef, 0xf3, 0xf5])

/** Hebrew: of the letters that end words some do, and hardly any stands elsewhere. */
const isHebrew = (head: Uint8Array): boolean => {
  let high = 0
  let letters = 0
  let finals = 0
  let wrong = 0
  for (const [at, byte] of head.entries()) {
    if (!isHigh(byte)) continue
    high++
    if (isHebrewLetter(byte)) letters++
    else if (!isHebrewPoint(byte) && !within(byte, 0x80, 0xbf) && !within(byte, 0xd3, 0xd8) && byte < 0xfd) wrong++
    if (!hebrewFinals.has(byte)) continue
    let next = at + 1
    while (isHebrewPoint(head[next])) next++
    if (isHebrewLetter(head[next])) wrong++
    else finals++
  }
  return high >= highBytesMin && letters > high / 2 && finals > letters / 50 && wrong <= high / 50
}

/** о, е, а, и and н, small and large: a third of any text in Cyrillic letters, and each of them often. */
const commonCyrillic = [[0xae, 0x8e], [0xa5, 0x85], [0xa0, 0x80], [0xa8, 0x88], [0xad, 0x8d]] as const

/** Cyrillic as DOS wrote it, lines around tables included. */
const isDosCyrillic = (head: Uint8Array): boolean => {
  const counts = new Uint32Array(256)
  for (const byte of head) counts[byte]!++
  const sum = (from: number, to: number) => counts.subarray(from, to + 1).reduce((all, count) => all + count, 0)
  const letters = sum(0x80, 0xaf) + sum(0xe0, 0xf7)
  const others = sum(0xf8, 0xff)
  const common = commonCyrillic.map(([small, large]) => counts[small]! + counts[large]!)
  return letters >= highBytesMin && others <= letters / 50 && sum(0xb0, 0xdf) <= letters / 2
    && common.every((count) => count >= letters / 50) && common.reduce((all, count) => all + count, 0) >= letters / 4
}

const asBytes = (letters: string): ReadonlySet<number> => new Set(Buffer.from(letters, "latin1"))

/** Letters of Lithuanian and Latvian, which in Latin-1 are these; the large ones are 32 before them. */
const balticLetters = asBytes(
  "\u00e0\u00e1\u00e2\u00e6\u00e7\u00e8\u00eb\u00ec\u00ed\u00ee\u00ef\u00f0\u00f2\u00f8\u00fb\u00fe"
)
/** What is š and ž there. In the west Icelandic and Faroese alone have these. */
const balticSibilants = asBytes("\u00f0\u00fe")
/** What is ė and ā there, the commonest of all in Lithuanian and Latvian, and in no language that has the former. */
const balticVowels = asBytes("\u00eb\u00e2")
/** Letters of Central Europe, where Baltic alphabets have none. */
const unusedInBaltic = new Set([0x8a, 0x8c, 0x8f, 0x9a, 0x9c, 0x9f])
const balticLettersMin = 4

/** Lithuanian and Latvian, much of which statistics take for French. */
const isBaltic = (head: Uint8Array): boolean => {
  const counts = new Uint32Array(256)
  for (const byte of head) {
    if (unusedInBaltic.has(byte)) return false
    if (byte >= 0xc0) counts[byte | 0x20]!++
  }
  const sum = (letters: Iterable<number>) => [...letters].reduce((all, letter) => all + counts[letter]!, 0)
  const letters = counts.reduce((all, count) => all + count, 0)
  return letters >= balticLettersMin && sum(balticLetters) >= letters * 0.98
    && sum(balticSibilants) >= letters / 20 && sum(balticVowels) >= letters / 8
}

/** Whether most of its letters beyond ASCII stand beside others, as in alphabets of their own. */
const isTogether = (head: Uint8Array): boolean => {
  let high = 0
  let beside = 0
  for (const [at, byte] of head.entries()) {
    if (!isHigh(byte)) continue
    high++
    if (isHigh(head[at - 1] ?? 0) || isHigh(head[at + 1] ?? 0)) beside++
  }
  return beside > high * 0.8
}

/** As `TextDecoder` names it, or null. */
export const oldAlphabet = (head: Uint8Array): string | null => {
  if (!isTogether(head)) return isBaltic(head) ? likelier("windows-1257", head) : null
  if (isThai(head)) return "windows-874"
  if (isHebrew(head)) return "windows-1255"
  return isDosCyrillic(head) ? "ibm866" : null
}

/** The encoding that says all that the guessed one does, and is written more often; or the one that these bytes can only be in. */
export const likelier = (guess: string, head: Uint8Array): string => {
  if (guess === "iso-8859-8" || guess === "iso-8859-8-i") return "windows-1255"
  // What is below A0 in the one are quotation marks in the other, and the other way round.
  if (guess === "windows-1257" && !head.some((byte) => within(byte, 0x80, 0x9f))) return "iso-8859-13"
  return guess
}
