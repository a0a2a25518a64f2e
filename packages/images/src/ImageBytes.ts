/** The bytes of a generated image: at most 64 MiB, and an image by what they begin with, whatever the provider says. */
import { type ImageGenerator, Limits } from "@filedrive/core"
import { Effect } from "effect"
import { failure } from "./Failure.ts"

/** Most bytes of one image. */
export const imageMaxBytes = Limits.generatedImageMaxBytes

/** Most bytes of an answer that has an image in it as base64: four for three, and what is around it. */
export const answerMaxBytes = Math.ceil(imageMaxBytes / 3) * 4 + 1024 * 1024

const text = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to))

/** The media type by the first bytes: PNG, JPEG or WebP; null for anything else. */
const mimeTypeOf = (bytes: Uint8Array): string | null => {
  if (text(bytes, 0, 8) === "\x89PNG\r\n\x1a\n") return "image/png"
  if (text(bytes, 0, 3) === "\xff\xd8\xff") return "image/jpeg"
  return text(bytes, 0, 4) === "RIFF" && text(bytes, 8, 12) === "WEBP" ? "image/webp" : null
}

export const tooLarge = () => failure("invalid", "The image is larger than 64 MiB.")

/** The image of these bytes. Fails with `invalid` when they are none, or too many. */
export const imageOf = (
  bytes: Uint8Array
): Effect.Effect<ImageGenerator.GeneratedImage, ImageGenerator.ImageFailure> =>
  Effect.suspend(() => {
    if (bytes.length > imageMaxBytes) return Effect.fail(tooLarge())
    const mimeType = mimeTypeOf(bytes)
    return mimeType === null
      ? Effect.fail(failure("invalid", "The bytes are not a PNG, JPEG or WebP."))
      : Effect.succeed({ mimeType, bytes })
  })

/** Characters of base64 that are decoded before others have their turn: a few milliseconds' work. */
const sliceLength = 1024 * 1024

const nextTurn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** As `Buffer.from` decodes: up to the first `=`, and without what is not base64. Slice by slice, with a turn for others between them. */
const decoded = Effect.fnUntraced(function*(base64: string) {
  const bytes = Buffer.allocUnsafe(Math.ceil(base64.length / 4) * 3)
  let length = 0
  let rest = ""
  for (let at = 0; at < base64.length; at += sliceLength) {
    if (at > 0) yield* nextTurn
    const slice = base64.slice(at, at + sliceLength)
    const end = slice.indexOf("=")
    const text = rest + (end < 0 ? slice : slice.slice(0, end)).replaceAll(/[^\w+/-]/g, "")
    const isLast = end >= 0 || at + sliceLength >= base64.length
    const whole = isLast ? text.length : text.length - text.length % 4
    length += bytes.write(text.slice(0, whole), length, "base64")
    rest = text.slice(whole)
    if (isLast) break
  }
  return bytes.subarray(0, length)
})

/** The image of base64 text. */
export const imageOfBase64 = (base64: string) => Effect.flatMap(decoded(base64), imageOf)

/** The image in a `data:` URL with base64; null for any other link. */
export const imageOfDataUrl = (url: string) => {
  const [, base64] = /^data:[^,]{0,200};base64,(.*)$/is.exec(url) ?? []
  return base64 === undefined ? null : imageOfBase64(base64)
}
