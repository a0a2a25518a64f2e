/**
 * `nanoBanana`, `nanoBananaPro` and `imagen4Fast` by Google's Gemini API: the first two are language models that draw
 * (`:generateContent`), the last draws only (`:predict`). The image comes in the answer, as base64.
 */
import type { ImageGenerator } from "@filedrive/core"
import { Effect, Schema } from "effect"
import { failure } from "../Failure.ts"
import type { Answer } from "../http/Exchange.ts"
import { Places } from "../http/Places.ts"
import * as Service from "../http/Service.ts"
import { answerMaxBytes, imageOfBase64 } from "../ImageBytes.ts"
import { finished, type Provider, withoutJobs } from "../Provider.ts"

const optional = <A>(schema: Schema.Codec<A>) => Schema.optional(Schema.NullOr(schema))

const isString = (value: unknown): value is string => typeof value === "string"

const Part = Schema.Struct({
  /** Thoughts of a model that thinks may have drafts of the image. */
  thought: optional(Schema.Boolean),
  inlineData: optional(Schema.Struct({ data: Schema.String }))
})

const Drawn = Schema.Struct({
  candidates: optional(Schema.Array(Schema.Struct({
    finishReason: optional(Schema.String),
    content: optional(Schema.Struct({ parts: optional(Schema.Array(Part)) }))
  }))),
  promptFeedback: optional(Schema.Struct({ blockReason: optional(Schema.String) }))
})

const Predicted = Schema.Struct({
  predictions: optional(Schema.Array(Schema.Struct({
    bytesBase64Encoded: optional(Schema.String),
    raiFilteredReason: optional(Schema.String)
  })))
})

/** Finish reasons of https://ai.google.dev/api/generate-content by which its rules forbid the image. */
const forbidden = new Set([
  "SAFETY",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "RECITATION",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION"
])

const decodeError = Schema.decodeUnknownOption(
  Schema.Struct({
    error: Schema.Struct({
      status: optional(Schema.String),
      details: optional(Schema.Array(Schema.Struct({ reason: optional(Schema.String) })))
    })
  })
)

/** A key that is not valid is 400 here, and so is an account or a region that has to pay first. */
const reasonOf = (answer: Answer): ImageGenerator.ImageReason | null => {
  const found = decodeError(Service.jsonOf(answer))
  if (found._tag === "None") return null
  const { details, status } = found.value.error
  const isKey = details?.some(({ reason }) => reason?.startsWith("API_KEY_")) ?? false
  return isKey || status === "FAILED_PRECONDITION" ? "notPaid" : null
}

/** Imagen has no 3:2 and 2:3: the nearest are asked for. */
const imagenRatio = (ratio: ImageGenerator.AspectRatio): string =>
  ratio === "3:2" ? "4:3" : ratio === "2:3" ? "3:4" : ratio

const geminiModels: Partial<Record<ImageGenerator.ImageModel, string>> = {
  nanoBanana: "gemini-2.5-flash-image",
  nanoBananaPro: "gemini-3-pro-image-preview"
}

const imagenModel = "imagen-4.0-fast-generate-001"

export const make = (access: Service.ProviderAccess): Provider => {
  const service: Service.Service = {
    name: "Google",
    baseUrl: Service.baseUrlOf(access, "https://generativelanguage.googleapis.com/v1beta"),
    apiKey: Service.keyOf(access),
    large: new Places(),
    headers: (apiKey) => ({ "x-goog-api-key": apiKey })
  }

  const ask = Effect.fnUntraced(function*(model: string, method: string, body: unknown) {
    const answer = yield* Service.ask(service, {
      method: "POST",
      url: `${service.baseUrl}/models/${model}:${method}`,
      body,
      maxBytes: answerMaxBytes,
      timeout: Service.submitTimeout
    })
    return Service.isSuccess(answer) ? answer : yield* Service.refusal(service, answer, reasonOf(answer))
  })

  const draw = Effect.fnUntraced(function*(model: string, { aspectRatio, prompt }: ImageGenerator.ImageRequest) {
    const answer = yield* ask(model, "generateContent", {
      contents: [{ role: "user", parts: [{ text: prompt }] }],
      generationConfig: { responseModalities: ["IMAGE"], imageConfig: { aspectRatio } }
    })
    const { candidates, promptFeedback } = yield* Service.read(service, Drawn, answer)
    const blocked = promptFeedback?.blockReason
    if (typeof blocked === "string") {
      return yield* failure("moderated", "The prompt was blocked.", { told: Service.told(service, blocked) })
    }
    const [candidate] = candidates ?? []
    const image = candidate?.content?.parts?.findLast(({ inlineData, thought }) => inlineData && thought !== true)
    if (image?.inlineData) return finished(yield* imageOfBase64(image.inlineData.data))
    const reason = candidate?.finishReason ?? "none was given"
    return yield* failure(
      forbidden.has(reason) ? "moderated" : "invalid",
      "There is no image in the answer.",
      { told: Service.told(service, reason) }
    )
  })

  const predict = Effect.fnUntraced(function*({ aspectRatio, prompt }: ImageGenerator.ImageRequest) {
    const answer = yield* ask(imagenModel, "predict", {
      instances: [{ prompt }],
      // Without the last, an image that is filtered out is left out of the answer without a reason.
      parameters: { sampleCount: 1, aspectRatio: imagenRatio(aspectRatio), includeRaiReason: true }
    })
    const { predictions } = yield* Service.read(service, Predicted, answer)
    const base64 = predictions?.map(({ bytesBase64Encoded }) => bytesBase64Encoded).find(isString)
    if (base64 !== undefined) return finished(yield* imageOfBase64(base64))
    // A successful answer without an image is how Imagen filters.
    return yield* failure("moderated", "Google filtered the image out.")
  })

  return {
    submit: (request) => {
      const model = geminiModels[request.model]
      return model === undefined ? predict(request) : draw(model, request)
    },
    ...withoutJobs
  }
}
