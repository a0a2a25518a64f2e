/** An image of any kind as a JPEG. Runs in the sandbox. */
import type { Sharp } from "sharp"
import { Refusal } from "../sandbox/Refusal.ts"
import { isCut } from "./Cut.ts"
import { imageKind } from "./ImageKind.ts"
import * as Magick from "./Magick.ts"
import { rawPicture } from "./RawPicture.ts"
import * as SharpImage from "./Sharp.ts"

export interface StillOptions {
  readonly maxSide: number
  readonly fileName: string
}

/** Of the range that 16 bits have, so little is used by measurements, as of heat: shown as they are they would be one grey. */
const measurementRange = 1 / 32
/** What lies farther from the mean is black or white. */
const shownDeviations = 3

/** Spreads a single channel of 16 bits that differ by little over all shades. */
const shaded = async (bytes: Uint8Array, image: Sharp): Promise<Sharp> => {
  const { channels, depth } = await (await SharpImage.open(bytes)).metadata()
  if (channels !== 1 || depth !== "ushort") return image
  const { channels: [grey] } = await (await SharpImage.open(bytes)).stats()
  if (grey === undefined || grey.max - grey.min >= 65_535 * measurementRange) return image
  const least = Math.max(grey.min, grey.mean - shownDeviations * grey.stdev)
  const most = Math.min(grey.max, grey.mean + shownDeviations * grey.stdev)
  const scale = 65_535 / Math.max(most - least, 1)
  return image.linear(scale, -least * scale)
}

const bySharp = async (bytes: Uint8Array, maxSide: number): Promise<SharpImage.Jpeg> => {
  const { height, width } = await (await SharpImage.open(bytes, { limitInputPixels: false })).metadata()
  SharpImage.refuseTooLarge(width, height)
  return SharpImage.finish(await shaded(bytes, (await SharpImage.open(bytes)).autoOrient()), maxSide)
}

export const still = async (
  bytes: Uint8Array,
  { fileName, maxSide }: StillOptions
): Promise<SharpImage.Jpeg> => {
  const kind = await imageKind(bytes, fileName)
  switch (kind?.decoder) {
    case "sharp":
      return bySharp(bytes, maxSide)
    case "magick":
      if (isCut(bytes, kind.magickFormat)) throw new Refusal("This image is damaged: its end is missing.")
      return SharpImage.finish(await Magick.open(bytes, kind.magickFormat), maxSide)
    case "raw":
      return rawPicture(bytes, kind.magickFormat, maxSide)
    case undefined:
      throw new Refusal("This file is not an image of a kind that can be shown.")
  }
}
