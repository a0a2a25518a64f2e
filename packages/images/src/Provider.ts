/** One provider's API, and what is known of a job at it. */
import type { ImageGenerator } from "@filedrive/core"
import { Effect, Schema, type Scope } from "effect"
import { failure } from "./Failure.ts"

/** The methods of the port, for the models of one provider. */
export interface Provider {
  readonly submit: (
    request: ImageGenerator.ImageRequest
  ) => Effect.Effect<ImageGenerator.Submission, ImageGenerator.ImageFailure, Scope.Scope>
  readonly poll: (
    job: ImageGenerator.ProviderJob
  ) => Effect.Effect<ImageGenerator.Progress, ImageGenerator.ImageFailure, Scope.Scope>
  readonly cancel: (job: ImageGenerator.ProviderJob) => Effect.Effect<void>
}

export type ProviderName = "openai" | "google" | "blackForestLabs" | "fal"

export const finished = (image: ImageGenerator.GeneratedImage): ImageGenerator.Finished => ({ _tag: "Finished", image })

/** An id that is safe in the path of a URL. */
export const JobId = Schema.String.check(Schema.isPattern(/^[\w-]{1,200}$/))

/** Longest link of a provider that is kept with its job. */
export const linkMaxLength = 1_000

const At = Schema.fromJsonString(Schema.Struct({ at: Schema.String }))
const decodeAt = Schema.decodeUnknownOption(At)

/** At which provider a job is; null when that can't be told. */
export const providerOf = (job: ImageGenerator.ProviderJob): string | null => {
  const found = decodeAt(job)
  return found._tag === "Some" ? found.value.at : null
}

/** For providers that answer a request with the image itself, and know no jobs. */
export const withoutJobs = {
  poll: () => Effect.fail(failure("lost", "This provider has no jobs that could be looked at.")),
  cancel: () => Effect.void
} as const
