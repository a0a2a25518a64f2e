/** The port {@link ImageGenerator} by a generator of the host's own, which is written with promises. */
import { ImageGenerator } from "@filedrive/core"
import { Duration, Effect, Layer, Schema } from "effect"
import { failure } from "./Failure.ts"
import { submitTimeout } from "./http/Service.ts"
import { imageOf } from "./ImageBytes.ts"
import { withoutJobs } from "./Provider.ts"

export type HostImageRequest = ImageGenerator.ImageRequest

/** What a generator answers: the bytes of a PNG, JPEG or WebP, at most 64 MiB. */
export interface HostImage {
  readonly bytes: Uint8Array
}

/**
 * A generator of the host's own. A rejection is a failure of the generation; an error with a `reason` (`moderated`, `rejected`,
 * `notPaid`, `busy`, `unavailable` or `invalid`) says which one. With `busy` it is asked again, after the error's `retryAfterMillis` if
 * there is one; with every other reason it is not.
 */
export interface HostImageGenerator {
  /**
   * Draws one image, in 100 seconds. The request's `generationId` is the same whenever the same image is asked for. `signal` is aborted
   * when nobody wants the image any more, or its time is over.
   */
  readonly generate: (
    request: HostImageRequest,
    options: { readonly signal: AbortSignal }
  ) => Promise<HostImage>
  /** The models that it draws. Default: all. */
  readonly models?: ReadonlyArray<ImageGenerator.ImageModel> | undefined
}

const isReason = Schema.is(ImageGenerator.ImageReason)

/** A host's error as the drive says it. Reading it may fail like any code of the host's. */
const failureOf = (cause: unknown): ImageGenerator.ImageFailure => {
  const { reason, retryAfterMillis } = Object(cause) as {
    readonly reason?: unknown
    readonly retryAfterMillis?: unknown
  }
  return new ImageGenerator.ImageFailure({
    reason: isReason(reason) && reason !== "lost" ? reason : "unavailable",
    begun: reason !== "busy",
    retryAfter: typeof retryAfterMillis === "number" && retryAfterMillis >= 0
      ? Duration.millis(retryAfterMillis)
      : null,
    cause
  })
}

const bytesOf = (image: unknown): Uint8Array | null => {
  const { bytes } = Object(image) as { readonly bytes?: unknown }
  return bytes instanceof Uint8Array ? bytes : null
}

const make = (generator: HostImageGenerator) => {
  const { models } = generator
  return ImageGenerator.ImageGenerator.of({
    unavailable: (model) =>
      Effect.succeed(models === undefined || models.includes(model) ? null : "the host's generator does not draw it"),
    submit: Effect.fnUntraced(function*(request) {
      const image = yield* Effect.tryPromise({
        try: async (signal) => generator.generate(request, { signal }),
        catch: failureOf
      }).pipe(
        Effect.timeoutOrElse({
          duration: submitTimeout,
          orElse: () => Effect.fail(failure("unavailable", "The host's generator did not answer in time."))
        })
      )
      const bytes = bytesOf(image)
      if (bytes === null) return yield* failure("invalid", "The host's generator did not answer { bytes: Uint8Array }.")
      return { _tag: "Finished", image: yield* imageOf(bytes) } as const
    }),
    poll: withoutJobs.poll,
    cancel: withoutJobs.cancel
  })
}

/** Asks the host's generator, for every model that it names. */
export const layer = (generator: HostImageGenerator): Layer.Layer<ImageGenerator.ImageGenerator> =>
  Layer.sync(ImageGenerator.ImageGenerator, () => make(generator))
