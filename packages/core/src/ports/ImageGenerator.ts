/**
 * Asks models that generate images, whoever runs them.
 *
 * Who generates is paid for each image, so a request is submitted once: the drive records that it is about to ask before it
 * asks, and what the provider calls its job before it looks at it. Spec: "Images", `/generate-image`.
 */
import { Context, type Duration, Effect, Layer, Schema, type Scope } from "effect"
import type { GenerationId } from "../shared/Ids.ts"

/** Spec: "Images", `model`; the first is the default. */
export const imageModels = [
  "gptImage2",
  "nanoBanana",
  "imagen4Fast",
  "seedream4",
  "flux2Pro",
  "fluxKreaDev",
  "nanoBananaPro"
] as const
export const ImageModel = Schema.Literals(imageModels)
export type ImageModel = typeof ImageModel.Type

/** Width to height. Spec: "Images", `aspectRatio`; the first is the default. */
export const AspectRatio = Schema.Literals(["1:1", "3:2", "2:3", "16:9", "9:16", "4:3", "3:4"])
export type AspectRatio = typeof AspectRatio.Type

/** Spec: "Images", `quality`. */
export const ImageQuality = Schema.Literals(["low", "medium", "high"])
export type ImageQuality = typeof ImageQuality.Type

export interface ImageRequest {
  /** The same whenever the same generation is asked for: good as an idempotency key. */
  readonly generationId: GenerationId
  readonly model: ImageModel
  /** 1 to 4,000 UTF-16 code units of a stranger's text. */
  readonly prompt: string
  readonly aspectRatio: AspectRatio
  /** Set for `gptImage2` only. */
  readonly quality: ImageQuality | null
}

/** What a provider calls its own job: kept until it is over, so that a restart continues with it. At most 4,096 characters; no secret. */
export type ProviderJob = string

/** An image as its provider made it: a PNG, JPEG or WebP by its first bytes, of 64 MB at most. */
export interface GeneratedImage {
  readonly mimeType: string
  readonly bytes: Uint8Array
}

export interface Finished {
  readonly _tag: "Finished"
  readonly image: GeneratedImage
}

/** The answer to a request: a job to look at later, or the image itself. */
export type Submission = { readonly _tag: "Submitted"; readonly job: ProviderJob } | Finished

/** How far a job is. */
export type Progress = { readonly _tag: "Pending"; readonly pollAfter: Duration.Duration } | Finished

/** Why a provider gave no image, for programs. */
export const ImageReason = Schema.Literals([
  /** The provider's rules forbid the prompt or the image. */
  "moderated",
  /** The provider does not take this request. */
  "rejected",
  /** The host's key or balance is not good: 401, 402, 403. */
  "notPaid",
  /** Too many requests: 429. */
  "busy",
  /** A fault of the provider, a connection that broke or stalled. */
  "unavailable",
  /** An answer or an image that can't be used. */
  "invalid",
  /** The provider does not know the job, or no longer. */
  "lost"
])
export type ImageReason = typeof ImageReason.Type

/** A provider gave no image. Callers are told a sentence made from the reason, never the provider's own text. */
export class ImageFailure extends Schema.TaggedError<ImageFailure>()("ImageFailure", {
  reason: ImageReason,
  /**
   * Whether the provider may have begun, and so may charge for the image: true unless it is certain that it hasn't (it refused before
   * any work, as by 429; a connection was never made). Only what was not begun is asked again.
   */
  begun: Schema.Boolean,
  /** When the provider wants to be asked again, if it says so. */
  retryAfter: Schema.NullOr(Schema.Duration),
  /** For the server's log, without a secret. */
  cause: Schema.Defect()
}) {
  override get message() {
    return `The image provider gave no image (${this.reason}).`
  }
}

export class ImageGenerator extends Context.Service<ImageGenerator, {
  /** Null when the model can be asked now; otherwise the reason for the server's log, as "OPENAI_API_KEY is not set". Contacts nobody. */
  readonly unavailable: (model: ImageModel) => Effect.Effect<string | null>

  /** Asks the provider once. Interruption cuts the connection. The drive closes the scope when it needs the answer no more. */
  readonly submit: (request: ImageRequest) => Effect.Effect<Submission, ImageFailure, Scope.Scope>

  /** Looks at a submitted job once. Interruption cuts the connection. The scope as for `submit`. */
  readonly poll: (request: ImageRequest, job: ProviderJob) => Effect.Effect<Progress, ImageFailure, Scope.Scope>

  /** Ends a job that is no longer wanted, where the provider can; otherwise does nothing. */
  readonly cancel: (request: ImageRequest, job: ProviderJob) => Effect.Effect<void>
}>()("@filedrive/core/ports/ImageGenerator") {}

const never = () =>
  Effect.fail(
    new ImageFailure({ reason: "unavailable", begun: false, retryAfter: null, cause: new Error("no image generator") })
  )

/** Generates nothing: for a host that offers no images. */
export const none: Layer.Layer<ImageGenerator> = Layer.succeed(
  ImageGenerator,
  ImageGenerator.of({
    unavailable: () => Effect.succeed("this drive has no image generator"),
    submit: never,
    poll: never,
    cancel: () => Effect.void
  })
)
