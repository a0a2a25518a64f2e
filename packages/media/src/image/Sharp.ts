/** The library sharp, set so that it keeps nothing and takes one core; and the picture every image ends as. */
import type { MediaTools } from "@filedrive/core"
import type { Sharp, SharpOptions } from "sharp"
import { library, SandboxError } from "../sandbox/SandboxError.ts"

/** 16,383 pixels a side, as libvips has it by default. */
export const pixelsMax = 268_402_689

export interface Jpeg {
  readonly jpeg: Uint8Array
  readonly width: number
  readonly height: number
}

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

const quality = 80

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

/** A JPEG in sRGB on white, of at most `maxSide` a side and, where it is given, `maxBytes`. */
export const finish = async (
  image: Sharp,
  { maxBytes = Infinity, maxSide }: MediaTools.PictureBounds
): Promise<Jpeg> => {
  const sized = image
    .resize({ width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#fff" })
  const { data, info } = await (await shallow(sized))
    .toColourspace("srgb")
    .jpeg({ quality })
    .toBuffer({ resolveWithObject: true })
  return fitted({ jpeg: data, width: info.width, height: info.height }, maxBytes)
}

/** Refuses pictures that are too large, with a clearer sentence than a decoder's. */
export const refuseTooLarge = (width: number, height: number): void => {
  if (width * height > pixelsMax) {
    throw new SandboxError(`This image is too large to open: ${width} × ${height} pixels.`)
  }
}
