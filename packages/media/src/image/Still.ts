/** An image of any kind as a JPEG. Runs in the sandbox. */
import type { MediaTools } from "@filedrive/core"
import type { Sharp } from "sharp"
import { SandboxError } from "../sandbox/SandboxError.ts"
import type { Colour } from "./Colour.ts"
import { declaredColour } from "./Declared.ts"
import { jpegAt } from "./EmbeddedJpeg.ts"
import { firstPicture } from "./Gif.ts"
import { imageKind } from "./ImageKind.ts"
import type { Jpeg } from "./Jpeg.ts"
import * as Magick from "./Magick.ts"
import { refuseUnshown } from "./Photoshop.ts"
import { rawPicture } from "./RawPicture.ts"
import * as SharpImage from "./Sharp.ts"
import { isTruncated } from "./Truncation.ts"

export interface StillOptions extends MediaTools.PictureBounds {
  readonly fileName: string
}

/** Of the range that 16 bits have, so little is used by measurements, as of heat: shown as they are they would be one grey. */
const measurementRange = 1 / 32
/** Values farther from the mean are black or white. */
const shownDeviations = 3

/** Spreads a single channel of 16 bits that differs by little over all shades. */
const shaded = async (bytes: Uint8Array, image: Sharp): Promise<Sharp> => {
  const { channels, depth } = await image.metadata()
  if (channels !== 1 || depth !== "ushort") return image
  const { channels: [grey] } = await (await SharpImage.open(bytes)).stats()
  if (grey === undefined || grey.max === grey.min || grey.max - grey.min >= 65_535 * measurementRange) return image
  const least = Math.max(grey.min, grey.mean - shownDeviations * grey.stdev)
  const most = Math.min(grey.max, grey.mean + shownDeviations * grey.stdev)
  const scale = 65_535 / Math.max(most - least, 1)
  return image.linear(scale, -least * scale)
}

/** With fewer bytes a picture shows nothing. */
const pictureBytesMin = 256

/** The readable part of a truncated or damaged JPEG: the rest is grey. */
const asFarAsItGoes = async (
  bytes: Uint8Array,
  colour: Colour | null,
  bounds: MediaTools.PictureBounds
): Promise<Jpeg> => {
  const { data = bytes.length } = jpegAt(bytes, 0) ?? {}
  if (bytes.length - data < pictureBytesMin) {
    throw new SandboxError("This image is damaged: there is no picture left in it.")
  }
  const image = (await SharpImage.open(bytes, { failOn: "none", ignoreIcc: colour !== null })).autoOrient()
  return SharpImage.finish({ image, colour }, bounds)
}

const bySharp = async (
  bytes: Uint8Array,
  mimeType: string,
  bounds: MediaTools.PictureBounds
): Promise<Jpeg> => {
  const { exif, height, icc, pagePrimary = 0, width } = await SharpImage.head(bytes)
  SharpImage.refuseTooLarge(width, height)
  const colour = declaredColour(bytes, mimeType, { exif, icc })
  try {
    const image = (await SharpImage.open(bytes, { ignoreIcc: colour !== null, page: pagePrimary })).autoOrient()
    return await SharpImage.finish({ image: await shaded(bytes, image), colour }, bounds)
  } catch (error) {
    if (mimeType !== "image/jpeg" || error instanceof SandboxError) throw error
    return asFarAsItGoes(bytes, colour, bounds)
  }
}

export const still = async (
  bytes: Uint8Array,
  { fileName, ...bounds }: StillOptions
): Promise<Jpeg> => {
  const kind = await imageKind(bytes, fileName)
  switch (kind?.decoder) {
    case "sharp":
      return bySharp(kind.mimeType === "image/gif" ? firstPicture(bytes) : bytes, kind.mimeType, bounds)
    case "magick":
      if (isTruncated(bytes, kind.magickFormat)) throw new SandboxError("This image is damaged: its end is missing.")
      if (kind.magickFormat === "PSD") refuseUnshown(bytes)
      return SharpImage.finish(await Magick.open(bytes, kind), bounds)
    case "raw":
      return rawPicture(bytes, kind, bounds)
    case undefined:
      throw new SandboxError("This file is not an image of a kind that can be shown.")
  }
}
