/** The library sharp, set so that it keeps nothing and takes one core; and the picture every image ends as. */
import type { MediaTools } from "@filedrive/core"
import type { Metadata, Sharp, SharpOptions } from "sharp"
import { library, SandboxError } from "../sandbox/SandboxError.ts"
import type { Colour } from "./Colour.ts"
import type { Jpeg } from "./Jpeg.ts"
import { type Pixels, toSrgb } from "./ToSrgb.ts"

/** 16,383 pixels a side, as libvips has it by default. */
export const pixelsMax = 268_402_689

const movingBrand = "ftypavis"

/** An AVIF that moves holds its first picture like one that does not, but libvips knows only those by their brand. */
const asStill = (bytes: Uint8Array): Uint8Array => {
  const isMoving = Buffer.from(bytes.subarray(4, 4 + movingBrand.length)).toString("latin1") === movingBrand
  if (!isMoving) return bytes
  const still = Buffer.from(bytes)
  still.write("ftypavif", 4, "latin1")
  return still
}

/** Bytes and never a path: so a drawing can't load other files. */
export const open = async (bytes: Uint8Array, options: SharpOptions = {}): Promise<Sharp> => {
  const { default: sharp } = await library("sharp", () => import("sharp"))
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp(asStill(bytes), {
    limitInputPixels: pixelsMax,
    failOn: "error",
    sequentialRead: true,
    pages: 1,
    ...options
  })
}

/** The head of an image: of several in one file (HEIF) that of the one which is shown. */
export const head = async (bytes: Uint8Array): Promise<Metadata> => {
  const first = await (await open(bytes, { limitInputPixels: false })).metadata()
  const { pagePrimary = 0 } = first
  return pagePrimary === 0 ? first : (await open(bytes, { limitInputPixels: false, page: pagePrimary })).metadata()
}

const quality = 80

/** A decoded picture. */
export interface Decoded {
  readonly image: Sharp
  /** The meaning of its numbers; null for sRGB, or what its colour profile says. */
  readonly colour: Colour | null
}

const withDeepProfile = new Set(["rgb16", "grey16"])

/**
 * An image of 16 bits with a colour profile, as one of 8 bits with the same profile: libvips converts only those to sRGB.
 * (It converts 16 bits to another space of its own, or of a grey image not at all.)
 */
const shallow = async (image: Sharp): Promise<Sharp> => {
  const { hasProfile, space } = await image.metadata()
  if (hasProfile !== true || !withDeepProfile.has(space ?? "")) return image
  return open(await image.toColourspace("srgb").keepIccProfile().png({ compressionLevel: 0 }).toBuffer())
}

/** The image in sRGB, of the size that it has been given. */
const inSrgb = async ({ colour, image }: Decoded): Promise<Sharp> => {
  if (colour === null) return (await shallow(image.flatten({ background: "#fff" }))).toColourspace("srgb")
  const isDeep = (await image.metadata()).depth !== "uchar"
  const numbers = isDeep ? image.toColourspace("rgb16").raw({ depth: "ushort" }) : image.toColourspace("srgb").raw()
  const { data, info } = await numbers.toBuffer({ resolveWithObject: true })
  return ofPixels({
    ...info,
    colour,
    data: isDeep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data
  })
}

/** Pixels of any colour as an image in sRGB. */
const ofPixels = async (pixels: Pixels): Promise<Sharp> => {
  const { height, width } = pixels
  const raw = { width, height, channels: pixels.channels as 3 | 4 }
  return (await open(toSrgb(pixels), { raw })).flatten({ background: "#fff" })
}

/** Settings with ever less detail, for a picture that takes too many bytes. */
const coarser = [
  { quality: 65, scale: 1 },
  { quality: 50, scale: 1 },
  { quality: 40, scale: 0.75 },
  { quality: 35, scale: 0.5 },
  { quality: 30, scale: 0.3 },
  { quality: 25, scale: 0.12 }
]

const fitted = async (picture: Jpeg, maxBytes: number): Promise<Jpeg> => {
  let shown = picture
  for (const { quality, scale } of coarser) {
    if (shown.jpeg.length <= maxBytes) break
    const { data, info } = await (await open(picture.jpeg))
      .resize({ width: Math.max(1, Math.round(picture.width * scale)) })
      .jpeg({ quality })
      .toBuffer({ resolveWithObject: true })
    shown = { jpeg: data, width: info.width, height: info.height }
  }
  return shown
}

const jpegOf = async (image: Sharp, maxBytes = Infinity): Promise<Jpeg> => {
  const { data, info } = await image.jpeg({ quality }).toBuffer({ resolveWithObject: true })
  return fitted({ jpeg: data, width: info.width, height: info.height }, maxBytes)
}

/** A JPEG in sRGB on white, of at most `maxSide` a side and, where it is given, `maxBytes`. */
export const finish = async (
  { colour, image }: Decoded,
  { maxBytes, maxSide }: MediaTools.PictureBounds
): Promise<Jpeg> => {
  const sized = image.resize({ width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true })
  return jpegOf(await inSrgb({ colour, image: sized }), maxBytes)
}

/** The same of pixels that have their size already. */
export const finishPixels = async (pixels: Pixels, maxBytes?: number): Promise<Jpeg> =>
  jpegOf(await ofPixels(pixels), maxBytes)

/** Refuses pictures that are too large, with a clearer sentence than a decoder's. */
export const refuseTooLarge = (width: number, height: number): void => {
  if (width * height > pixelsMax) {
    throw new SandboxError(`This image is too large to open: ${width} × ${height} pixels.`)
  }
}
