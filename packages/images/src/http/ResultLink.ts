/** Fetches an image from a link that a provider gives: by the drive's guarded fetch, without the provider's key. */
import type { ImageGenerator, RemoteFile } from "@filedrive/core"
import { Effect, type Scope, Stream } from "effect"
import { failure } from "../Failure.ts"
import { imageMaxBytes, imageOf, imageOfDataUrl, tooLarge } from "../ImageBytes.ts"
import { largeFrom, takePlace } from "./Places.ts"
import { retryRead, type Service, told } from "./Service.ts"

/** The link itself is not told: whoever knows it may fetch the image. */
const failedOf = (service: Service) => ({ because, retryable }: RemoteFile.RemoteFailed): ImageGenerator.ImageFailure =>
  failure(retryable ? "unavailable" : "invalid", "The image could not be fetched from the provider's link.", {
    told: told(service, because)
  })

/** The connection, and a place for a large image, are held until the scope closes. */
const fetchOnce = Effect.fnUntraced(function*(
  service: Service,
  files: RemoteFile.RemoteFile["Service"],
  url: string
) {
  const failed = failedOf(service)
  const { body, sizeBytes } = yield* Effect.mapError(files.open(url, null), failed)
  if (sizeBytes !== null && sizeBytes > imageMaxBytes) return yield* tooLarge()
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  let hasPlace = false
  yield* body.pipe(
    Stream.mapError(failed),
    Stream.runForEach((chunk) => {
      bytes += chunk.length
      if (bytes > imageMaxBytes) return Effect.fail(tooLarge())
      chunks.push(chunk)
      if (bytes <= largeFrom || hasPlace) return Effect.void
      hasPlace = true
      return takePlace(service.large)
    })
  )
  return yield* imageOf(Buffer.concat(chunks, bytes))
})

/**
 * The image behind a link, which may also be a `data:` URL. A fetch that failed for now is repeated twice, a second apart: the image
 * is paid for.
 */
export const fetchImage = (
  service: Service,
  files: RemoteFile.RemoteFile["Service"],
  url: string
): Effect.Effect<ImageGenerator.GeneratedImage, ImageGenerator.ImageFailure, Scope.Scope> =>
  imageOfDataUrl(url) ?? retryRead(fetchOnce(service, files, url))
