/**
 * `fluxKreaDev`, `seedream4` and, without a key of Black Forest Labs, `flux2Pro` by fal's queue: a request is queued under an id, which is
 * looked at until it is completed and can be cancelled; the image is behind a link. Not by the AI SDK: that waits for fal's synchronous
 * API, whose jobs have no id to come back to and can't be cancelled.
 */
import type { ImageGenerator, RemoteFile } from "@filedrive/core"
import { Duration, Effect, Schema } from "effect"
import { failure } from "../Failure.ts"
import type { Answer } from "../http/Exchange.ts"
import { Places } from "../http/Places.ts"
import { fetchImage } from "../http/ResultLink.ts"
import * as Service from "../http/Service.ts"
import { answerMaxBytes } from "../ImageBytes.ts"
import { finished, JobId, linkMaxLength, type Provider } from "../Provider.ts"
import { fourMegapixels, oneMegapixel, type Size } from "../Sizes.ts"

const at = "fal"

/** Of its hosts: `queue.fal.run`, `fal.run`. */
const domain = "fal.run"

const pollAfter = Duration.seconds(1)

const optional = <A>(schema: Schema.Codec<A>) => Schema.optional(Schema.NullOr(schema))

/** The queue's answer; or the model's own, from an address that is that of fal's synchronous API. */
const Accepted = Schema.Struct({
  request_id: optional(JobId),
  status_url: optional(Schema.String),
  response_url: optional(Schema.String),
  cancel_url: optional(Schema.String),
  images: optional(Schema.Unknown)
})

const Status = Schema.Struct({
  status: Schema.String,
  error: optional(Schema.Unknown),
  error_type: optional(Schema.String)
})

const Drawn = Schema.Struct({
  images: Schema.NonEmptyArray(Schema.Struct({ url: Schema.String })),
  has_nsfw_concepts: optional(Schema.Array(Schema.Boolean))
})

const Link = Schema.NullOr(Schema.String)
const Job = Schema.fromJsonString(
  Schema.Struct({ at: Schema.Literal(at), id: JobId, app: Schema.String, status: Link, response: Link, cancel: Link })
)
const decodeJob = Schema.decodeUnknownEffect(Job)
type Job = typeof Job.Type

const decodeError = Schema.decodeUnknownOption(
  Schema.Struct({ detail: Schema.Array(Schema.Struct({ type: optional(Schema.String) })) })
)

/** By the types of https://docs.fal.ai/errors. */
const reasonOf = (answer: Answer): ImageGenerator.ImageReason | null => {
  const found = decodeError(Service.jsonOf(answer))
  if (found._tag === "None") return null
  return found.value.detail.some(({ type }) => type === "content_policy_violation") ? "moderated" : null
}

interface Model {
  readonly path: string
  readonly input: (size: Size) => Readonly<Record<string, unknown>>
  readonly sizes: Readonly<Record<ImageGenerator.AspectRatio, Size>>
}

const models: Partial<Record<ImageGenerator.ImageModel, Model>> = {
  fluxKreaDev: {
    path: "fal-ai/flux/krea",
    sizes: oneMegapixel,
    input: (size) => ({ image_size: size, num_images: 1, output_format: "png" })
  },
  flux2Pro: {
    path: "fal-ai/flux-2-pro",
    sizes: oneMegapixel,
    input: (size) => ({ image_size: size, output_format: "png" })
  },
  seedream4: {
    path: "fal-ai/bytedance/seedream/v4/text-to-image",
    sizes: fourMegapixels,
    input: (size) => ({ image_size: size, num_images: 1, max_images: 1 })
  }
}

/** Owner and app: what a model's requests are looked at below, without the rest of its path. */
const appOf = (path: string) => path.split("/").slice(0, 2).join("/")

export const make = (access: Service.ProviderAccess, files: RemoteFile.RemoteFile["Service"]): Provider => {
  const service: Service.Service = {
    name: "fal",
    baseUrl: Service.baseUrlOf(access, "https://queue.fal.run"),
    apiKey: Service.keyOf(access),
    large: new Places(),
    headers: (apiKey) => ({ authorization: `Key ${apiKey}` })
  }

  const kept = (url: string | null | undefined): string | null =>
    typeof url === "string" && url.length <= linkMaxLength && Service.isOwnLink(service, url, domain) ? url : null

  /** The queue's links, or where its documentation says they lead: a link to another server is not followed with the key. */
  const linkOf = ({ app, id, ...links }: Job, what: "status" | "response" | "cancel"): string =>
    kept(links[what]) ?? `${service.baseUrl}/${app}/requests/${id}${what === "response" ? "" : `/${what}`}`

  const imageIn = Effect.fnUntraced(function*(answer: Answer) {
    const { has_nsfw_concepts: nsfw, images: [{ url }] } = yield* Service.read(service, Drawn, answer)
    // The image is black then.
    if (nsfw?.[0] === true) return yield* failure("moderated", "fal's safety checker blackened the image.")
    return finished(yield* fetchImage(service, files, url))
  })

  const submit = Effect.fnUntraced(function*({ aspectRatio, model, prompt }: ImageGenerator.ImageRequest) {
    const { input, path, sizes } = models[model]!
    const answer = yield* Service.ask(service, {
      method: "POST",
      url: `${service.baseUrl}/${path}`,
      body: { prompt, ...input(sizes[aspectRatio]) },
      maxBytes: answerMaxBytes,
      timeout: Service.submitTimeout
    })
    if (!Service.isSuccess(answer)) return yield* Service.refusal(service, answer, reasonOf(answer))
    const accepted = yield* Service.read(service, Accepted, answer)
    if (accepted.images != null) return yield* imageIn(answer)
    const { cancel_url: cancel, request_id: id, response_url: response, status_url: status } = accepted
    if (typeof id !== "string") {
      return yield* failure("invalid", "There is no request id.", { told: Service.said(service, answer) })
    }
    const job: Job = {
      at,
      id,
      app: appOf(path),
      status: kept(status),
      response: kept(response),
      cancel: kept(cancel)
    }
    return { _tag: "Submitted", job: JSON.stringify(job) } as const
  })

  const readJob = (job: string) => Effect.mapError(decodeJob(job), () => failure("lost", "The job can't be read."))

  const poll = Effect.fnUntraced(function*(text: string) {
    const job = yield* readJob(text)
    const looked = yield* Service.look(service, linkOf(job, "status"))
    const { error, error_type: type, status } = yield* Service.read(service, Status, looked)
    if (/fail|error|cancel/i.test(status)) {
      return yield* failure("unavailable", "The request has failed.", { told: Service.said(service, looked) })
    }
    if (status !== "COMPLETED") return { _tag: "Pending", pollAfter } as const
    // What the model answered, or what became of the request in the queue.
    const answer = yield* Service.look(service, linkOf(job, "response"), {
      maxBytes: answerMaxBytes,
      reasonIn: reasonOf
    })
    if (error != null || type != null) {
      return yield* failure("unavailable", "The request has failed.", { told: Service.said(service, looked) })
    }
    return yield* imageIn(answer)
  })

  const cancel = (text: string) =>
    Effect.gen(function*() {
      const job = yield* readJob(text)
      yield* Service.ask(service, { method: "PUT", url: linkOf(job, "cancel"), timeout: Service.cancelTimeout })
    }).pipe(
      Effect.scoped,
      Effect.catch((failed) => Effect.logDebug("A job at fal could not be cancelled.", failed))
    )

  return { submit, poll: (job) => Service.looking(poll(job)), cancel }
}
