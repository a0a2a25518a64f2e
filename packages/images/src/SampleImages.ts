/**
 * The port {@link ImageGenerator} without any provider: it draws a sample, so that a drive shows the whole flow before its host has a
 * key. The same prompt, model and aspect ratio give the same bytes.
 */
import { ImageGenerator } from "@filedrive/core"
import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { withoutJobs } from "./Provider.ts"
import { isInk, wordHeight, wordWidth } from "./sample/Letters.ts"
import { png } from "./sample/Png.ts"
import { oneMegapixel } from "./Sizes.ts"

type Colour = readonly [red: number, green: number, blue: number]

/** Two colours, dark enough for white letters. */
const coloursOf = ({ model, prompt }: ImageGenerator.ImageRequest): readonly [Colour, Colour] => {
  const hash = createHash("sha256").update(`${model}\n${prompt}`).digest()
  const colour = (at: number): Colour => [hash[at]! % 160, hash[at + 1]! % 160, hash[at + 2]! % 160]
  return [colour(0), colour(3)]
}

/** A gradient from the upper left to the lower right, and the word "SAMPLE" in the middle. */
const draw = async (request: ImageGenerator.ImageRequest): Promise<Uint8Array> => {
  const { height, width } = oneMegapixel[request.aspectRatio]
  const [from, to] = coloursOf(request)
  const points = new Uint8Array(width * height * 3)
  const square = Math.floor((width * 0.8) / wordWidth)
  const left = (width - square * wordWidth) / 2
  const top = (height - square * wordHeight) / 2
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y - top) / square)
    const hasInk = row >= 0 && row < wordHeight
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3
      const isLetter = hasInk && isInk(Math.floor((x - left) / square), row)
      const share = (x + y) / (width + height)
      for (let part = 0; part < 3; part++) {
        points[at + part] = isLetter ? 255 : from[part]! + (to[part]! - from[part]!) * share
      }
    }
  }
  return png(width, height, points)
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
