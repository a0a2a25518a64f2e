/**
 * The records of a ZIP file (PKWARE APPNOTE 6.3.10) that holds its entries as
 * they are. Pure: everything but the CRCs is known before a byte is read, so the
 * place of every byte is, and a writer can continue anywhere.
 *
 * A CRC follows its entry (flag bit 3), names are UTF-8 (bit 11). ZIP64 fields are
 * there where a number needs them and nowhere else: entries and offsets from
 * 4 GiB−1 on, archives of 65,535 entries and more.
 */
import { DateTime } from "effect"

/** What the size of an entry's records depends on. */
export interface EntrySize {
  /** Length of the name in UTF-8. */
  readonly nameBytes: number
  /** Length of its bytes. */
  readonly sizeBytes: number
}

export interface Entry {
  /** In UTF-8, its folders divided by `/`. */
  readonly name: Uint8Array
  readonly sizeBytes: number
  /** Seconds since 1970. */
  readonly modifiedSeconds: number
}

const signature = {
  local: 0x04034b50,
  descriptor: 0x08074b50,
  central: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  end64Locator: 0x07064b50
} as const

/** 4.5 of the format, where ZIP64 is; made on UNIX, so that the attributes below are read as its. */
const version = 45
const madeBy = (3 << 8) | version
const flags = (1 << 3) | (1 << 11)

/** An ordinary file that its owner writes and everyone reads. */
const attributes = 0o100644 * 0x10000

const max16 = 0xffff
const max32 = 0xffffffff

const timeLength = 9
const zip64Id = 0x0001
const localZip64Length = 20

/** Whether an entry of this size has its lengths in 64 bits. */
export const isLarge = (sizeBytes: number): boolean => sizeBytes >= max32

export const localLength = ({ nameBytes, sizeBytes }: EntrySize): number =>
  30 + nameBytes + (isLarge(sizeBytes) ? localZip64Length : 0) + timeLength

export const descriptorLength = ({ sizeBytes }: Pick<EntrySize, "sizeBytes">): number => isLarge(sizeBytes) ? 24 : 16

/** Bytes from an entry's first to the next one's. */
export const entryLength = (entry: EntrySize): number => localLength(entry) + entry.sizeBytes + descriptorLength(entry)

/** Length of the ZIP64 field of a central record; 0 when it has none. */
const centralZip64Length = (sizeBytes: number, offset: number): number => {
  const length = (isLarge(sizeBytes) ? 16 : 0) + (offset >= max32 ? 8 : 0)
  return length === 0 ? 0 : length + 4
}

/** `offset` is that of the entry's first byte in the archive. */
export const centralLength = ({ nameBytes, sizeBytes }: EntrySize, offset: number): number =>
  46 + nameBytes + centralZip64Length(sizeBytes, offset) + timeLength

/** The directory of an archive, as its end tells of it. */
export interface Directory {
  readonly count: number
  readonly offset: number
  readonly lengthBytes: number
}

const needsEnd64 = ({ count, lengthBytes, offset }: Directory): boolean =>
  count >= max16 || lengthBytes >= max32 || offset >= max32

export const endLength = (directory: Directory): number => (needsEnd64(directory) ? 56 + 20 : 0) + 22

/** Writes little-endian numbers one after the other. */
class Record {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly #view: DataView
  #at = 0

  constructor(length: number) {
    this.bytes = new Uint8Array(length)
    this.#view = new DataView(this.bytes.buffer)
  }

  u16(...numbers: ReadonlyArray<number>): this {
    for (const number of numbers) {
      this.#view.setUint16(this.#at, number, true)
      this.#at += 2
    }
    return this
  }

  u32(...numbers: ReadonlyArray<number>): this {
    for (const number of numbers) {
      this.#view.setUint32(this.#at, number, true)
      this.#at += 4
    }
    return this
  }

  u64(...numbers: ReadonlyArray<number>): this {
    for (const number of numbers) {
      this.#view.setBigUint64(this.#at, BigInt(number), true)
      this.#at += 8
    }
    return this
  }

  copy(bytes: Uint8Array): this {
    this.bytes.set(bytes, this.#at)
    this.#at += bytes.length
    return this
  }

  /** The "extended timestamp" field: when the bytes last changed, as UNIX counts. */
  time(seconds: number): this {
    this.u16(0x5455, timeLength - 4)
    this.#view.setUint8(this.#at, 1)
    this.#view.setInt32(this.#at + 1, Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, seconds)), true)
    this.#at += timeLength - 4
    return this
  }
}

/** What DOS can write, in seconds since 1970. */
const dosFirst = Date.UTC(1980, 0, 1) / 1000
const dosLast = Date.UTC(2107, 11, 31, 23, 59, 58) / 1000

/** The time and the day as DOS writes them, in UTC: two seconds are its smallest step, 1980 to 2107 its years. */
export const dosTime = (seconds: number): readonly [time: number, day: number] => {
  const at = DateTime.toPartsUtc(DateTime.makeUnsafe(Math.max(dosFirst, Math.min(dosLast, seconds)) * 1000))
  return [(at.hour << 11) | (at.minute << 5) | (at.second >> 1), ((at.year - 1980) << 9) | (at.month << 5) | at.day]
}

/** What comes before an entry's bytes. Lengths and CRC are not in it: they follow the bytes. */
export const local = ({ modifiedSeconds, name, sizeBytes }: Entry): Uint8Array<ArrayBuffer> => {
  const large = isLarge(sizeBytes)
  const length = large ? max32 : 0
  const record = new Record(localLength({ nameBytes: name.length, sizeBytes }))
    .u32(signature.local)
    .u16(version, flags, 0, ...dosTime(modifiedSeconds))
    .u32(0, length, length)
    .u16(name.length, (large ? localZip64Length : 0) + timeLength)
    .copy(name)
  // It says that the lengths behind the bytes have 64 bits.
  if (large) record.u16(zip64Id, 16).u64(0, 0)
  return record.time(modifiedSeconds).bytes
}

/** What follows an entry's bytes. */
export const descriptor = (sizeBytes: number, crc: number): Uint8Array<ArrayBuffer> => {
  const record = new Record(descriptorLength({ sizeBytes })).u32(signature.descriptor, crc)
  return (isLarge(sizeBytes) ? record.u64(sizeBytes, sizeBytes) : record.u32(sizeBytes, sizeBytes)).bytes
}

/** An entry in the directory; `offset` is that of its first byte in the archive. */
export const central = (
  { modifiedSeconds, name, sizeBytes }: Entry,
  crc: number,
  offset: number
): Uint8Array<ArrayBuffer> => {
  const zip64 = centralZip64Length(sizeBytes, offset)
  const length = Math.min(sizeBytes, max32)
  const record = new Record(centralLength({ nameBytes: name.length, sizeBytes }, offset))
    .u32(signature.central)
    .u16(madeBy, version, flags, 0, ...dosTime(modifiedSeconds))
    .u32(crc, length, length)
    .u16(name.length, zip64 + timeLength, 0, 0, 0)
    .u32(attributes, Math.min(offset, max32))
    .copy(name)
  if (zip64 > 0) {
    record.u16(zip64Id, zip64 - 4)
    if (isLarge(sizeBytes)) record.u64(sizeBytes, sizeBytes)
    if (offset >= max32) record.u64(offset)
  }
  return record.time(modifiedSeconds).bytes
}

/** The end of an archive. */
export const end = (directory: Directory): Uint8Array<ArrayBuffer> => {
  const { count, lengthBytes, offset } = directory
  const record = new Record(endLength(directory))
  if (needsEnd64(directory)) {
    record.u32(signature.end64).u64(44).u16(madeBy, version).u32(0, 0).u64(count, count, lengthBytes, offset)
    record.u32(signature.end64Locator, 0).u64(offset + lengthBytes).u32(1)
  }
  const shown = Math.min(count, max16)
  return record.u32(signature.end).u16(0, 0, shown, shown)
    .u32(Math.min(lengthBytes, max32), Math.min(offset, max32)).u16(0).bytes
}
