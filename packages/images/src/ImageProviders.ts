/**
 * The port {@link ImageGenerator} by the providers that the host has keys for, over their own HTTP APIs. A model without a key is not
 * available. docs/image-providers.md.
 */
import { ImageGenerator, RemoteFile } from "@filedrive/core"
import { Effect, Layer } from "effect"
import { failure } from "./Failure.ts"
import type { ProviderAccess } from "./http/Service.ts"
import { type Provider, type ProviderName, providerOf } from "./Provider.ts"
import * as BlackForestLabs from "./providers/BlackForestLabs.ts"
import * as Fal from "./providers/Fal.ts"
import * as Google from "./providers/Google.ts"
import * as OpenAi from "./providers/OpenAi.ts"

/** The host's access to each provider; one that is left out draws nothing. */
export interface ProviderKeys {
  readonly openai?: ProviderAccess | undefined
  readonly google?: ProviderAccess | undefined
  readonly blackForestLabs?: ProviderAccess | undefined
  readonly fal?: ProviderAccess | undefined
}

/** The environment variable of each key, as the example server and `filedrive doctor` read it. */
export const keyVariables: Readonly<Record<ProviderName, string>> = {
  openai: "OPENAI_API_KEY",
  google: "GOOGLE_GENERATIVE_AI_API_KEY",
  blackForestLabs: "BFL_API_KEY",
  fal: "FAL_API_KEY"
}

/** The environment variable of each address. */
export const urlVariables: Readonly<Record<ProviderName, string>> = {
  openai: "OPENAI_BASE_URL",
  google: "GOOGLE_GENERATIVE_AI_BASE_URL",
  blackForestLabs: "BFL_BASE_URL",
  fal: "FAL_BASE_URL"
}

/** Who draws for a model, in the order of preference. */
const providersOf: Readonly<Record<ImageGenerator.ImageModel, ReadonlyArray<ProviderName>>> = {
  gptImage2: ["openai"],
  nanoBanana: ["google"],
  imagen4Fast: ["google"],
  seedream4: ["fal"],
  flux2Pro: ["blackForestLabs", "fal"],
  fluxKreaDev: ["fal"],
  nanoBananaPro: ["google"]
}

/** A model, and who draws for it. */
export interface Availability {
  readonly model: ImageGenerator.ImageModel
  /** Null: nobody. */
  readonly provider: ProviderName | null
  /** Variables of which any one makes it available. */
  readonly variables: ReadonlyArray<string>
}

/** Which models are available with keys of these providers. */
export const availability = (has: (provider: ProviderName) => boolean): ReadonlyArray<Availability> =>
  ImageGenerator.imageModels.map((model) => ({
    model,
    provider: providersOf[model].find(has) ?? null,
    variables: providersOf[model].map((name) => keyVariables[name])
  }))

const make = (keys: ProviderKeys, files: RemoteFile.RemoteFile["Service"]) => {
  const providers: Partial<Record<ProviderName, Provider>> = {
    ...(keys.openai === undefined ? {} : { openai: OpenAi.make(keys.openai, files) }),
    ...(keys.google === undefined ? {} : { google: Google.make(keys.google) }),
    ...(keys.blackForestLabs === undefined
      ? {}
      : { blackForestLabs: BlackForestLabs.make(keys.blackForestLabs, files) }),
    ...(keys.fal === undefined ? {} : { fal: Fal.make(keys.fal, files) })
  }
  const missing = new Map(
    availability((name) => providers[name] !== undefined).flatMap(({ model, provider, variables }) =>
      provider === null ? [[model, `${variables.join(" or ")} is not set`] as const] : []
    )
  )
  const ofModel = (model: ImageGenerator.ImageModel): Provider | undefined =>
    providersOf[model].flatMap((name) => providers[name] ?? [])[0]
  /** The provider that a job was given to, which may be another than the one that would be asked now. */
  const ofJob = (job: string): Provider | undefined => {
    const name = providerOf(job)
    return name === null ? undefined : providers[name as ProviderName]
  }

  return ImageGenerator.ImageGenerator.of({
    unavailable: (model) => Effect.succeed(missing.get(model) ?? null),
    submit: (request) =>
      Effect.suspend(() =>
        ofModel(request.model)?.submit(request)
          ?? Effect.fail(failure("unavailable", "The model has no key.", { begun: false }))
      ),
    poll: (_request, job) =>
      Effect.suspend(() =>
        ofJob(job)?.poll(job)
          ?? Effect.fail(failure("lost", "The job is at a provider that this drive has no key for any more."))
      ),
    cancel: (_request, job) => Effect.suspend(() => ofJob(job)?.cancel(job) ?? Effect.void)
  })
}

/** Asks the providers of these keys. Links to images are fetched by the drive's `RemoteFile`. */
export const layerNoDeps = (
  keys: ProviderKeys
): Layer.Layer<ImageGenerator.ImageGenerator, never, RemoteFile.RemoteFile> =>
  Layer.effect(ImageGenerator.ImageGenerator, Effect.map(RemoteFile.RemoteFile, (files) => make(keys, files)))
