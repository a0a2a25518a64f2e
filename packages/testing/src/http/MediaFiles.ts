/** Small images and tracks, written byte by byte: real files whose facts a test knows. */

type Bytes = Uint8Array<ArrayBuffer>

const ascii = (text: string): ReadonlyArray<number> => [...text].map((character) => character.charCodeAt(0))
const big16 = (value: number) => [value >> 8 & 255, value & 255]
const big32 = (value: number) => [...big16(value >>> 16), ...big16(value & 65_535)]
const little16 = (value: number) => [value & 255, value >> 8 & 255]
const little32 = (value: number) => [...little16(value & 65_535), ...little16(value >>> 16)]

const joined = (parts: ReadonlyArray<ArrayLike<number>>): Bytes => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

const crc = (bytes: ArrayLike<number>): number => {
  let value = -1
  for (let at = 0; at < bytes.length; at++) {
    value ^= bytes[at]!
    for (let bit = 0; bit < 8; bit++) value = value >>> 1 ^ (value & 1 ? 0xedb88320 : 0)
  }
  return ~value >>> 0
}

const deflated = async (bytes: Bytes): Promise<Bytes> => {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** A PNG of one colour. */
export const png = async (width: number, height: number, colour: readonly [number, number, number]): Promise<Bytes> => {
  const row = new Uint8Array(1 + width * 3)
  for (let x = 0; x < width; x++) row.set(colour, 1 + x * 3)
  const pixels = joined(Array.from({ length: height }, () => row))
  const chunk = (name: string, data: ArrayLike<number>) => {
    const body = joined([ascii(name), data])
    return joined([big32(data.length), body, big32(crc(body))])
  }
  return joined([
    [0x89, ...ascii("PNG\r\n"), 0x1a, 0x0a],
    chunk("IHDR", [...big32(width), ...big32(height), 8, 2, 0, 0, 0]),
    chunk("IDAT", await deflated(pixels)),
    chunk("IEND", [])
  ])
}

type Field = readonly [tag: number, type: number, count: number, value: ReadonlyArray<number>]

/** A directory of EXIF, little-endian, that begins at `start`; values that don't fit a field follow it. */
const directory = (start: number, fields: ReadonlyArray<Field>): Bytes => {
  const after = start + 2 + fields.length * 12 + 4
  const values: Array<number> = []
  const entries = fields.map(([tag, type, count, value]) => {
    const head = [...little16(tag), ...little16(type), ...little32(count)]
    if (value.length <= 4) return [...head, ...value, ...Array<number>(4 - value.length).fill(0)]
    const at = after + values.length
    values.push(...value, ...(value.length % 2 === 1 ? [0] : []))
    return [...head, ...little32(at)]
  })
  return joined([little16(fields.length), ...entries, little32(0), values])
}

const text = (tag: number, value: string): Field => [tag, 2, value.length + 1, [...ascii(value), 0]]
const rationals = (tag: number, ...values: ReadonlyArray<number>): Field => [
  tag,
  5,
  values.length,
  values.flatMap((value) => [...little32(Math.round(value * 100)), ...little32(100)])
]

/** What a camera wrote: turned by a quarter, when and where it was taken, zone and all. */
const exif = (): Bytes => {
  const [mainAt, photoAt, placeAt] = [8, 200, 400]
  const main = directory(mainAt, [
    text(0x010f, "Acme"),
    text(0x0110, "Box 1"),
    [0x0112, 3, 1, little16(6)],
    [0x8769, 4, 1, little32(photoAt)],
    [0x8825, 4, 1, little32(placeAt)]
  ])
  const photo = directory(photoAt, [text(0x9003, "2024:05:06 07:08:09"), text(0x9011, "+02:00")])
  const place = directory(placeAt, [
    text(1, "N"),
    rationals(2, 48, 30, 0),
    text(3, "W"),
    rationals(4, 2, 15, 0)
  ])
  const tiff = new Uint8Array(600)
  tiff.set([...ascii("II"), 42, 0, ...little32(mainAt)])
  tiff.set(main, mainAt)
  tiff.set(photo, photoAt)
  tiff.set(place, placeAt)
  return joined([ascii("Exif\0\0"), tiff])
}

/** A grey JPEG, `width` and `height` as stored, that is shown turned by a quarter; taken by {@link exif}'s camera. */
export const photo = (width: number, height: number): Bytes => {
  const segment = (marker: number, data: ArrayLike<number>) => joined([[0xff, marker, ...big16(data.length + 2)], data])
  // One code of one bit for "as the block before", one for "nothing more in this block": each block is two zero bits.
  const codes = (table: number) => [table, 1, ...Array<number>(15).fill(0), 0]
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const scan = new Uint8Array(Math.ceil(blocks * 2 / 8))
  if (blocks % 4 !== 0) scan[scan.length - 1] = (1 << 8 - blocks % 4 * 2) - 1
  return joined([
    [0xff, 0xd8],
    segment(0xe1, exif()),
    segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    segment(0xc0, [8, ...big16(height), ...big16(width), 1, 1, 0x11, 0]),
    segment(0xc4, codes(0x00)),
    segment(0xc4, codes(0x10)),
    segment(0xda, [1, 1, 0, 0, 63, 0]),
    scan,
    [0xff, 0xd9]
  ])
}

/** A WAV of `seconds` of silence with a title and an artist. */
export const wav = (seconds: number, tags: { readonly title: string; readonly artist: string }): Bytes => {
  const rate = 8_000
  const chunk = (name: string, data: ArrayLike<number>) =>
    joined([ascii(name), little32(data.length), data, data.length % 2 === 1 ? [0] : []])
  const info = joined([
    ascii("INFO"),
    chunk("INAM", [...ascii(tags.title), 0]),
    chunk("IART", [...ascii(tags.artist), 0])
  ])
  const body = joined([
    ascii("WAVE"),
    chunk("fmt ", [1, 0, 1, 0, ...little32(rate), ...little32(rate * 2), 2, 0, 16, 0]),
    chunk("LIST", info),
    chunk("data", new Uint8Array(rate * 2 * seconds))
  ])
  return joined([ascii("RIFF"), little32(body.length), body])
}
