/**
 * Reads ID3v2 (2.2 to 2.4): texts as their bytes, which may be in another encoding than is declared, and pictures. `music-metadata` decodes
 * them for good, and takes what stands in brackets in a genre for a number.
 */
import { inflateSync } from "node:zlib"

export interface Id3Text {
  /** Like `TIT2`; of a free text with its name, like `TXXX:initialkey`. */
  readonly id: string
  /** Values without their ends. */
  readonly values: ReadonlyArray<Uint8Array>
  readonly encoding: Id3Encoding
}

export type Id3Encoding = "latin1" | "utf-16" | "utf-16be" | "utf-8"

export interface Id3Picture {
  /** 3 is the front cover. */
  readonly type: number
  readonly data: Uint8Array
}

export interface Id3 {
  readonly major: number
  readonly texts: ReadonlyArray<Id3Text>
  readonly pictures: ReadonlyArray<Id3Picture>
}

const encodings: ReadonlyArray<Id3Encoding> = ["latin1", "utf-16", "utf-16be", "utf-8"]

export const headerBytes = 10

const synchsafe = (bytes: Uint8Array, at: number): number =>
  bytes.subarray(at, at + 4).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)

const number = (bytes: Uint8Array, at: number, count: number): number =>
  bytes.subarray(at, at + count).reduce((sum, byte) => sum * 256 + byte, 0)

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1")

/** Bytes of a tag with its header; null where none begins. */
export const sizeAt = (header: Uint8Array): number | null =>
  header.length >= headerBytes && latin1(header.subarray(0, 3)) === "ID3" && header[3]! >= 2 && header[3]! <= 4
    ? headerBytes + synchsafe(header, 6)
    : null

/** Without the zeros that keep a tag from looking like sound. */
const synchronised = (bytes: Uint8Array): Uint8Array => {
  const kept = new Uint8Array(bytes.length)
  let count = 0
  for (let at = 0; at < bytes.length; at++) {
    kept[count++] = bytes[at]!
    if (bytes[at] === 0xff && bytes[at + 1] === 0) at++
  }
  return kept.subarray(0, count)
}

/** Where a text of this encoding ends, and what follows it begins. */
const endOf = (bytes: Uint8Array, encoding: Id3Encoding): readonly [end: number, next: number] => {
  if (!encoding.startsWith("utf-16")) {
    const at = bytes.indexOf(0)
    return at < 0 ? [bytes.length, bytes.length] : [at, at + 1]
  }
  for (let at = 0; at + 1 < bytes.length; at += 2) if (bytes[at] === 0 && bytes[at + 1] === 0) return [at, at + 2]
  return [bytes.length, bytes.length]
}

const valuesIn = (bytes: Uint8Array, encoding: Id3Encoding): ReadonlyArray<Uint8Array> => {
  const values: Array<Uint8Array> = []
  for (let rest = bytes; rest.length > 0;) {
    const [end, next] = endOf(rest, encoding)
    if (end > 0) values.push(rest.subarray(0, end))
    rest = rest.subarray(next)
  }
  return values
}

export const decoded = (bytes: Uint8Array, encoding: Id3Encoding): string => {
  if (encoding === "latin1") return latin1(bytes)
  if (encoding !== "utf-16") return new TextDecoder(encoding).decode(bytes)
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff
  return new TextDecoder(isBig ? "utf-16be" : "utf-16le").decode(bytes)
}

const pictureIn = (body: Uint8Array, encoding: Id3Encoding, major: number): Id3Picture | null => {
  const formatEnd = major === 2 ? 3 : body.indexOf(0)
  if (formatEnd < 0 || latin1(body.subarray(0, formatEnd)) === "-->") return null
  const rest = body.subarray(major === 2 ? 3 : formatEnd + 1)
  const [, next] = endOf(rest.subarray(1), encoding)
  return { type: rest[0] ?? 0, data: rest.subarray(1 + next) }
}

/** What may stand before a frame's own bytes, taken off. */
const unpacked = (body: Uint8Array, major: number, flags: number, isUnsynchronised: boolean): Uint8Array | null => {
  const [compressed, encrypted, grouped] = major === 4 ? [0x08, 0x04, 0x40] : [0x80, 0x40, 0x20]
  if (major === 2) return body
  if ((flags & encrypted) !== 0) return null
  const extra = ((flags & grouped) === 0 ? 0 : 1) + (major === 4
    ? (flags & 0x01) === 0 ? 0 : 4
    : (flags & compressed) === 0
    ? 0
    : 4)
  const own = body.subarray(extra)
  const plain = major === 4 && ((flags & 0x02) !== 0 || isUnsynchronised) ? synchronised(own) : own
  if ((flags & compressed) === 0) return plain
  try {
    return inflateSync(plain, { maxOutputLength: 16e6 })
  } catch {
    return null
  }
}

const isFrameId = (id: string): boolean => /^[A-Z][A-Z0-9]{2,3}$/.test(id)

/** The length of a frame. Some programs write it in 2.4 as in 2.3: then what follows is a frame only so. */
const lengthAt = (bytes: Uint8Array, at: number, major: number): number => {
  if (major === 2) return number(bytes, at + 3, 3)
  const plain = number(bytes, at + 4, 4)
  if (major === 3) return plain
  const safe = synchsafe(bytes, at + 4)
  const endsAtFrame = (length: number) => {
    const next = at + 10 + length
    return next === bytes.length || bytes[next] === 0 || isFrameId(latin1(bytes.subarray(next, next + 4)))
  }
  return safe !== plain && !endsAtFrame(safe) && endsAtFrame(plain) ? plain : safe
}

/** Of a tag with its header, as {@link sizeAt} has it. */
export const read = (tag: Uint8Array): Id3 => {
  const [major, flags] = [tag[3]!, tag[5]!]
  const isUnsynchronised = (flags & 0x80) !== 0
  const body = tag.subarray(headerBytes)
  const bytes = isUnsynchronised && major < 4 ? synchronised(body) : body
  const [idBytes, frameBytes] = major === 2 ? [3, 6] : [4, 10]
  const texts: Array<Id3Text> = []
  const pictures: Array<Id3Picture> = []
  let at = major === 2 || (flags & 0x40) === 0 ? 0 : major === 3 ? number(bytes, 0, 4) + 4 : synchsafe(bytes, 0)
  while (at + frameBytes <= bytes.length) {
    const id = latin1(bytes.subarray(at, at + idBytes))
    if (!isFrameId(id)) break
    const length = lengthAt(bytes, at, major)
    const whole = bytes.subarray(at + frameBytes, at + frameBytes + length)
    const own = unpacked(whole, major, bytes[at + 9] ?? 0, isUnsynchronised)
    at += frameBytes + length
    if (own === null || own.length < 2) continue
    const encoding = encodings[own[0]!] ?? "utf-8"
    const rest = own.subarray(1)
    if (id === "APIC" || id === "PIC") {
      const picture = pictureIn(rest, encoding, major)
      if (picture !== null) pictures.push(picture)
    } else if (id === "TXXX" || id === "TXX") {
      const [end, next] = endOf(rest, encoding)
      texts.push({
        id: `TXXX:${decoded(rest.subarray(0, end), encoding)}`,
        values: valuesIn(rest.subarray(next), encoding),
        encoding
      })
    } else if (id.startsWith("T")) {
      texts.push({ id, values: valuesIn(rest, encoding), encoding })
    } else if (id === "COMM" || id === "COM") {
      texts.push({ id, values: valuesIn(rest.subarray(3), encoding), encoding })
    }
  }
  return { major, texts, pictures }
}
