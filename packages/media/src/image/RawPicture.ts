/**
 * Camera RAW as a picture: the largest preview beside the sensor's
 * data, which looks as on the camera. The sensor's data is developed
 * only when no preview is large enough.
 */
import type { MediaTools } from "@filedrive/core"
import type { Sharp } from "sharp"
import { SandboxError } from "../sandbox/SandboxError.ts"
import { declaredColour } from "./Declared.ts"
import { embeddedJpegs } from "./EmbeddedJpeg.ts"
import type { ImageKind } from "./ImageKind.ts"
import type { Jpeg } from "./Jpeg.ts"
import * as Magick from "./Magick.ts"
import { rawFacts } from "./RawFacts.ts"
import * as SharpImage from "./Sharp.ts"

/** The operations of an orientation, in the order of sharp: mirrored, then turned clockwise. */
const turns: Readonly<Record<number, { readonly degrees: number; readonly flip?: true; readonly flop?: true }>> = {
  2: { degrees: 0, flop: true },
  3: { degrees: 180 },
  4: { degrees: 0, flip: true },
  5: { degrees: 270, flop: true },
  6: { degrees: 90 },
  7: { degrees: 90, flop: true },
  8: { degrees: 270 }
}

/** A preview of fewer pixels is for a camera's screen. */
const previewPixelsMin = 250_000

const upright = (image: Sharp, orientation: number): Sharp => {
  const { degrees, flip = false, flop = false } = turns[orientation] ?? { degrees: 0 }
  return image.rotate(degrees).flip(flip).flop(flop)
}

interface Preview {
  readonly bounds: MediaTools.PictureBounds
  readonly pixelsMin: number
  /** `warning`: only pictures without any damage. */
  readonly failOn: "warning" | "truncated"
}

const preview = async (
  bytes: Uint8Array,
  { bounds, failOn, pixelsMin }: Preview
): Promise<Jpeg | null> => {
  const orientation = rawFacts(bytes)?.orientation
  for (const { height, start, width } of embeddedJpegs(bytes)) {
    if (width * height < pixelsMin) return null
    // A sensor lies on its long side: a picture that stands was turned already.
    const turned = orientation !== undefined && orientation > 4 && height > width
    try {
      const image = await SharpImage.open(bytes.subarray(start), { failOn })
      const colour = declaredColour(bytes, "image/jpeg", await image.metadata())
      const straight = orientation === undefined || turned ? image.autoOrient() : upright(image, orientation)
      return await SharpImage.finish({ image: straight, colour }, bounds)
    } catch (error) {
      if (error instanceof SandboxError) throw error
      // Bytes that only begin like a picture; a smaller one may be whole.
    }
  }
  return null
}

export const rawPicture = async (
  bytes: Uint8Array,
  kind: ImageKind,
  bounds: MediaTools.PictureBounds
): Promise<Jpeg> => {
  const worthShowing = { bounds, pixelsMin: previewPixelsMin }
  const found = await preview(bytes, { ...worthShowing, failOn: "warning" })
    ?? await preview(bytes, { ...worthShowing, failOn: "truncated" })
  if (found !== null) return found
  try {
    return await SharpImage.finish(await Magick.open(bytes, kind), bounds)
  } catch (error) {
    // When a large one is damaged, so is the file, and its thumbnail is not used.
    if (embeddedJpegs(bytes).some(({ height, width }) => width * height >= previewPixelsMin)) throw error
    const small = await preview(bytes, { bounds, pixelsMin: 0, failOn: "warning" })
    if (small === null) throw error
    return small
  }
}
