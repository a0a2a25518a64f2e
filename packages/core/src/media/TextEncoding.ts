/**
 * Reading a text from its middle: where a decoder may begin so that it sees what
 * one that began at the start of the file would.
 *
 * In most encodings a byte tells by itself, or with the few before it, whether a
 * character begins there. In the old ones of East Asia it does not: there one goes back
 * to a byte that can only be a character of its own, or to the last switch of alphabets.
 */
import { Option } from "effect"
import { Utf32Decoder } from "./Utf32.ts"

type Family = "utf-8" | "utf-16" | "utf-32" | "single-byte" | "multi-byte" | "iso-2022-jp"

export interface TextEncoding {
  /** As `TextDecoder` names it; `utf-32le` and `utf-32be`, which it does not know. */
  readonly name: string
  readonly family: Family
  /** Bytes of a line break's one character. */
  readonly unitBytes: 1 | 2 | 4
  /** The mark of the byte order that a file in it may begin with. */
  readonly mark: ReadonlyArray<number>
}

/** Part of a file: its bytes from `start` on, as far as they were read. */
export interface Window {
  readonly bytes: Uint8Array
  readonly start: number
}

/** Where decoding begins, and what the decoder gets before: an escape sequence from further back. */
export interface Anchor {
  /** In the window's bytes. */
  readonly index: number
  readonly escape: Uint8Array
}

/** How far back an {@link Anchor} is looked for: much further than lines of text are long. */
export const lookBackBytes = 16 * 1024

const marks: { readonly [name: string]: ReadonlyArray<number> } = {
  "utf-8": [0xef, 0xbb, 0xbf],
  "utf-16le": [0xff, 0xfe],
  "utf-16be": [0xfe, 0xff],
  "utf-32le": [0xff, 0xfe, 0x00, 0x00],
  "utf-32be": [0x00, 0x00, 0xfe, 0xff]
}

const families: { readonly [name: string]: Family } = {
  "utf-8": "utf-8",
  "utf-16le": "utf-16",
  "utf-16be": "utf-16",
  "utf-32le": "utf-32",
  "utf-32be": "utf-32",
  big5: "multi-byte",
  "euc-jp": "multi-byte",
  "euc-kr": "multi-byte",
  gb18030: "multi-byte",
  gbk: "multi-byte",
  shift_jis: "multi-byte",
  "iso-2022-jp": "iso-2022-jp"
}

const isUtf32 = (name: string): name is "utf-32le" | "utf-32be" => name === "utf-32le" || name === "utf-32be"

const unitBytes: { readonly [family in Family]?: 2 | 4 } = { "utf-16": 2, "utf-32": 4 }

/** An encoding by any of its names; none when this host has no decoder for it. */
export const find: (label: string) => Option.Option<TextEncoding> = Option.liftThrowable((label: string) => {
  const name = isUtf32(label) ? label : new TextDecoder(label).encoding
  const family = families[name] ?? "single-byte"
  return { name, family, unitBytes: unitBytes[family] ?? 1, mark: marks[name] ?? [] }
})

/** A decoder that leaves marks of the byte order in the text. */
export const decoderOf = ({ name }: TextEncoding): Pick<TextDecoder, "decode"> =>
  isUtf32(name)
    ? new Utf32Decoder(name === "utf-32le" ? "le" : "be")
    : new TextDecoder(name, { ignoreBOM: true })

const none = new Uint8Array(0)

const at = (index: number): Anchor => ({ index, escape: none })

/**
 * Where to begin so as to read from the window's byte `from` on: there or before. Where nothing tells, `from` is taken for
 * the beginning of a character, as it is when a reading continues where the last one ended.
 */
export const anchor = (encoding: TextEncoding, { bytes, start }: Window, from: number): Anchor => {
  switch (encoding.family) {
    case "single-byte":
      return at(from)
    case "utf-8":
      return at(leadBefore(bytes, from))
    case "utf-16": {
      const unit = from - ((start + from) % 2)
      // The unit before tells whether this one is the second half of a pair.
      return at(Math.max(unit - 2, start % 2))
    }
    case "utf-32":
      return at(Math.max(from - ((start + from) % 4), (4 - (start % 4)) % 4))
    case "multi-byte":
      return at(lineBefore(bytes, start, from))
    case "iso-2022-jp":
      return alphabetAt(bytes, start, from)
  }
}

/**
 * Whether the byte at `index` can only be the first of a character, so that whatever was begun before it is a wrong one and
 * ends there. Without this a run of first bytes alone, as `C2 C2 C2` in UTF-8, would have no end before its last byte.
 * In the encodings not named here no such run is longer than three bytes.
 */
export const beginsCharacter = (encoding: TextEncoding, { bytes, start }: Window, index: number): boolean => {
  const byte = bytes[index]
  if (byte === undefined) return false
  switch (encoding.name) {
    case "utf-8":
      return !isContinuation(byte)
    case "utf-16le":
    case "utf-16be": {
      const high = encoding.name === "utf-16be" ? byte : bytes[index + 1]
      return (start + index) % 2 === 0 && high !== undefined && !(high >= 0xdc && high <= 0xdf)
    }
    case "euc-jp":
      return byte < 0xa1
    case "iso-2022-jp":
      return byte === 0x1b
    default:
      return false
  }
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** The byte that begins the character which `from` may be inside of: three at most stand between. */
const leadBefore = (bytes: Uint8Array, from: number): number => {
  if (!isContinuation(bytes[from])) return from
  for (let index = from - 1; index >= Math.max(0, from - 3); index--) {
    if (!isContinuation(bytes[index])) return index
  }
  return from
}

/** After the last byte below `0`: blanks, line breaks and most marks are no part of any other character in these. */
const lineBefore = (bytes: Uint8Array, start: number, from: number): number => {
  for (let index = from - 1; index >= 0; index--) {
    if (bytes[index]! < 0x30) return index + 1
  }
  return start === 0 ? 0 : from
}

/** Escape sequences that choose an alphabet: ASCII, Roman and Katakana by one byte, JIS X 0208 by two. */
const alphabets = new Set(["(B", "(J", "(I", "$@", "$B"])

const kanji = Uint8Array.of(0x1b, 0x24, 0x42)

const alphabetAt = (bytes: Uint8Array, start: number, from: number): Anchor => {
  // The first one there is: after any of them all is known.
  for (let index = 0; index < from; index++) {
    if (bytes[index] !== 0x1b) continue
    if (alphabets.has(String.fromCharCode(bytes[index + 1] ?? 0, bytes[index + 2] ?? 0))) return at(index)
  }
  if (start === 0) return at(0)
  return looksLikeKanji(bytes.subarray(0, from)) ? { index: from, escape: kanji } : at(from)
}

/** Thousands of bytes without a switch, a blank or a line break. Of Japanese, every few characters are Hiragana or Katakana. */
const looksLikeKanji = (bytes: Uint8Array): boolean => {
  let kana = 0
  for (const byte of bytes) {
    if (byte <= 0x20 || byte >= 0x7f) return false
    if (byte === 0x24 || byte === 0x25) kana++
  }
  return kana > bytes.length / 20
}
