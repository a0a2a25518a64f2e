/** Fetches an image from a link that a provider gives: by the drive's guarded fetch, without the provider's key. */
import type { ImageGenerator, RemoteFile } from "@filedrive/core"
import { Effect, Stream } from "effect"
import { failure } from "../Failure.ts"
import { imageMaxBytes, imageOf, imageOfDataUrl, tooLarge } from "../ImageBytes.ts"
import { retryRead } from "./Service.ts"

/** The link itself is not told: whoever knows it may fetch the image. */
const failed = ({ because, retryable }: RemoteFile.RemoteFailed): ImageGenerator.ImageFailure =>
  failure(retryable ? "unavailable" : "invalid", `The image could not be fetched from the provider's link. ${because}`)

const fetchOnce = Effect.fnUntraced(function*(files: RemoteFile.RemoteFile["Service"], url: string) {
  const { body, sizeBytes } = yield* Effect.mapError(files.open(url, null), failed)
  if (sizeBytes !== null && sizeBytes > imageMaxBytes) return yield* tooLarge()
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  yield* body.pipe(
    Stream.mapError(failed),
    Stream.runForEach((chunk) => {
      bytes += chunk.length
      if (bytes > imageMaxBytes) return Effect.fail(tooLarge())
      chunks.push(chunk)
      return Effect.void
    })
  )
  return yield* imageOf(Buffer.concat(chunks, bytes))
}, Effect.scoped)

/**
 * The image behind a link, which may also be a `data:` URL. A fetch that failed for now is repeated twice, a second apart: the image
 * is paid for.
 */
export const fetchImage = (
  files: RemoteFile.RemoteFile["Service"],
  url: string
): Effect.Effect<ImageGenerator.GeneratedImage, ImageGenerator.ImageFailure> =>
  imageOfDataUrl(url) ?? retryRead(fetchOnce(files, url))
