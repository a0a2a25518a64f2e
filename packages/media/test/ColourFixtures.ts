/** Pictures of one colour in many formats, depths and spaces of colour. */
import { readFileSync } from "node:fs"
import { crc32 } from "node:zlib"
import sharp from "sharp"
import * as Fixtures from "./FfmpegFixtures.ts"
import * as Heif from "./HeifFixtures.ts"

export type Code = readonly [red: number, green: number, blue: number]

export interface Space {
  readonly primaries: "srgb" | "p3" | "bt2020"
  readonly transfer: "srgb" | "bt709" | "bt2020" | "pq" | "hlg"
}

const numbers = {
  primaries: { srgb: 1, p3: 12, bt2020: 9 },
  transfer: { srgb: 13, bt709: 1, bt2020: 14, pq: 16, hlg: 18 }
} as const

const names = {
  primaries: { srgb: "bt709", p3: "smpte432", bt2020: "bt2020" },
  transfer: { srgb: "iec61966-2-1", bt709: "bt709", bt2020: "bt2020-10", pq: "smpte2084", hlg: "arib-std-b67" }
} as const

const cicp = ({ primaries, transfer }: Space) => [numbers.primaries[primaries], numbers.transfer[transfer]] as const

const side = 32

const flat = (code: Code, depth: 8 | 16) => {
  const [r, g, b] = code
  const plain = sharp({ create: { width: side, height: side, channels: 3, background: { r, g, b } } })
  return depth === 8 ? plain : plain.toColourspace("rgb16")
}

export const withChunks = (png: Uint8Array, chunks: Readonly<Record<string, Uint8Array>>): Buffer => {
  const headEnd = 8 + 25
  const written = Object.entries(chunks).map(([type, data]) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  })
  return Buffer.concat([png.subarray(0, headEnd), ...written, png.subarray(headEnd)])
}

export const png = async (code: Code, depth: 8 | 16, space: Space, isFull = true): Promise<Buffer> =>
  withChunks(await flat(code, depth).png().toBuffer(), { cICP: Uint8Array.of(...cicp(space), 0, isFull ? 1 : 0) })

export const greyAlphaPng = async (value: number, alpha: number, space: Space): Promise<Buffer> => {
  const data = new Uint8Array(side * side * 2).map((_, at) => at % 2 === 0 ? value : alpha)
  const plain = await sharp(data, { raw: { width: side, height: side, channels: 2 } }).png().toBuffer()
  return withChunks(plain, { cICP: Uint8Array.of(...cicp(space), 0, 1) })
}

export const gammaPng = async (code: Code, gamma: number, chromaticities: ReadonlyArray<number>): Promise<Buffer> => {
  const longs = (values: ReadonlyArray<number>) => {
    const bytes = Buffer.alloc(4 * values.length)
    values.forEach((value, i) => bytes.writeUInt32BE(Math.round(value * 1e5), 4 * i))
    return bytes
  }
  return withChunks(await flat(code, 8).png().toBuffer(), { gAMA: longs([gamma]), cHRM: longs(chromaticities) })
}

/** sRGB matrices where the numbers of a picture are its own are those of BT.601, as libaom writes them. */
const bt601Matrix = 6

export const avif = async (code: Code, bitdepth: 8 | 10 | 12, space: Space): Promise<Uint8Array> => {
  const options = { quality: 100, chromaSubsampling: "4:4:4", bitdepth, effort: 0 } as const
  const file = await flat(code, bitdepth === 8 ? 8 : 16).avif(options).toBuffer()
  const item = {
    type: "av01",
    configuration: Heif.boxOf(file, "av1C"),
    data: Heif.boxOf(file, "mdat").subarray(8),
    side,
    colour: [...cicp(space), bt601Matrix]
  } as const
  return Heif.heif([item], 0, true)
}

export const heic = (code: Code, pixels: string, space: Space): Uint8Array => {
  const isWide = space.primaries === "bt2020"
  const colour = [...cicp(space), isWide ? 9 : 1] as const
  return Heif.heif([Heif.hevc({ code, pixels, side: 64, matrix: isWide ? "bt2020" : "bt709", colour })])
}

const hexOf = (code: Code) => `0x${code.map((value) => value.toString(16).padStart(2, "0")).join("")}`
let made = 0

/** By ffmpeg: `options` name the encoder. */
export const byFfmpeg = (
  extension: string,
  code: Code,
  pixels: string,
  { primaries, transfer }: Space,
  ...options: ReadonlyArray<string>
): string => {
  const [primary, curve] = [names.primaries[primaries], names.transfer[transfer]]
  const [matrix, matrixName] = primaries === "bt2020" ? ["bt2020", "bt2020nc"] : ["bt709", "bt709"]
  const isRgb = /^(?:rgb|gbr|gray|ya)/.test(pixels)
  const filters = [
    isRgb ? `format=${pixels}` : `scale=out_color_matrix=${matrix}:out_range=tv,format=${pixels}`,
    `setparams=color_primaries=${primary}:color_trc=${curve}${isRgb ? "" : `:colorspace=${matrixName}:range=tv`}`
  ]
  const source = ["-f", "lavfi", "-i", `color=${hexOf(code)}:s=64x64:r=5:d=1,format=gbrp`, "-vf", filters.join()]
  const colour = ["-color_primaries", primary, "-color_trc", curve]
  const rest = isRgb ? [] : ["-colorspace", matrixName, "-color_range", "tv"]
  return Fixtures.make(`colour${made++}.${extension}`, ...source, ...colour, ...rest, ...options)
}

const one = ["-frames:v", "1"]
export const jxl = (code: Code, pixels: string, space: Space): Buffer =>
  readFileSync(byFfmpeg("jxl", code, pixels, space, ...one, "-c:v", "libjxl", "-distance", "0"))

export const jp2 = (code: Code, pixels: string, extension = "jp2"): Buffer =>
  readFileSync(
    byFfmpeg(extension, code, pixels, { primaries: "srgb", transfer: "srgb" }, ...one, "-c:v", "libopenjpeg")
  )

/** The same JPEG 2000 with its colour in the numbers of H.273 (method 5). */
export const jp2InNumbers = (code: Code, pixels: string, space: Space): Buffer => {
  const file = jp2(code, pixels)
  const [header, colour] = [file.indexOf("jp2h") - 4, file.indexOf("colr") - 4]
  const [primaries, transfer] = cicp(space)
  const box = Buffer.from([0, 0, 0, 18, ...Buffer.from("colr"), 5, 0, 0, 0, primaries, 0, transfer, 0, 0, 0x80])
  const size = file.readUInt32BE(colour)
  const changed = Buffer.concat([file.subarray(0, colour), box, file.subarray(colour + size)])
  changed.writeUInt32BE(file.readUInt32BE(header) + box.length - size, header)
  return changed
}
