/**
 * The body of a request: at most 4 MiB of JSON in UTF-8, read within 30 seconds.
 *
 * Contract: "Errors", `invalid_body`.
 */
import { ByteSize, Context, Duration, Effect } from "effect"
import { HttpIncomingMessage, type HttpServerError, type HttpServerRequest } from "effect/http"
import * as Limits from "../limits/Limits.ts"
import { BadRequest } from "./ApiError.ts"

/** How long a caller may take to send its body. */
export const bodyReadLifetime = Duration.seconds(30)

const maxSize = ByteSize.bytes(Limits.requestBodyMaxBytes)

/**
 * Reads the bytes of a body, up to 4 MiB of them and within
 * {@link bodyReadLifetime}. A host that has the bytes already (a body parser
 * came first), or a faster way to them, brings its own.
 */
export const BodyReader = Context.Reference<
  (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<
    ArrayBuffer | Uint8Array,
    HttpServerError.HttpServerError | "slow"
  >
>("@filedrive/core/http/RequestBody/BodyReader", {
  defaultValue: () => (request) =>
    Effect.timeoutOrElse(Effect.provideService(request.arrayBuffer, HttpIncomingMessage.MaxBodySize, maxSize), {
      duration: bodyReadLifetime,
      orElse: () => Effect.fail("slow" as const)
    })
})

const invalid = (error: string) => new BadRequest({ error, code: "invalid_body", retryable: false })

const tooLarge = () => invalid(`The body is larger than ${Limits.requestBodyMaxBytes} bytes; send less in one call.`)

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The text of the body, empty when there is none. Fails with `invalid_body`. */
export const readText = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
  const { headers } = request
  const length = headers["content-length"]
  if (length === "0") return ""
  if (length !== undefined && Number(length) > Limits.requestBodyMaxBytes) return yield* tooLarge()
  const encoding = headers["content-encoding"]
  if (encoding !== undefined && encoding !== "identity") return yield* invalid("Send the body without compression.")

  const read = yield* BodyReader
  const bytes = yield* Effect.mapError(read(request), (error) =>
    error === "slow"
      ? invalid("The body took too long to arrive.")
      : error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
      ? tooLarge()
      : invalid("The body could not be read."))
  if (bytes.byteLength === 0) return ""
  return yield* decoded(bytes)
})

const decoded = (bytes: ArrayBuffer | Uint8Array): Effect.Effect<string, BadRequest> => {
  try {
    return Effect.succeed(utf8.decode(bytes))
  } catch {
    return Effect.fail(invalid("The body is not valid UTF-8."))
  }
}

/** The JSON value in `text`. Fails with `invalid_body`. */
export const parse = (text: string): Effect.Effect<unknown, BadRequest> => {
  try {
    return Effect.succeed(JSON.parse(text))
  } catch {
    return Effect.fail(invalid("The body is not valid JSON."))
  }
}

/** {@link parse}, where the request also says that it is JSON, or says nothing of it. */
export const parseTyped = (
  text: string,
  { headers }: HttpServerRequest.HttpServerRequest
): Effect.Effect<unknown, BadRequest> =>
  text === "" || isJson(headers["content-type"])
    ? parse(text)
    : Effect.fail(invalid("Send the body as JSON, with the content type application/json."))

const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || contentType === "application/json" ||
  /^application\/(?:json|[\w.!#$&^-]+\+json)\s*(?:;|$)/i.test(contentType)

/** Fails with `invalid_body` unless `value` is of the shape a route takes. */
export const shaped = (value: unknown, shape: "object" | "array"): Effect.Effect<unknown, BadRequest> =>
  typeof value === "object" && value !== null && Array.isArray(value) === (shape === "array")
    ? Effect.succeed(value)
    : Effect.fail(invalid(`The body must be a JSON ${shape}.`))

/**
 * The path to the first string (or key) that no UTF-8 text can hold: a lone
 * surrogate or a NUL, which only escapes can bring in.
 */
export const unstorable = (
  value: unknown,
  path: ReadonlyArray<PropertyKey> = []
): ReadonlyArray<PropertyKey> | undefined => {
  if (typeof value === "string") return isStorable(value) ? undefined : path
  if (Array.isArray(value)) return firstOf(value.entries(), path)
  if (typeof value === "object" && value !== null) return firstOf(Object.entries(value), path)
  return undefined
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\u0000")

const firstOf = (entries: Iterable<[PropertyKey, unknown]>, path: ReadonlyArray<PropertyKey>) => {
  for (const [key, value] of entries) {
    const at = [...path, key]
    if (typeof key === "string" && !isStorable(key)) return path
    const found = unstorable(value, at)
    if (found !== undefined) return found
  }
  return undefined
}
