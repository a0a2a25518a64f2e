/** Width and height in points for each aspect ratio: exact, and multiples of 16, which FLUX asks for. */
import type { ImageGenerator } from "@filedrive/core"
import { Record } from "effect"

export interface Size {
  readonly width: number
  readonly height: number
}

type Sizes = { readonly [ratio in ImageGenerator.AspectRatio]: Size }

/** About one million points. */
export const oneMegapixel: Sizes = {
  "1:1": { width: 1_024, height: 1_024 },
  "3:2": { width: 1_248, height: 832 },
  "2:3": { width: 832, height: 1_248 },
  "16:9": { width: 1_280, height: 720 },
  "9:16": { width: 720, height: 1_280 },
  "4:3": { width: 1_152, height: 864 },
  "3:4": { width: 864, height: 1_152 }
}

/** About four million points, for models that draw no less than one million and cost the same. */
export const fourMegapixels: Sizes = Record.map(oneMegapixel, ({ height, width }) => ({
  width: 2 * width,
  height: 2 * height
}))
