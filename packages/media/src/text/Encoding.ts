/** Detects the encoding of a text by its first bytes. */
import { MediaTools } from "@filedrive/core"
import { analyse } from "chardet"
import { likelier, oldAlphabet } from "./OldAlphabets.ts"

/** The longer ones first: some begin with others. */
const marks = [
  { encoding: "utf-32le", bytes: [0xff, 0xfe, 0, 0] },
  { encoding: "utf-32be", bytes: [0, 0, 0xfe, 0xff] },
  { encoding: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  { encoding: "utf-16le", bytes: [0xff, 0xfe] },
  { encoding: "utf-16be", bytes: [0xfe, 0xff] }
] as const

/** Everything below a space except codes for terminals and printers. */
const isControl = (byte: number): boolean => byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b

/** Bytes for one call of the statistics, few enough not to delay other work. */
const guessBytes = 16 * 1024
const controlsMax = 0.1
/** Fewer bytes with a zero among them can't be classified. */
const wideBytesMin = 8
/** So many bytes without a control character are hardly chance. */
const certainBytes = 64
/** Of a hundred; below it, the letters of any language would come as near. */
const certain = 20

/** In any other encoding letters are this rarely characters of UTF-8 by chance; so the few wrong ones are damage. */
const rightPerWrong = 10

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length

const isUtf8 = (head: Uint8Array): boolean => {
  const decoder = new TextDecoder("utf-8")
  const text = decoder.decode(head, { stream: true })
  const wrong = count(text, /\ufffd/g)
  const right = count(text, /[\u0080-\ufffc\u{10000}-\u{10ffff}]/gu)
  if (wrong > 0) return right >= wrong * rightPerWrong
  // A last character that is cut is one where others are; alone it is another encoding's letter, unless the text continues.
  return right > 0 || head.byteLength >= MediaTools.textHeadBytes || decoder.decode() === ""
}

// oxlint-disable-next-line no-control-regex
const toJapanese = /\u001b\$[@B][!-~]+(?:\u001b\(|$)/

/** Escape sequences to Japanese and back, in nothing but ASCII, which is UTF-8 as well. */
const isIso2022Jp = (head: Uint8Array): boolean =>
  head.every((byte) => byte < 0x80) && toJapanese.test(Buffer.from(head).toString("latin1"))

/** Letters, digits, spaces and what stands between them, in any script. */
const written = /[\p{L}\p{N}\p{P}\p{Zs}\p{M}\n\r\t]/u

/** The share of the characters that are usual in texts, 0 to 1. */
const readAsText = (characters: ReadonlyArray<string>): number =>
  characters.length === 0 ? 0 : characters.filter((one) => written.test(one)).length / characters.length

/** The share that is plausible text, 0 to 1, when decoded as UTF-16. */
const wordsAsUtf16 = (head: Uint8Array, encoding: "utf-16le" | "utf-16be"): number => {
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true })
  } catch {
    return 0
  }
  return readAsText([...text])
}

const controlsIn = (head: Uint8Array): number => head.reduce((count, byte) => isControl(byte) ? count + 1 : count, 0)

/** How much alike bytes are at every second place from `first` on: characters of a text are of few alphabets. */
const likeness = (head: Uint8Array, first: 0 | 1): number => {
  const counts = new Uint32Array(256)
  for (let at = first; at < head.length; at += 2) counts[head[at]!]!++
  return counts.reduce((sum, count) => sum + count ** 2, 0)
}

/** Zero bytes and other control characters at even and odd places. */
const controlsByPlace = (head: Uint8Array) => {
  const zeros = [0, 0] as [even: number, odd: number]
  const others = [0, 0] as [even: number, odd: number]
  for (const [at, byte] of head.entries()) {
    if (byte === 0) zeros[at % 2]!++
    else if (isControl(byte)) others[at % 2]!++
  }
  return { zeros, others }
}

/** Fewer bytes of characters without a space or line break tell too little. */
const spacelessBytesMin = 32

/**
 * UTF-16 without a mark. Of Latin text half the bytes are zero, all at one place of two; of other scripts only spaces, line
 * breaks and a few characters have one, and the rest is nothing that a text of single bytes with a stray zero would be.
 * Without any, as in East Asia, it is told by second halves that no other encoding has, beside first halves of few kinds.
 */
const unmarkedUtf16 = (head: Uint8Array): "utf-16le" | "utf-16be" | null => {
  const { others, zeros: [even, odd] } = controlsByPlace(head)
  const [big, little] = [likeness(head, 0), likeness(head, 1)]
  const read = (isLittle: boolean, least: number) => {
    const encoding = isLittle ? "utf-16le" : "utf-16be"
    return wordsAsUtf16(head, encoding) > least ? encoding : null
  }
  if (even + odd === 0) {
    const isLittle = little > big
    const [firsts, seconds] = isLittle ? [others[1], others[0]] : others
    const isSpaceless = head.length >= spacelessBytesMin && Math.max(big, little) >= 2 * Math.min(big, little)
      && firsts === 0 && seconds > 2 && seconds > head.length / 500 && !isUtf8(head)
    return isSpaceless ? read(isLittle, 0.98) : null
  }
  const isOther = even + odd > head.length / 5 || others[0] + others[1] > head.length * controlsMax || !isUtf8(head)
  if (!isOther) return null
  const isPlain = Math.max(even, odd) >= 8 * Math.min(even, odd)
  if (isPlain && even + odd > head.length / 5) return read(odd > even, 0.9)
  // A zero may also be the second half of one of ten thousand characters.
  return read(little > big, 0.95) ?? (isPlain ? read(odd > even, 0.9) : null)
}

/** Characters of a text decoded as UTF-32; null when one of them is not valid. */
const asUtf32 = (head: Uint8Array, isLittle: boolean): ReadonlyArray<string> | null => {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const characters: Array<string> = []
  for (let at = 0; at + 4 <= head.length; at += 4) {
    const code = view.getUint32(at, isLittle)
    if (at === 0 && code === 0xfeff) continue
    if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return null
    characters.push(String.fromCodePoint(code))
  }
  return characters
}

const unmarkedUtf32 = (head: Uint8Array): "utf-32le" | "utf-32be" | null => {
  for (const encoding of ["utf-32le", "utf-32be"] as const) {
    const characters = asUtf32(head, encoding === "utf-32le")
    if (characters !== null && characters.length > 1 && readAsText(characters) > 0.9) return encoding
  }
  return null
}

const isBinary = (head: Uint8Array): boolean => head.includes(0) || controlsIn(head) > head.length * controlsMax

const canDecode = (encoding: string): boolean => {
  try {
    return new TextDecoder(encoding).encoding !== ""
  } catch {
    return false
  }
}

/** The first lines with letters beyond ASCII: the others are the same in all encodings that are guessed. */
const telling = (head: Uint8Array): Uint8Array => {
  const lines: Array<Uint8Array> = []
  let bytes = 0
  let end = 0
  while (bytes < guessBytes) {
    const high = head.subarray(end).findIndex((byte) => byte >= 0x80)
    if (high < 0) break
    const start = Math.max(end, head.lastIndexOf(0x0a, end + high) + 1, end + high - guessBytes / 2)
    const lineBreak = head.indexOf(0x0a, end + high)
    end = Math.min(lineBreak < 0 ? head.length : lineBreak + 1, start + guessBytes - bytes)
    lines.push(head.subarray(start, end))
    bytes += end - start
  }
  return Buffer.concat(lines)
}

const guessed = (head: Uint8Array): string => {
  const best = analyse(telling(head)).find(({ confidence, name }) =>
    confidence >= certain && !/^UTF/i.test(name) && canDecode(name)
  )
  return likelier(new TextDecoder(best?.name ?? "windows-1252").encoding, head)
}

/** By a mark, or because the bytes can hardly be anything else. */
const certainEncoding = (head: Uint8Array): string | null => {
  const mark = marks.find(({ bytes }) => bytes.every((byte, i) => head[i] === byte))
  if (mark !== undefined) return mark.encoding
  const wide = unmarkedUtf32(head) ?? unmarkedUtf16(head)
  if (wide !== null || isBinary(head)) return wide
  if (isIso2022Jp(head)) return "iso-2022-jp"
  return isUtf8(head) ? "utf-8" : oldAlphabet(head)
}

/** As `TextDecoder` names it, or `utf-32le` or `utf-32be`; null when these bytes are not text. */
export const encodingOf = (head: Uint8Array): string | null =>
  certainEncoding(head) ?? (isBinary(head) ? null : guessed(head))

/** Bytes that texts of one or two bytes a character do not have: below a space, but line breaks, tabs and escapes. */
const strange = (byte: number): boolean => isControl(byte) || byte === 0x08 || byte === 0x7f

/**
 * Whether bytes of which nothing else is known are a text: any bytes can be read in the old encodings. Bytes that are not
 * text contain control characters sooner or later, and of few bytes most must be plain letters.
 */
export const isText = (head: Uint8Array): boolean => {
  if (head.length === 0) return false
  const encoding = certainEncoding(head)
  if (head.includes(0) && head.length < wideBytesMin) return false
  if (encoding?.startsWith("utf-32") === true) {
    const characters = asUtf32(head, encoding === "utf-32le")
    return characters !== null && readAsText(characters) > 0.9
  }
  if (encoding === "utf-16le" || encoding === "utf-16be") return wordsAsUtf16(head, encoding) > 0.9
  if (head.some(strange)) return false
  if (encoding !== null) return true
  if (isBinary(head)) return false
  const text = new TextDecoder(guessed(head)).decode(head, { stream: true })
  const isPlain = head.length >= certainBytes || head.filter((byte) => byte < 0x80).length > head.length / 2
  return isPlain && !text.includes("\ufffd") && readAsText([...text]) > 0.9
}
