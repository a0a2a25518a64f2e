/**
 * What a piece of a text tells of its encoding beside the text's first bytes. Those may be in many encodings, as of
 * nothing but ASCII; so the piece itself decides where it can't be in the encoding that the first bytes are in.
 */
import type * as TextEncoding from "./TextEncoding.ts"

/** Wrong characters of a text that is damaged, among the right ones of its encoding: one in ten. */
const rightPerWrong = 10

/** With fewer bytes beyond ASCII than these the first bytes of a text have hardly decided anything. */
const tellingBytesMin = 8

const isHigh = (byte: number): boolean => byte >= 0x80
const escape = 0x1b

const highIn = (bytes: Uint8Array): number => bytes.reduce((count, byte) => isHigh(byte) ? count + 1 : count, 0)

/** Characters beyond ASCII, and those that are no characters of the encoding, whose decoder says so by U+FFFD. */
const charactersIn = (name: string, bytes: Uint8Array) => {
  let right = 0
  let wrong = 0
  for (const one of new TextDecoder(name).decode(bytes, { stream: true })) {
    if (one === "\ufffd") wrong++
    else if (one >= "\u0080") right++
  }
  return { right, wrong }
}

/** The window from its first whole line on, or else from its first whole character of UTF-8. */
const wholeOf = ({ bytes, start }: TextEncoding.Window): Uint8Array => {
  if (start === 0) return bytes
  const line = bytes.subarray(0, 1024).indexOf(0x0a)
  if (line >= 0) return bytes.subarray(line + 1)
  const first = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80)
  return first >= 0 && first < 4 ? bytes.subarray(first) : bytes
}

/** The bytes to decide the encoding of a piece by; null where it can be in the encoding that the text's first bytes are in. */
export const against = (
  { family, mark, name }: TextEncoding.TextEncoding,
  head: Uint8Array,
  window: TextEncoding.Window
): Uint8Array | null => {
  const isInHead = window.start + window.bytes.length <= head.length
  const isMarked = mark.length > 0 && mark.every((byte, index) => head[index] === byte)
  // Whole units of two or four bytes, and switches of alphabets, are no chance.
  if (isInHead || isMarked || family === "utf-16" || family === "utf-32" || family === "iso-2022-jp") return null
  const bytes = wholeOf(window)
  if (!bytes.some((byte) => isHigh(byte) || byte === escape)) return null

  const headHigh = highIn(head)
  if (headHigh === 0) return bytes
  const piece = charactersIn(name, bytes)
  if (name === "utf-8") {
    const right = piece.right + charactersIn(name, head).right
    return piece.wrong * rightPerWrong > right ? bytes : null
  }
  if (piece.wrong * rightPerWrong > piece.right) return bytes
  if (headHigh < tellingBytesMin && highIn(bytes) > headHigh) return bytes
  const asUtf8 = charactersIn("utf-8", bytes)
  return asUtf8.wrong === 0 && asUtf8.right >= rightPerWrong ? bytes : null
}
