/** Which encoding a text is in, by its first bytes. */
import { MediaTools } from "@filedrive/core"
import { analyse } from "chardet"

const marks = [
  { encoding: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  { encoding: "utf-16le", bytes: [0xff, 0xfe] },
  { encoding: "utf-16be", bytes: [0xfe, 0xff] }
] as const

/** Everything below a space but what terminals and printers are told. */
const isControl = (byte: number): boolean => byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b

/** What fits in one call of the statistics without holding others up. */
const guessBytes = 16 * 1024
const controlsMax = 0.1
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
  // A last character that is cut is one where others are; alone it is another encoding's letter, unless the text goes on.
  return right > 0 || head.byteLength >= MediaTools.textHeadBytes || decoder.decode() === ""
}

// oxlint-disable-next-line no-control-regex
const toJapanese = /\u001b\$[@B][!-~]+(?:\u001b\(|$)/

/** Escape sequences to Japanese and back, in nothing but ASCII, which is UTF-8 as well. */
const isIso2022Jp = (head: Uint8Array): boolean =>
  head.every((byte) => byte < 0x80) && toJapanese.test(Buffer.from(head).toString("latin1"))

/** Letters, digits, spaces and what stands between them, in any script. */
const written = /[\p{L}\p{N}\p{P}\p{Zs}\p{M}\n\r\t]/u

/** How much of it reads as text, 0 to 1, when taken for UTF-16. */
const wordsAsUtf16 = (head: Uint8Array, encoding: "utf-16le" | "utf-16be"): number => {
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true })
  } catch {
    return 0
  }
  const characters = [...text]
  return characters.length === 0 ? 0 : characters.filter((one) => written.test(one)).length / characters.length
}

const controlsIn = (head: Uint8Array): number => head.reduce((count, byte) => isControl(byte) ? count + 1 : count, 0)

/**
 * UTF-16 without a mark. Of Latin text half the bytes are zero, all at one parity; of other scripts only spaces and line
 * breaks have one, and the rest is nothing that a text of single bytes with a stray zero would be.
 */
const unmarkedUtf16 = (head: Uint8Array): "utf-16le" | "utf-16be" | null => {
  const zeros = [0, 0]
  for (let at = 0; at < head.length; at++) if (head[at] === 0) zeros[at % 2]!++
  const [even, odd] = zeros as [number, number]
  if (even + odd === 0 || Math.max(even, odd) < 8 * Math.min(even, odd)) return null
  const isOther = even + odd > head.length / 5 || controlsIn(head) - even - odd > head.length * controlsMax ||
    !isUtf8(head)
  const encoding = odd > even ? "utf-16le" : "utf-16be"
  return isOther && wordsAsUtf16(head, encoding) > 0.9 ? encoding : null
}

const isBinary = (head: Uint8Array): boolean => head.includes(0) || controlsIn(head) > head.length * controlsMax

const canDecode = (encoding: string): boolean => {
  try {
    return new TextDecoder(encoding).encoding !== ""
  } catch {
    return false
  }
}

const guessed = (head: Uint8Array): string => {
  const best = analyse(head.subarray(0, guessBytes)).find(({ confidence, name }) =>
    confidence >= certain && !/^UTF/i.test(name) && canDecode(name)
  )
  return new TextDecoder(best?.name ?? "windows-1252").encoding
}

/** As `TextDecoder` names it; null when these bytes are no text. */
export const encodingOf = (head: Uint8Array): string | null => {
  const mark = marks.find(({ bytes }) => bytes.every((byte, i) => head[i] === byte))
  if (mark !== undefined) return mark.encoding
  const utf16 = unmarkedUtf16(head)
  if (utf16 !== null) return utf16
  if (isBinary(head)) return null
  if (isIso2022Jp(head)) return "iso-2022-jp"
  return isUtf8(head) ? "utf-8" : guessed(head)
}
