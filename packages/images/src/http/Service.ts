/** A provider's API: its address, its key, and what its answers mean where all providers agree. */
import { ImageGenerator } from "@filedrive/core"
import { Clock, Duration, Effect, Redacted, Schedule, Schema, type Scope } from "effect"
import { failure, type Told } from "../Failure.ts"
import { type Answer, type Call, exchange } from "./Exchange.ts"
import type { Places } from "./Places.ts"

/** The host's access to a provider. */
export interface ProviderAccess {
  readonly apiKey: string | Redacted.Redacted<string>
  /** Address of the API with its version, without a slash at the end. Default: the provider's own. */
  readonly baseUrl?: string | undefined
}

export interface Service {
  /** For the log. */
  readonly name: string
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted<string>
  readonly large: Places
  /** The header that has the key. */
  readonly headers: (apiKey: string) => Readonly<Record<string, string>>
}

export const keyOf = ({ apiKey }: ProviderAccess): Redacted.Redacted<string> =>
  Redacted.isRedacted(apiKey) ? apiKey : Redacted.make(apiKey)

/** The address that the host gave, or the provider's own. */
export const baseUrlOf = ({ baseUrl }: ProviderAccess, own: string): string => (baseUrl ?? own).replace(/\/+$/, "")

/** Within what the drive gives to a submission (100 seconds) and to a look (30 seconds). */
export const submitTimeout = Duration.seconds(100)
export const pollTimeout = Duration.seconds(25)
export const cancelTimeout = Duration.seconds(10)

export type Request = Omit<Call, "headers" | "key" | "large">

/** Sends a request with the service's key. */
export const ask = (
  { apiKey, headers, large }: Service,
  request: Request
): Effect.Effect<Answer, ImageGenerator.ImageFailure, Scope.Scope> =>
  Effect.suspend(() => exchange({ ...request, key: apiKey, large, headers: headers(Redacted.value(apiKey)) }))

/** Repeats what only reads and failed for now, twice, a second apart. */
export const retryRead = <A, R>(
  read: Effect.Effect<A, ImageGenerator.ImageFailure, R>
): Effect.Effect<A, ImageGenerator.ImageFailure, R> =>
  Effect.retry(read, {
    while: ({ reason }) => reason === "unavailable",
    times: 2,
    schedule: Schedule.spaced("1 second")
  })

export const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300

/** The answer's JSON, or undefined. */
export const jsonOf = ({ text }: Answer): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // Reported by who needed it, with the text.
    return undefined
  }
}

/** For the log: what a service said. */
export const told = ({ apiKey, name }: Service, text: string): Told => ({ key: apiKey, text: `${name}: ${text}` })

/** For the log: what a service answered. */
export const said = (service: Service, { status, text }: Answer): Told => told(service, `${status} ${text}`)

/** Reads a successful answer. Fails with `invalid` when it has another form. */
export const read = <A>(service: Service, schema: Schema.Codec<A>, answer: Answer) => {
  const json = jsonOf(answer)
  return Schema.decodeUnknownEffect(schema)(json).pipe(
    Effect.mapError(() =>
      failure("invalid", "The provider gave an answer of another form.", { told: said(service, answer) })
    )
  )
}

const retryAfterMax = Duration.hours(1)

/** `Retry-After` as seconds or as a time of day (RFC 9110, 10.2.3); null without one that can be read. */
const retryAfter = ({ headers }: Answer): Effect.Effect<Duration.Duration | null> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const text = headers["retry-after"]?.trim() ?? ""
    const millis = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now
    return Number.isNaN(millis) ? null : Duration.min(Duration.millis(Math.max(0, millis)), retryAfterMax)
  })

/** What a status means whose body says nothing better. */
const reasonOf = (status: number): ImageGenerator.ImageReason => {
  if ([401, 402, 403].includes(status)) return "notPaid"
  if (status === 429) return "busy"
  if (status === 408 || status >= 500) return "unavailable"
  return status >= 400 ? "rejected" : "invalid"
}

type Reason = ImageGenerator.ImageReason | null

/**
 * The failure of an answer that is no success. `reason`: what its body says, null where the status decides. A host that has to pay first
 * and one that asks too often are refused before any work.
 */
export const refusal = Effect.fnUntraced(function*(
  service: Service,
  answer: Answer,
  reason: Reason
): Effect.fn.Return<never, ImageGenerator.ImageFailure> {
  const meant = reason ?? reasonOf(answer.status)
  return yield* failure(meant, "The provider refused.", {
    told: said(service, answer),
    begun: meant !== "busy" && meant !== "notPaid",
    retryAfter: yield* retryAfter(answer)
  })
})

/** Looks at a job: 404 says that it is not known. */
export const look = Effect.fnUntraced(function*(
  service: Service,
  url: string,
  { maxBytes, reasonIn = () => null }: { readonly maxBytes?: number; readonly reasonIn?: (answer: Answer) => Reason } =
    {}
) {
  const answer = yield* ask(service, {
    method: "GET",
    url,
    timeout: pollTimeout,
    ...(maxBytes === undefined ? {} : { maxBytes })
  })
  if (isSuccess(answer)) return answer
  return yield* refusal(service, answer, reasonIn(answer) ?? (answer.status === 404 ? "lost" : null))
})

/** One look at a job and its image, in its time. The job was begun, whatever the look fails with. */
export const looking = (
  poll: Effect.Effect<ImageGenerator.Progress, ImageGenerator.ImageFailure, Scope.Scope>
): Effect.Effect<ImageGenerator.Progress, ImageGenerator.ImageFailure, Scope.Scope> =>
  poll.pipe(
    Effect.timeoutOrElse({
      duration: pollTimeout,
      orElse: () => Effect.fail(failure("unavailable", "The job and its image did not come in time."))
    }),
    Effect.mapError(({ cause, reason, retryAfter }) =>
      new ImageGenerator.ImageFailure({ reason, begun: true, retryAfter, cause })
    )
  )

/**
 * Whether a link of a provider leads to its own API, so that the key may go there: to the configured origin, or, by TLS, to another host
 * of the provider's domain while the configured one is in it.
 */
export const isOwnLink = ({ apiKey, baseUrl }: Service, link: string, domain: string): boolean => {
  // What is kept of a job has no secret in it.
  if (link.includes(Redacted.value(apiKey))) return false
  const base = URL.parse(baseUrl)
  const url = URL.parse(link)
  if (base === null || url === null || url.username !== "" || url.password !== "") return false
  if (url.origin === base.origin) return true
  const isOf = ({ hostname, port, protocol }: URL) =>
    protocol === "https:" && port === "" && hostname.endsWith(`.${domain}`)
  return isOf(base) && isOf(url)
}
