/** A piece of a text, from any byte of its file to the end of a whole character. Spec: `/read-file`. */
import { utf8Length } from "../shared/Text.ts"
import * as TextEncoding from "./TextEncoding.ts"

export interface TextPiece {
  readonly text: string
  /** The byte of the file that the next piece begins with; null at the end. */
  readonly nextOffset: number | null
}

/** Bytes that the longest character or escape sequence has. */
const characterMaxBytes = 4

/** How far past a piece its encoding is looked for, so that pieces that meet where it first shows take it for the same. */
export const lookAheadBytes = 8 * 1024

/** The bytes of a file that a piece is made of, the last one included; a file has at least one. */
export const range = (offset: number, sizeBytes: number, maxBytes: number) => ({
  start: Math.max(0, Math.min(offset, sizeBytes - 1) - TextEncoding.lookBackBytes),
  end: Math.min(sizeBytes, offset + maxBytes + lookAheadBytes) - 1
})

/**
 * The text from byte `offset` on: at most `maxBytes` (32 or more) of the file, and at most so many of UTF-8. Pieces that
 * begin where the last one ended make up the text, whatever the encoding and whatever is wrong with it. Where `offset` is
 * inside a character, a mark of the byte order or an escape sequence, the text begins after that.
 */
export const read = (
  encoding: TextEncoding.TextEncoding,
  window: TextEncoding.Window,
  { maxBytes, offset, sizeBytes }: { readonly offset: number; readonly sizeBytes: number; readonly maxBytes: number }
): TextPiece => {
  const { bytes } = window
  const isEnd = window.start + bytes.length >= sizeBytes
  const mark = window.start === 0 && encoding.mark.every((byte, index) => bytes[index] === byte)
    ? encoding.mark.length
    : 0
  const from = Math.max(offset - window.start, mark)
  const anchor = TextEncoding.anchor(encoding, window, from)
  const begin = Math.max(anchor.index, mark)

  const decoder = () => {
    const decoder = TextEncoding.decoderOf(encoding)
    if (anchor.escape.length > 0) decoder.decode(anchor.escape, { stream: true })
    return decoder
  }
  /** Everything up to `end`, and whether a character ends there: else what the decoder holds may be the beginning of one. */
  const decodeTo = (end: number) => {
    const partial = decoder()
    const text = partial.decode(bytes.subarray(begin, end), { stream: true })
    const held = partial.decode()
    const isWhole = held === "" || TextEncoding.beginsCharacter(encoding, window, end)
    return isWhole ? { text: text + held, held: "", isWhole } : { text, held, isWhole }
  }

  let first = from
  while (first < bytes.length && !decodeTo(first).isWhole) first++
  const before = decodeTo(first).text
  const skipped = before.length

  const limit = Math.min(first + maxBytes, bytes.length)
  let end = fit(decoder(), bytes, { begin, first, limit, maxBytes })
  let decoded = decodeTo(end)
  if (end === bytes.length && isEnd) {
    // What is begun and not ended at the end of a file is a character too: a wrong one.
    const text = decoded.text.slice(skipped) + (first < end ? decoded.held : "")
    if (utf8Length(text) <= maxBytes) return { text, nextOffset: null }
  }
  const splitsLine = () => decoded.text.endsWith("\r") && decodeTo(end + encoding.unitBytes).text.endsWith("\r\n")
  const isTooLong = () => utf8Length(decoded.text) - utf8Length(before) > maxBytes
  while (end > first + 1 && (!decoded.isWhole || isTooLong() || splitsLine())) decoded = decodeTo(--end)
  return { text: decoded.text.slice(skipped), nextOffset: window.start + end }
}

/** How far the text from `first` stays within `maxBytes` of UTF-8; a little less than it could. */
const fit = (
  decoder: Pick<TextDecoder, "decode">,
  bytes: Uint8Array,
  { begin, first, limit, maxBytes }: Record<"begin" | "first" | "limit" | "maxBytes", number>
): number => {
  // Node's decoders have room for two characters a byte: of too few bytes, what they held back before would not fit.
  const stepBytes = Math.max(characterMaxBytes, maxBytes >> 6)
  decoder.decode(bytes.subarray(begin, first), { stream: true })
  let written = 0
  let end = first
  while (end < limit) {
    const next = limit - end < 2 * stepBytes ? limit : end + stepBytes
    written += utf8Length(decoder.decode(bytes.subarray(end, next), { stream: true }))
    if (written > maxBytes) break
    end = next
  }
  return end
}
