/** An image generator that does what a test scripts. It counts what it is asked. */
import { ImageGenerator as Port } from "@filedrive/core"
import { Context, Duration, Effect, Layer } from "effect"

/** What one of the generator's methods does next. */
export type ImageStep<A> = Effect.Effect<A, Port.ImageFailure>

/** A call, in the order they came. */
export interface ImageCall {
  readonly method: "submit" | "poll" | "cancel"
  readonly request: Port.ImageRequest
  readonly job: Port.ProviderJob | null
}

export class TestImageGenerator extends Context.Service<TestImageGenerator, {
  /** Scripts the next submissions, one step each, instead of what was scripted before. Without a script a submission is {@link testImage} at once. */
  readonly submits: (...steps: ReadonlyArray<ImageStep<Port.Submission>>) => Effect.Effect<void>
  /** Scripts the next polls, one step each, instead of what was scripted before. Without a script a poll finds {@link testImage}. */
  readonly polls: (...steps: ReadonlyArray<ImageStep<Port.Progress>>) => Effect.Effect<void>
  /** Makes the model unavailable for this reason; null: available again. */
  readonly setUnavailable: (model: Port.ImageModel, why: string | null) => Effect.Effect<void>
  readonly calls: Effect.Effect<ReadonlyArray<ImageCall>>
}>()("@filedrive/testing/TestImageGenerator") {
  static readonly layer: Layer.Layer<Port.ImageGenerator | TestImageGenerator> = Layer.effectContext(Effect.sync(() => {
    const submitting: Array<ImageStep<Port.Submission>> = []
    const polling: Array<ImageStep<Port.Progress>> = []
    const without = new Map<Port.ImageModel, string>()
    const calls: Array<ImageCall> = []
    const generator = Port.ImageGenerator.of({
      unavailable: (model) => Effect.sync(() => without.get(model) ?? null),
      submit: (request) =>
        Effect.suspend(() => {
          calls.push({ method: "submit", request, job: null })
          return submitting.shift() ?? Effect.succeed(finished())
        }),
      poll: (request, job) =>
        Effect.suspend(() => {
          calls.push({ method: "poll", request, job })
          return polling.shift() ?? Effect.succeed(finished())
        }),
      cancel: (request, job) => Effect.sync(() => void calls.push({ method: "cancel", request, job }))
    })
    const test = TestImageGenerator.of({
      submits: (...steps) => Effect.sync(() => void submitting.splice(0, submitting.length, ...steps)),
      polls: (...steps) => Effect.sync(() => void polling.splice(0, polling.length, ...steps)),
      setUnavailable: (model, why) =>
        Effect.sync(() => void (why === null ? without.delete(model) : without.set(model, why))),
      calls: Effect.sync(() => [...calls])
    })
    return Context.make(Port.ImageGenerator, generator).pipe(Context.add(TestImageGenerator, test))
  }))
}

/** The smallest PNG there is: one grey point. */
export const testImage: Port.GeneratedImage = {
  mimeType: "image/png",
  bytes: new Uint8Array(
    Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
      "base64"
    )
  )
}

/** A finished submission or poll. */
export const finished = (image: Port.GeneratedImage = testImage): Port.Finished => ({ _tag: "Finished", image })

export const submitted = (job: Port.ProviderJob): Port.Submission => ({ _tag: "Submitted", job })

export const pending = (pollAfter: Duration.Input = "1 second"): Port.Progress => ({
  _tag: "Pending",
  pollAfter: Duration.fromInputUnsafe(pollAfter)
})

/** A failure for a script: the provider has begun, unless `busy`. */
export const imageFailure = (
  reason: Port.ImageReason,
  { begun = reason !== "busy", retryAfter = null }: {
    readonly begun?: boolean
    readonly retryAfter?: Duration.Duration | null
  } = {}
): Port.ImageFailure =>
  new Port.ImageFailure({ reason, begun, retryAfter, cause: new Error(`a scripted failure: ${reason}`) })
