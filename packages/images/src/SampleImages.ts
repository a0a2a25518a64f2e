/**
 * The port {@link ImageGenerator} without any provider: it draws a sample, so that a drive shows the whole flow before its host has a
 * key. The same prompt, model and aspect ratio give the same bytes.
 */
import { ImageGenerator } from "@filedrive/core"
import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { withoutJobs } from "./Provider.ts"
import { isInk, wordHeight, wordWidth } from "./sample/Letters.ts"
import { png, rowBytes } from "./sample/Png.ts"
import { oneMegapixel } from "./Sizes.ts"

type Colour = readonly [red: number, green: number, blue: number]

/** Two colours, dark enough for white letters. */
const coloursOf = ({ model, prompt }: ImageGenerator.ImageRequest): readonly [Colour, Colour] => {
  const hash = createHash("sha256").update(`${model}\n${prompt}`).digest()
  const colour = (at: number): Colour => [hash[at]! % 160, hash[at + 1]! % 160, hash[at + 2]! % 160]
  return [colour(0), colour(3)]
}

/** The colours along the diagonals, from the upper left to the lower right: a row of the picture begins one point later than that above. */
const gradient = ([from, to]: readonly [Colour, Colour], count: number): Uint8Array => {
  const points = new Uint8Array(count * 3)
  for (let at = 0; at < points.length; at++) {
    const part = at % 3
    points[at] = from[part]! + (to[part]! - from[part]!) * (at / points.length)
  }
  return points
}

/** A gradient, and the word "SAMPLE" in the middle. */
const draw = (request: ImageGenerator.ImageRequest): Promise<Uint8Array> => {
  const { height, width } = oneMegapixel[request.aspectRatio]
  const points = gradient(coloursOf(request), width + height)
  const bytes = rowBytes(width)
  const rows = new Uint8Array(bytes * height)
  const square = Math.floor((width * 0.8) / wordWidth)
  const left = Math.floor((width - square * wordWidth) / 2)
  const top = Math.floor((height - square * wordHeight) / 2)
  for (let y = 0; y < height; y++) {
    rows.set(points.subarray(y * 3, (y + width) * 3), y * bytes + 1)
    const row = Math.floor((y - top) / square)
    for (let column = 0; column < wordWidth; column++) {
      if (!isInk(column, row)) continue
      const at = y * bytes + 1 + (left + column * square) * 3
      rows.fill(255, at, at + square * 3)
    }
  }
  return png(width, height, rows)
}

/** Draws samples of every model. */
export const layer: Layer.Layer<ImageGenerator.ImageGenerator> = Layer.succeed(
  ImageGenerator.ImageGenerator,
  ImageGenerator.ImageGenerator.of({
    unavailable: () => Effect.succeed(null),
    submit: (request) =>
      Effect.map(Effect.promise(() => draw(request)), (bytes) => ({
        _tag: "Finished",
        image: { mimeType: "image/png", bytes }
      })),
    ...withoutJobs
  })
)
