/**
 * Calls of a language model's provider: one POST of JSON, its answer, and its failures in the words of `AiError`. A failure that may pass
 * is tried again twice, after the time that the provider names or a few seconds.
 */
import { Data, Duration, Effect, Layer, Option, Random, Redacted, Stream } from "effect"
import { AiError } from "effect/ai"
import { FetchHttpClient, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"

export interface ProviderOptions {
  /** With the path of the version, like `https://api.openai.com/v1`. */
  readonly baseUrl: string
  /** Null for a server that asks for none. */
  readonly apiKey: Redacted.Redacted<string> | null
  readonly model: string
  /** The longest that one attempt may take. Default 120 seconds. */
  readonly timeout?: Duration.Input
}

/** A call of one provider's. */
export interface ProviderCall {
  /** Of the provider's module, for errors. */
  readonly module: string
  /** Below the base URL. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
  /** What an error's body says, as far as the provider's errors have a form. */
  readonly errorOf: (body: unknown) => ProviderError
}

export interface ProviderError {
  readonly code: string
  readonly message: string
}

const defaultTimeout = Duration.minutes(2)

const attempts = 3

/** A provider that wants a longer pause is not waited for here: the failure says how long it takes. */
const pauseMax = Duration.seconds(20)

const pauses = [Duration.seconds(1), Duration.seconds(4)] as const

/** Codes of 429 and 403 that mean that nothing is left to spend, rather than that calls come too fast. */
const isQuota = (code: string) => /quota|billing|credit/.test(code)

const isPolicy = (code: string) => /content_filter|content_policy|moderation/.test(code)

/** `Retry-After` in seconds or as a date, and the milliseconds that some providers send instead. */
const retryAfterOf = (headers: Readonly<Record<string, string | undefined>>, nowMillis: number) => {
  const millis = Number(headers["retry-after-ms"])
  if (Number.isFinite(millis)) return Duration.millis(Math.max(0, millis))
  const text = headers["retry-after"]
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return Duration.seconds(Math.max(0, seconds))
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Duration.millis(Math.max(0, date - nowMillis))
}

/** What an answer with a status other than 200 means. */
const reasonOf = (
  status: number,
  { code, message }: ProviderError,
  retryAfter: Duration.Duration | undefined
): AiError.AiErrorReason => {
  const description = `HTTP ${status}${code === "" ? "" : ` ${code}`}: ${message}`
  if (isPolicy(code)) return new AiError.ContentPolicyError({ description })
  if ((status === 402 || status === 403 || status === 429) && isQuota(code)) return new AiError.QuotaExhaustedError({})
  if (status === 401) return new AiError.AuthenticationError({ kind: "InvalidKey", description })
  if (status === 403) return new AiError.AuthenticationError({ kind: "InsufficientPermissions", description })
  // 529 is Anthropic's word for being overloaded.
  if (status === 429 || status === 529 || (status === 503 && retryAfter !== undefined)) {
    return new AiError.RateLimitError(retryAfter === undefined ? {} : { retryAfter })
  }
  // 408 and 425 ask to be tried again.
  if (status >= 500 || status === 408 || status === 425) return new AiError.InternalProviderError({ description })
  // There is no such model, or the address is another's.
  if (status === 404) return new AiError.InvalidRequestError({ description, parameter: "model" })
  return new AiError.InvalidRequestError({ description })
}

/** The longest answer that is read, in bytes. */
const bodyMax = 8 * 1024 * 1024

class TooLong extends Data.TaggedError("TooLong") {}

class Unreadable extends Data.TaggedError("Unreadable") {}

/** The body as JSON. Ends the connection as soon as it is longer than {@link bodyMax}. */
const readJson = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<unknown, TooLong | Unreadable> => {
  const decoder = new TextDecoder()
  let length = 0
  let text = ""
  const reading = Stream.runForEach(response.stream, (chunk) => {
    length += chunk.byteLength
    if (length > bodyMax) return new TooLong()
    text += decoder.decode(chunk, { stream: true })
    return Effect.void
  })
  return reading.pipe(
    Effect.mapError((error) => error._tag === "TooLong" ? error : new Unreadable()),
    Effect.andThen(
      Effect.try({ try: () => JSON.parse(text + decoder.decode()) as unknown, catch: () => new Unreadable() })
    )
  )
}

/** The time that a failure asks for, if it does. */
const pauseOf = ({ reason }: AiError.AiError): Duration.Duration | undefined =>
  reason._tag === "RateLimitError" ? reason.retryAfter : undefined

/** Sends calls with these options. Each resolves to the answer's JSON. */
export const make = Effect.fnUntraced(function*({ apiKey, baseUrl, timeout = defaultTimeout }: ProviderOptions) {
  const http = yield* HttpClient.HttpClient
  const key = apiKey === null ? "" : Redacted.value(apiKey)

  /** What a provider says, for the log: some repeat the key that they were sent. */
  const told = (text: string, length: number) =>
    (key === "" ? text : text.replaceAll(key, "***")).replace(/\p{Cc}+/gu, " ").slice(0, length)

  const once = Effect.fnUntraced(function*({ body, errorOf, headers, module, path }: ProviderCall) {
    const fail = (reason: AiError.AiErrorReason) => AiError.make({ module, method: "generateText", reason })
    const lost = () => fail(new AiError.InternalProviderError({ description: "The provider did not answer." }))
    const request = HttpClientRequest.post(baseUrl.replace(/\/+$/, "") + path).pipe(
      HttpClientRequest.setHeaders(headers),
      HttpClientRequest.bodyJsonUnsafe(body)
    )
    // The cause may name the request's headers: it is not kept.
    const response = yield* Effect.mapError(http.execute(request), lost)
    if (response.status !== 200) {
      const nowMillis = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      const { code, message } = errorOf(yield* Effect.orElseSucceed(readJson(response), () => null))
      const error = { code: told(code, 100), message: told(message, 300) }
      return yield* fail(reasonOf(response.status, error, retryAfterOf(response.headers, nowMillis)))
    }
    return yield* Effect.mapError(
      readJson(response),
      ({ _tag }) =>
        fail(
          new AiError.InvalidOutputError({
            description: _tag === "TooLong"
              ? "The provider's answer has more than 8 MiB."
              : "The provider's answer ended early, or is not JSON."
          })
        )
    )
  })

  const attempt = (call: ProviderCall) =>
    Effect.timeoutOrElse(once(call), {
      duration: timeout,
      orElse: () =>
        Effect.fail(AiError.make({
          module: call.module,
          method: "generateText",
          reason: new AiError.InternalProviderError({ description: "The provider did not answer in time." })
        }))
    })

  /** Up to a quarter more, so that callers who failed together don't come back together. */
  const jittered = (pause: Duration.Duration) =>
    Effect.map(Random.next, (random) => Duration.times(pause, 1 + random / 4))

  const trying = (call: ProviderCall, failures: number): Effect.Effect<unknown, AiError.AiError> =>
    Effect.catch(attempt(call), (error) => {
      const pause = pauseOf(error) ?? pauses[failures] ?? pauseMax
      const isOver = failures + 1 >= attempts || !error.isRetryable || Duration.isGreaterThan(pause, pauseMax)
      return isOver
        ? Effect.fail(error)
        : Effect.andThen(
          Effect.flatMap(jittered(pause), Effect.sleep),
          Effect.suspend(() => trying(call, failures + 1))
        )
    })

  return (call: ProviderCall) => trying(call, 0)
})

/** The key in a header, if there is one. */
export const withKey = (
  apiKey: Redacted.Redacted<string> | null,
  header: (key: string) => Readonly<Record<string, string>>
): Readonly<Record<string, string>> =>
  Option.match(Option.fromNullOr(apiKey), { onNone: () => ({}), onSome: (key) => header(Redacted.value(key)) })

/** `fetch` without redirects: they would take the key to another server. */
export const fetchLayer: Layer.Layer<HttpClient.HttpClient> = FetchHttpClient.layer.pipe(
  Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "error" }))
)
