/** The library sharp, set so that it keeps nothing and takes one core; and the picture every image ends as. */
import type { Sharp, SharpOptions } from "sharp"
import { library, Refusal } from "../sandbox/Refusal.ts"

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

/** Bytes and never a path: so a drawing has no place to load others from. */
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

/** A JPEG in sRGB on white, of at most `maxSide` a side. */
export const finish = async (image: Sharp, maxSide: number): Promise<Jpeg> => {
  const { data, info } = await image
    .resize({ width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#fff" })
    .toColourspace("srgb")
    .jpeg({ quality })
    .toBuffer({ resolveWithObject: true })
  return { jpeg: data, width: info.width, height: info.height }
}

/** Refuses what would be too large a picture, in better words than a decoder's. */
export const refuseTooLarge = (width: number, height: number): void => {
  if (width * height > pixelsMax) {
    throw new Refusal(`This image is too large to open: ${width} × ${height} pixels.`)
  }
}
