/** `gptImage2` by OpenAI's images API (`POST /images/generations`). The image comes in the answer, as base64. */
import type { ImageGenerator, RemoteFile } from "@filedrive/core"
import { Effect, Schema } from "effect"
import { failure } from "../Failure.ts"
import type { Answer } from "../http/Exchange.ts"
import { Places } from "../http/Places.ts"
import { fetchImage } from "../http/ResultLink.ts"
import * as Service from "../http/Service.ts"
import { answerMaxBytes, imageOfBase64 } from "../ImageBytes.ts"
import { finished, type Provider, withoutJobs } from "../Provider.ts"

const model = "gpt-image-2"

/** The three sizes there are. */
const sizes: Partial<Record<ImageGenerator.AspectRatio, string>> = {
  "1:1": "1024x1024",
  "3:2": "1536x1024",
  "2:3": "1024x1536"
}

const Generated = Schema.Struct({
  data: Schema.NonEmptyArray(
    Schema.Struct({
      b64_json: Schema.optional(Schema.NullOr(Schema.String)),
      url: Schema.optional(Schema.NullOr(Schema.String))
    })
  )
})

const decodeError = Schema.decodeUnknownOption(
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.optional(Schema.NullOr(Schema.String)),
      type: Schema.optional(Schema.NullOr(Schema.String))
    })
  })
)

/** By the codes of https://platform.openai.com/docs/guides/error-codes and of its image models. */
const reasons: Readonly<Record<string, ImageGenerator.ImageReason>> = {
  moderation_blocked: "moderated",
  content_policy_violation: "moderated",
  insufficient_quota: "notPaid",
  billing_hard_limit_reached: "notPaid",
  billing_not_active: "notPaid",
  invalid_api_key: "notPaid"
}

const reasonOf = (answer: Answer): ImageGenerator.ImageReason | null => {
  const found = decodeError(Service.jsonOf(answer))
  if (found._tag === "None") return null
  const { code, type } = found.value.error
  return reasons[code ?? ""] ?? reasons[type ?? ""] ?? null
}

export const make = (access: Service.ProviderAccess, files: RemoteFile.RemoteFile["Service"]): Provider => {
  const service: Service.Service = {
    name: "OpenAI",
    baseUrl: Service.baseUrlOf(access, "https://api.openai.com/v1"),
    apiKey: Service.keyOf(access),
    large: new Places(),
    headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` })
  }

  const submit = Effect.fnUntraced(function*({ aspectRatio, prompt, quality }: ImageGenerator.ImageRequest) {
    const size = sizes[aspectRatio]
    if (size === undefined) return yield* failure("rejected", "OpenAI has no size for the aspect ratio.")
    const answer = yield* Service.ask(service, {
      method: "POST",
      url: `${service.baseUrl}/images/generations`,
      body: { model, prompt, n: 1, size, quality: quality ?? "auto", output_format: "png" },
      maxBytes: answerMaxBytes,
      timeout: Service.submitTimeout
    })
    if (!Service.isSuccess(answer)) return yield* Service.refusal(service, answer, reasonOf(answer))
    const { data: [{ b64_json: base64, url }] } = yield* Service.read(service, Generated, answer)
    if (typeof base64 === "string") return finished(yield* imageOfBase64(base64))
    // Servers that speak OpenAI's API may give a link in its place.
    if (typeof url === "string") return finished(yield* fetchImage(service, files, url))
    return yield* failure("invalid", "OpenAI gave no image.")
  })

  return { submit, ...withoutJobs }
}
