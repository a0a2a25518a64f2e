/** Reads the boxes of HEIF (HEIC and AVIF) that tell which of its pictures is shown, and in which colours. */
import { contentOf, isoBoxes } from "./IsoBoxes.ts"

/** The version and flags that a box begins with. */
const versionBytes = 4

/** Reads the numbers of a box one after the other; beyond its end it throws a RangeError. */
const readerOf = (bytes: Buffer) => {
  let at = 0
  return (size: 1 | 2 | 4): number => {
    at += size
    return bytes.readUIntBE(at - size, size)
  }
}

/** Numbers of the properties of an item, from 1. */
const propertiesOf = (associations: Buffer, item: number): ReadonlyArray<number> => {
  const read = readerOf(associations)
  const [version, , , flags] = [read(1), read(1), read(1), read(1)]
  for (let items = read(4); items > 0; items--) {
    const id = read(version < 1 ? 2 : 4)
    const numbers = Array.from({ length: read(1) }, () => (flags & 1) === 1 ? read(2) & 0x7fff : read(1) & 0x7f)
    if (id === item) return numbers
  }
  return []
}

/** The first picture that a composed picture (a grid) is made of. */
const firstTile = (references: Buffer, item: number): number | undefined => {
  const size = references[0] === 0 ? 2 : 4
  for (const { bodyStart, end, type } of isoBoxes(references, versionBytes)) {
    if (type !== "dimg") continue
    const read = readerOf(references.subarray(bodyStart, end))
    if (read(size) === item && read(2) > 0) return read(size)
  }
  return undefined
}

const coloursOfPrimary = (meta: Buffer): ReadonlyArray<Buffer> => {
  const primary = contentOf(meta, "pitm")
  const properties = contentOf(meta, "iprp")
  const container = properties === undefined ? undefined : contentOf(properties, "ipco")
  const associations = properties === undefined ? undefined : contentOf(properties, "ipma")
  if (primary === undefined || container === undefined || associations === undefined) return []
  const item = primary[0] === 0 ? primary.readUInt16BE(versionBytes) : primary.readUInt32BE(versionBytes)
  const boxes = [...isoBoxes(container)]
  const coloursOf = (one: number) =>
    propertiesOf(associations, one)
      .flatMap((number) => boxes[number - 1] ?? [])
      .filter(({ type }) => type === "colr")
      .map(({ bodyStart, end }) => container.subarray(bodyStart, end))
  const own = coloursOf(item)
  const references = own.length > 0 ? undefined : contentOf(meta, "iref")
  const tile = references === undefined ? undefined : firstTile(references, item)
  return tile === undefined ? own : coloursOf(tile)
}

const mark = "colrnclx"

/** The colours of a sequence: those of its first track that states any. */
const coloursOfSequence = (bytes: Buffer): ReadonlyArray<Buffer> => {
  const movie = contentOf(bytes, "moov")
  const at = movie?.indexOf(mark, 0, "latin1") ?? -1
  return movie === undefined || at < 0 ? [] : [movie.subarray(at + 4)]
}

/** The contents of the boxes `colr` of the picture that is shown. */
export const coloursOf = (bytes: Buffer): ReadonlyArray<Buffer> => {
  const meta = contentOf(bytes, "meta", versionBytes)
  try {
    const colours = meta === undefined ? [] : coloursOfPrimary(meta)
    return colours.length > 0 ? colours : coloursOfSequence(bytes)
  } catch (error) {
    if (error instanceof RangeError) return [] // Its boxes end too early.
    throw error
  }
}

const brandsAt = 16

/**
 * The same file with each brand named once. ImageMagick looks for a brand in the first 128 bytes, and refuses a file whose
 * list of brands is longer, as some writers repeat them for each picture. What is cut off is marked as unused.
 */
export const withShortBrands = (bytes: Uint8Array): Uint8Array => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = buffer.length < brandsAt ? 0 : buffer.readUInt32BE(0)
  if (size <= brandsAt || size > buffer.length || size % 4 !== 0) return bytes
  const all = Array.from(
    { length: (size - brandsAt) / 4 },
    (_, i) => buffer.toString("latin1", brandsAt + 4 * i, brandsAt + 4 * i + 4)
  )
  const brands = [...new Set(all)]
  const unused = 4 * (all.length - brands.length)
  if (unused < 8) return bytes
  const shorter = Buffer.from(buffer)
  shorter.writeUInt32BE(size - unused, 0)
  shorter.write(brands.join(""), brandsAt, "latin1")
  shorter.writeUInt32BE(unused, size - unused)
  shorter.write("free", size - unused + 4, "latin1")
  return shorter
}
