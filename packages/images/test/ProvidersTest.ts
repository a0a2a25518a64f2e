/** What the tests of providers share: the generator of all four keys, on a local server. */
import { NodeRemoteFile } from "@filedrive/adapter-node"
import { Ids, ImageGenerator } from "@filedrive/core"
import { ImageProviders } from "@filedrive/images"
import { Context, Effect, Exit, Layer, type Scope } from "effect"
import { type Answering, json, picture, type ProviderServers, startProviders } from "./ProviderServers.ts"

export const request = (
  model: ImageGenerator.ImageModel,
  { aspectRatio = "1:1", prompt = "a cat" }: Partial<ImageGenerator.ImageRequest> = {}
): ImageGenerator.ImageRequest => ({
  generationId: Ids.GenerationId.make("5b4ad3a1-52bd-4a3c-9c54-8f1a51e6a001"),
  model,
  prompt,
  aspectRatio,
  quality: model === "gptImage2" ? "low" : null
})

type Generator = ImageGenerator.ImageGenerator["Service"]

export interface Providers extends ProviderServers {
  readonly generator: Generator
}

/** The only address that images may be fetched from. */
const files = NodeRemoteFile.layer({ allows: (address) => address === "127.0.0.1" })

export const generatorOf = (keys: ImageProviders.ProviderKeys): Effect.Effect<Generator, never, Scope.Scope> =>
  Layer.build(ImageProviders.layerNoDeps(keys).pipe(Layer.provide(files))).pipe(
    Effect.map(Context.get(ImageGenerator.ImageGenerator))
  )

/** Local providers and the generator of their keys, until the scope closes. */
export const providers = Effect.fnUntraced(function*(
  options: {
    readonly pollsMin?: number
    readonly keys?: (all: ProviderServers["keys"]) => ImageProviders.ProviderKeys
  } = {}
): Effect.fn.Return<Providers, never, Scope.Scope> {
  const servers = yield* Effect.acquireRelease(
    Effect.promise(() => startProviders(options)),
    ({ close }) => Effect.promise(close)
  )
  const generator = yield* generatorOf(options.keys?.(servers.keys) ?? servers.keys)
  return { ...servers, generator }
})

/** Submits, and looks until there is an image. */
export const generate = Effect.fnUntraced(function*(generator: Generator, asked: ImageGenerator.ImageRequest) {
  const submitted = yield* generator.submit(asked)
  if (submitted._tag === "Finished") return { image: submitted.image, looks: 0, job: null }
  for (let looks = 1;; looks++) {
    const progress = yield* generator.poll(asked, submitted.job)
    if (progress._tag === "Finished") return { image: progress.image, looks, job: submitted.job }
  }
})

/** The failure of an effect that must fail. */
export const failureOf = <A, R>(effect: Effect.Effect<A, ImageGenerator.ImageFailure, R>) => Effect.flip(effect)

export const isPicture = ({ bytes, mimeType }: ImageGenerator.GeneratedImage): boolean =>
  mimeType === "image/png" && picture.equals(bytes)

/** Whether a value, printed with its causes, repeats a text. */
export const repeats = (failure: ImageGenerator.ImageFailure, text: string): boolean =>
  [failure.message, String(failure.cause), JSON.stringify(Exit.fail(failure)), (failure.cause as Error).stack].some((
    part
  ) => part?.includes(text))

/** A model of each provider, and where it is asked first. */
export const begins: ReadonlyArray<readonly [model: ImageGenerator.ImageModel, begin: string]> = [
  ["gptImage2", "POST /openai/"],
  ["nanoBanana", "POST /google/"],
  ["imagen4Fast", "POST /google/"],
  ["flux2Pro", "POST /bfl/"],
  ["seedream4", "POST /fal/"]
]

/** Answers with this JSON. */
export const status = (code: number, body: unknown, headers: Record<string, string> = {}): Answering => (_, response) =>
  json(response, code, body, headers)
