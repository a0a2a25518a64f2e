/** A strict reader of ZIP files, for tests: takes nothing on trust, and reads of an entry's bytes only where they are. */

export interface ReadEntry {
  readonly name: string
  readonly sizeBytes: number
  readonly crc: number
  readonly modifiedSeconds: number
  /** Where its bytes begin. */
  readonly dataOffset: number
  readonly usesZip64: boolean
}

export interface ZipFile {
  readonly sizeBytes: number
  /** Bytes `from` up to `to`. */
  readonly read: (from: number, to: number) => Uint8Array
}

export const ofBytes = (bytes: Uint8Array): ZipFile => ({
  sizeBytes: bytes.length,
  read: (from, to) => bytes.subarray(from, to)
})

class BadZip extends Error {}

const check = (right: boolean, what: string) => {
  if (!right) throw new BadZip(what)
}

const max16 = 0xffff
const max32 = 0xffffffff

const viewOf = (zip: ZipFile, from: number, length: number) => {
  check(from >= 0 && from + length <= zip.sizeBytes, `${length} bytes at ${from} are not in the file`)
  const bytes = zip.read(from, from + length)
  check(bytes.length === length, "the file gave less than was asked for")
  return new DataView(bytes.buffer, bytes.byteOffset, length)
}

const extras = (view: DataView, from: number, length: number) => {
  const fields = new Map<number, DataView>()
  let at = from
  while (at < from + length) {
    const size = view.getUint16(at + 2, true)
    fields.set(view.getUint16(at, true), new DataView(view.buffer, view.byteOffset + at + 4, size))
    at += 4 + size
  }
  check(at === from + length, "extra fields end where they should")
  return fields
}

const text = (view: DataView, from: number, length: number) =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
    new Uint8Array(view.buffer, view.byteOffset + from, length)
  )

const directoryOf = (zip: ZipFile) => {
  const end = viewOf(zip, zip.sizeBytes - 22, 22)
  check(end.getUint32(0, true) === 0x06054b50, "the end record is at the end")
  check(
    end.getUint16(4, true) === 0 && end.getUint16(6, true) === 0 && end.getUint16(20, true) === 0,
    "one disk, no comment"
  )
  const [count, length, offset] = [end.getUint16(10, true), end.getUint32(12, true), end.getUint32(16, true)]
  check(end.getUint16(8, true) === count, "all entries on this disk")
  const needs64 = count === max16 || length === max32 || offset === max32
  if (!needs64) {
    check(offset + length === zip.sizeBytes - 22, "the directory ends where the end begins")
    return { count, length, offset }
  }
  const locator = viewOf(zip, zip.sizeBytes - 42, 20)
  check(locator.getUint32(0, true) === 0x07064b50 && locator.getUint32(16, true) === 1, "a ZIP64 locator")
  const end64Offset = Number(locator.getBigUint64(8, true))
  check(end64Offset === zip.sizeBytes - 42 - 56, "the ZIP64 end is before its locator")
  const end64 = viewOf(zip, end64Offset, 56)
  check(end64.getUint32(0, true) === 0x06064b50 && end64.getBigUint64(4, true) === 44n, "a ZIP64 end")
  const wide = {
    count: Number(end64.getBigUint64(32, true)),
    length: Number(end64.getBigUint64(40, true)),
    offset: Number(end64.getBigUint64(48, true))
  }
  check(end64.getBigUint64(24, true) === BigInt(wide.count), "all entries on this disk")
  check(wide.offset + wide.length === end64Offset, "the directory ends where the ZIP64 end begins")
  check(count === Math.min(wide.count, max16) && length === Math.min(wide.length, max32), "both ends agree")
  check(offset === Math.min(wide.offset, max32), "both ends agree on the offset")
  return wide
}

/** An entry's local header and descriptor must say what the directory says. */
const checkLocal = (zip: ZipFile, entry: Omit<ReadEntry, "dataOffset">, offset: number) => {
  const fixed = viewOf(zip, offset, 30)
  check(fixed.getUint32(0, true) === 0x04034b50, `a local header at ${offset}`)
  check(fixed.getUint16(6, true) === 0x0808 && fixed.getUint16(8, true) === 0, "stored, CRC behind, UTF-8")
  const [nameLength, extraLength] = [fixed.getUint16(26, true), fixed.getUint16(28, true)]
  const header = viewOf(zip, offset, 30 + nameLength + extraLength)
  check(text(header, 30, nameLength) === entry.name, "the name of the directory")
  const fields = extras(header, 30 + nameLength, extraLength)
  const isLarge = entry.sizeBytes >= max32
  check(fields.has(1) === isLarge, "ZIP64 in the local header where the entry is large")
  check(header.getUint32(14, true) === 0, "no CRC before the bytes")
  check(header.getUint32(18, true) === (isLarge ? max32 : 0), "no length before the bytes")
  const dataOffset = offset + 30 + nameLength + extraLength
  const behind = viewOf(zip, dataOffset + entry.sizeBytes, isLarge ? 24 : 16)
  check(behind.getUint32(0, true) === 0x08074b50 && behind.getUint32(4, true) === entry.crc, "the CRC behind the bytes")
  const lengths = isLarge
    ? [Number(behind.getBigUint64(8, true)), Number(behind.getBigUint64(16, true))]
    : [behind.getUint32(8, true), behind.getUint32(12, true)]
  check(lengths.every((length) => length === entry.sizeBytes), "the lengths behind the bytes")
  return { dataOffset, end: dataOffset + entry.sizeBytes + (isLarge ? 24 : 16) }
}

/** The entries of an archive, in order, without a gap between them. Fails at the first thing that is not as it should be. */
export const readZip = (zip: ZipFile): ReadonlyArray<ReadEntry> => {
  const { count, length, offset } = directoryOf(zip)
  const view = viewOf(zip, offset, length)
  const entries: Array<ReadEntry> = []
  let [at, expected] = [0, 0]
  for (let index = 0; index < count; index++) {
    check(view.getUint32(at, true) === 0x02014b50, "a central header")
    check(view.getUint16(8 + at, true) === 0x0808 && view.getUint16(10 + at, true) === 0, "stored, CRC behind, UTF-8")
    const [nameLength, extraLength] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)]
    const name = text(view, at + 46, nameLength)
    const fields = extras(view, at + 46 + nameLength, extraLength)
    const zip64 = fields.get(1)
    let place = 0
    const wide = (narrow: number) => {
      if (narrow !== max32) return narrow
      place += 8
      return Number(zip64!.getBigUint64(place - 8, true))
    }
    const sizeBytes = wide(view.getUint32(at + 24, true))
    check(wide(view.getUint32(at + 20, true)) === sizeBytes, "both lengths of what is stored")
    const start = wide(view.getUint32(at + 42, true))
    check((zip64?.byteLength ?? 0) === place, "ZIP64 holds what is needed and nothing else")
    check(start === expected, "entries follow each other without a gap")
    const entry = {
      name,
      sizeBytes,
      crc: view.getUint32(at + 16, true),
      modifiedSeconds: fields.get(0x5455)!.getInt32(1, true),
      usesZip64: zip64 !== undefined
    }
    const { dataOffset, end } = checkLocal(zip, entry, start)
    entries.push({ ...entry, dataOffset })
    expected = end
    at += 46 + nameLength + extraLength
  }
  check(at === length && expected === offset, "the directory is whole and follows the last entry")
  return entries
}
