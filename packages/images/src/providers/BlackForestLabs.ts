/**
 * `flux2Pro` by the API of Black Forest Labs: a request makes a task, which is looked at until it is ready; the image is behind a link
 * that works for ten minutes. Not by the AI SDK: that forgets the task's id, and polls a moderated task until its time is over.
 */
import type { ImageGenerator, RemoteFile } from "@filedrive/core"
import { Duration, Effect, Schema } from "effect"
import { failure } from "../Failure.ts"
import { Places } from "../http/Places.ts"
import { fetchImage } from "../http/ResultLink.ts"
import * as Service from "../http/Service.ts"
import { finished, JobId, linkMaxLength, type Provider } from "../Provider.ts"
import { oneMegapixel } from "../Sizes.ts"

const at = "blackForestLabs"

/** Of the API's regional hosts: a request to `api.bfl.ai` is looked at on one of them. */
const domain = "bfl.ai"

const Begun = Schema.Struct({ id: JobId, polling_url: Schema.optional(Schema.NullOr(Schema.String)) })

const Looked = Schema.Struct({
  status: Schema.String,
  result: Schema.optional(Schema.Unknown)
})

const decodeResult = Schema.decodeUnknownOption(Schema.Struct({ sample: Schema.String }))

const Job = Schema.fromJsonString(
  Schema.Struct({ at: Schema.Literal(at), id: JobId, url: Schema.NullOr(Schema.String) })
)
const decodeJob = Schema.decodeUnknownEffect(Job)

const pollAfter = Duration.seconds(1)

/** What a status means that ends a task without an image; null while it goes on. New ones may come, so words decide. */
const reasonOf = (status: string): ImageGenerator.ImageReason | null => {
  if (/moderated/i.test(status)) return "moderated"
  if (/not found|expired/i.test(status)) return "lost"
  return /error|fail|cancel/i.test(status) ? "unavailable" : null
}

export const make = (access: Service.ProviderAccess, files: RemoteFile.RemoteFile["Service"]): Provider => {
  const service: Service.Service = {
    name: "Black Forest Labs",
    baseUrl: Service.baseUrlOf(access, "https://api.bfl.ai/v1"),
    apiKey: Service.keyOf(access),
    large: new Places(),
    headers: (apiKey) => ({ "x-key": apiKey })
  }

  const isKept = (url: string) => url.length <= linkMaxLength && Service.isOwnLink(service, url, domain)

  const submit = Effect.fnUntraced(function*({ aspectRatio, prompt }: ImageGenerator.ImageRequest) {
    const answer = yield* Service.ask(service, {
      method: "POST",
      url: `${service.baseUrl}/flux-2-pro`,
      body: { prompt, ...oneMegapixel[aspectRatio], output_format: "png" },
      timeout: Service.submitTimeout
    })
    if (!Service.isSuccess(answer)) return yield* Service.refusal(service, answer, null)
    const { id, polling_url: url } = yield* Service.read(service, Begun, answer)
    return {
      _tag: "Submitted",
      job: JSON.stringify({ at, id, url: typeof url === "string" && isKept(url) ? url : null })
    } as const
  })

  const poll = Effect.fnUntraced(function*(job: string) {
    const { id, url } = yield* Effect.mapError(decodeJob(job), () => failure("lost", "The job can't be read."))
    // A link that leads elsewhere is not followed with the key: the API's own address knows every task, too.
    const own = url !== null && isKept(url) ? url : `${service.baseUrl}/get_result?id=${id}`
    const answer = yield* Service.look(service, own)
    const { result, status } = yield* Service.read(service, Looked, answer)
    const reason = reasonOf(status)
    if (reason !== null) return yield* failure(reason, "The task has ended.", { told: Service.told(service, status) })
    if (status !== "Ready") return { _tag: "Pending", pollAfter } as const
    const found = decodeResult(result)
    if (found._tag === "None") return yield* failure("invalid", "Black Forest Labs gave no link to the image.")
    return finished(yield* fetchImage(service, files, found.value.sample))
  })

  // There is no route that ends a task.
  return { submit, poll: (job) => Service.looking(poll(job)), cancel: () => Effect.void }
}
