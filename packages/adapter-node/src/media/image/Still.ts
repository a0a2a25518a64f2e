/** An image of any kind as a JPEG. Runs in the sandbox. */
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

const bySharp = async (bytes: Uint8Array, maxSide: number): Promise<SharpImage.Jpeg> => {
  const { height, width } = await (await SharpImage.open(bytes, { limitInputPixels: false })).metadata()
  SharpImage.refuseTooLarge(width, height)
  return SharpImage.finish((await SharpImage.open(bytes)).autoOrient(), maxSide)
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
