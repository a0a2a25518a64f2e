/** Pictures made to be recognised again: four corners, each of a colour. */
import { assert } from "@effect/vitest"
import type { MediaTools } from "@filedrive/core"
import { Effect, Stream } from "effect"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { crc32, deflateSync } from "node:zlib"
import sharp, { type Sharp } from "sharp"

/** Red, green, and below them blue and white. */
const corners = { topLeft: [255, 0, 0], topRight: [0, 255, 0], bottomLeft: [0, 0, 255], bottomRight: [255, 255, 255] }
type Corner = keyof typeof corners

/** Large enough to count as what a camera shows of a picture. */
export const width = 720
export const height = 480

const pixels = (): Buffer => {
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const corner = `${y < height / 2 ? "top" : "bottom"}${x < width / 2 ? "Left" : "Right"}` as Corner
      data.set(corners[corner], (y * width + x) * 3)
    }
  }
  return data
}

export const quadrants = (): Sharp => sharp(pixels(), { raw: { width, height, channels: 3 } })

/** The same standing on its short side. */
export const standing = (): Sharp => quadrants().resize(height, width, { fit: "fill" })

/** Turned and mirrored as it is stored, so that `orientation` makes it right again. */
export const stored = async (orientation: number, picture = quadrants()): Promise<Sharp> => {
  // Mirroring comes before turning, whatever the order of the calls.
  const undo: Readonly<Record<number, (image: Sharp) => Sharp>> = {
    2: (image) => image.flop(),
    3: (image) => image.rotate(180),
    4: (image) => image.flip(),
    5: (image) => image.flop().rotate(270),
    6: (image) => image.rotate(270),
    7: (image) => image.flop().rotate(90),
    8: (image) => image.rotate(90)
  }
  const image = sharp(await picture.png().toBuffer())
  return sharp(await (undo[orientation]?.(image) ?? image).png().toBuffer())
}

const start = async () => {
  const library = await import("@imagemagick/magick-wasm")
  await library.initializeImageMagick(
    await readFile(fileURLToPath(import.meta.resolve("@imagemagick/magick-wasm/magick.wasm")))
  )
  return library
}

let magick: ReturnType<typeof start> | undefined

/** In a format that ImageMagick writes. */
export const byMagick = async (
  format: string,
  { cmyk = false, orientation = 1 }: { readonly cmyk?: boolean; readonly orientation?: number } = {}
): Promise<Uint8Array> => {
  const { ColorSpace, ImageMagick } = await (magick ??= start())
  return ImageMagick.read(await (await stored(orientation)).png().toBuffer(), (image) => {
    image.orientation = orientation as never
    if (cmyk) image.colorSpace = ColorSpace.CMYK
    return image.write(format as never, (data) => new Uint8Array(data))
  })
}

/** An icon of two sizes: 16 × 16 first, 96 × 64 after it. */
export const icon = async (): Promise<Uint8Array> => {
  const small = await quadrants().resize(16, 16, { fit: "fill" }).png().toBuffer()
  const large = await quadrants().resize(96, 64, { fit: "fill" }).png().toBuffer()
  const entry = (side: readonly [number, number], bytes: Buffer, at: number) => {
    const entry = Buffer.from([...side, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    entry.writeUInt32LE(bytes.length, 8)
    entry.writeUInt32LE(at, 12)
    return entry
  }
  return Buffer.concat([
    Buffer.from([0, 0, 1, 0, 2, 0]),
    entry([16, 16], small, 38),
    entry([96, 64], large, 38 + small.length),
    small,
    large
  ])
}

/** That a picture is the four corners, right way up, each in its colour. */
export const assertQuadrants = async (picture: MediaTools.Picture, tolerance = 24): Promise<void> => {
  const metadata = await sharp(picture.jpeg).metadata()
  assert.deepInclude(metadata, { format: "jpeg", space: "srgb", width: picture.width, height: picture.height })
  assert.notExists(metadata.orientation)
  const [w, h] = [picture.width, picture.height]
  const areas: Readonly<Record<Corner, readonly [left: number, top: number]>> = {
    topLeft: [w / 8, h / 8],
    topRight: [w * 5 / 8, h / 8],
    bottomLeft: [w / 8, h * 5 / 8],
    bottomRight: [w * 5 / 8, h * 5 / 8]
  }
  for (const [corner, [left, top]] of Object.entries(areas)) {
    const area = { left: Math.round(left), top: Math.round(top), width: Math.floor(w / 4), height: Math.floor(h / 4) }
    const { channels } = await sharp(await sharp(picture.jpeg).extract(area).png().toBuffer()).stats()
    const means = channels.slice(0, 3).map(({ mean }) => mean)
    corners[corner as Corner].forEach((wanted, i) =>
      assert.closeTo(means[i]!, wanted, tolerance, `${corner} of ${w} × ${h}: ${means.map(Math.round).join()}`)
    )
  }
}

/** A file in memory that counts what is read of it. */
export const sourceIn = (
  bytes: Uint8Array,
  mimeType = "application/octet-stream",
  fileName = "a file"
): MediaTools.MediaSource & { readonly bytesRead: () => number } => {
  let read = 0
  return {
    fileName,
    mimeType,
    sizeBytes: bytes.byteLength,
    bytesRead: () => read,
    read: ({ end, start }) =>
      Stream.suspend(() => {
        const range = bytes.subarray(start, end + 1)
        read += range.byteLength
        return Stream.succeed(range)
      })
  }
}

/** Bytes in which each entry of a directory fits, for files that are TIFF within. */
export const tiff = (
  entries: Readonly<Record<number, string | number>>,
  { mark = [0x49, 0x49, 0x2a, 0x00], after = new Uint8Array() }: {
    readonly mark?: ReadonlyArray<number>
    readonly after?: Uint8Array
  } = {}
): Uint8Array => {
  const sorted = Object.entries(entries).map(([tag, value]) => [Number(tag), value] as const).sort(([a], [b]) => a - b)
  const end = 8 + 2 + sorted.length * 12 + 4
  const texts: Array<Buffer> = []
  let textEnd = end
  const directory = Buffer.alloc(end)
  directory.set(mark)
  directory.writeUInt32LE(8, 4)
  directory.writeUInt16LE(sorted.length, 8)
  sorted.forEach(([tag, value], i) => {
    const at = 10 + i * 12
    directory.writeUInt16LE(tag, at)
    if (typeof value === "number") {
      directory.writeUInt16LE(4, at + 2)
      directory.writeUInt32LE(1, at + 4)
      directory.writeUInt32LE(value, at + 8)
    } else {
      const text = Buffer.from(`${value.padEnd(4)}\0`)
      directory.writeUInt16LE(2, at + 2)
      directory.writeUInt32LE(text.length, at + 4)
      directory.writeUInt32LE(textEnd, at + 8)
      texts.push(text)
      textEnd += text.length
    }
  })
  return Buffer.concat([directory, ...texts, after])
}

/** A PNG of so many pixels a side that weighs next to nothing. */
export const pngBomb = (side: number): Uint8Array<ArrayBuffer> => {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side)
  header.writeUInt32BE(side, 4)
  header.set([8, 2], 8)
  const rows = deflateSync(Buffer.alloc(1_000_000))
  return new Uint8Array(Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0))
  ]))
}

/** Awaits what is no effect. */
export const awaited = <A>(work: () => Promise<A>): Effect.Effect<A> => Effect.promise(work)

/** Drawn 10^9 times over: busy for hours, in native code that hears no timer. */
export const useBomb = (): Buffer<ArrayBuffer> => {
  const levels = Array.from({ length: 9 }, (_, i) => {
    const uses = `<use href="#l${i}"/>`.repeat(10)
    return `<g id="l${i + 1}">${uses}</g>`
  })
  const defs = `<defs><path id="l0" d="M0 0h900v900z" opacity=".5"/>${levels.join("")}</defs>`
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900">${defs}<use href="#l9"/></svg>`)
}
