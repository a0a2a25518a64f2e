/**
 * The directories of a TIFF: as many as a camera writes, however many a file
 * claims to have. Most camera RAW is TIFF, and states in its
 * directories what it is, how large, and which way up.
 */
export const tag = {
  subfileType: 0x00fe,
  width: 0x0100,
  height: 0x0101,
  compression: 0x0103,
  photometric: 0x0106,
  make: 0x010f,
  orientation: 0x0112,
  subDirectories: 0x014a,
  exif: 0x8769,
  exifWidth: 0xa002,
  exifHeight: 0xa003,
  dngVersion: 0xc612,
  dngCropSize: 0xc620,
  panasonicTop: 0x0004,
  panasonicLeft: 0x0005,
  panasonicBottom: 0x0006,
  panasonicRight: 0x0007
} as const

export type Value = ReadonlyArray<number> | string
export type Directory = ReadonlyMap<number, Value>

export interface Directories {
  readonly first: Directory
  readonly exif: Directory | undefined
  /** Every other picture in the file: further ones of the chain, and those inside one. */
  readonly others: ReadonlyArray<Directory>
}

const directoriesMax = 24
const entriesMax = 512
const valuesMax = 64

const isLittle = (view: DataView): boolean | null => {
  const order = view.byteLength < 8 ? 0 : view.getUint16(0)
  return order === 0x4949 ? true : order === 0x4d4d ? false : null
}

interface Reader {
  readonly view: DataView
  readonly little: boolean
}

const sizes: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 13: 4 }

const valueAt = ({ little, view }: Reader, entry: number): Value | undefined => {
  const type = view.getUint16(entry + 2, little)
  const count = Math.min(view.getUint32(entry + 4, little), valuesMax)
  const size = sizes[type]
  if (size === undefined || count === 0) return undefined
  const at = size * count <= 4 ? entry + 8 : view.getUint32(entry + 8, little)
  if (at + size * count > view.byteLength) return undefined
  if (type === 2) {
    const text = new Uint8Array(view.buffer, view.byteOffset + at, count)
    return String.fromCharCode(...text).replace(/\0.*$/s, "").trim()
  }
  return Array.from({ length: count }, (_, i) => {
    const place = at + i * size
    if (size === 1) return view.getUint8(place)
    if (size === 2) return view.getUint16(place, little)
    return size === 4
      ? view.getUint32(place, little)
      : view.getUint32(place, little) / view.getUint32(place + 4, little)
  })
}

const directoryAt = (reader: Reader, at: number): { readonly directory: Directory; readonly next: number } | null => {
  const { little, view } = reader
  if (at < 8 || at + 2 > view.byteLength) return null
  const count = view.getUint16(at, little)
  const end = at + 2 + count * 12
  if (count > entriesMax || end > view.byteLength) return null
  const directory = new Map<number, Value>()
  for (let entry = at + 2; entry < end; entry += 12) {
    const value = valueAt(reader, entry)
    if (value !== undefined) directory.set(view.getUint16(entry, little), value)
  }
  return { directory, next: end + 4 > view.byteLength ? 0 : view.getUint32(end, little) }
}

export const numbers = (directory: Directory | undefined, name: number): ReadonlyArray<number> => {
  const value = directory?.get(name)
  return typeof value === "object" ? value : []
}

export const number = (directory: Directory | undefined, name: number): number | undefined =>
  numbers(directory, name)[0]

export const text = (directory: Directory, name: number): string => {
  const value = directory.get(name)
  return typeof value === "string" ? value : ""
}

/** Null when `bytes` do not begin as a TIFF does, or its first directory is not whole. RW2 and ORF count as TIFF. */
export const read = (bytes: Uint8Array): Directories | null => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const little = isLittle(view)
  if (little === null) return null
  const reader = { view, little }
  const first = directoryAt(reader, view.getUint32(4, little))
  if (first === null) return null

  const seen = new Set<number>()
  const others: Array<Directory> = []
  const waiting = [first.next, ...numbers(first.directory, tag.subDirectories)]
  for (let at = waiting.shift(); at !== undefined && others.length < directoriesMax; at = waiting.shift()) {
    if (seen.has(at)) continue
    seen.add(at)
    const found = directoryAt(reader, at)
    if (found === null) continue
    others.push(found.directory)
    waiting.push(found.next, ...numbers(found.directory, tag.subDirectories))
  }
  const exif = number(first.directory, tag.exif)
  return {
    first: first.directory,
    exif: exif === undefined ? undefined : directoryAt(reader, exif)?.directory,
    others
  }
}
