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

/**
 * Reads the bytes of a body, up to `maxBytes` of them and within
 * {@link bodyReadLifetime}. A host that has the bytes already (a body parser
 * came first), or a faster way to them, brings its own.
 */
export const BodyReader = Context.Reference<
  (request: HttpServerRequest.HttpServerRequest, maxBytes: number) => Effect.Effect<
    ArrayBuffer | Uint8Array,
    HttpServerError.HttpServerError | "slow"
  >
>("@filedrive/core/http/RequestBody/BodyReader", {
  defaultValue: () => (request, maxBytes) =>
    Effect.timeoutOrElse(
      Effect.provideService(request.arrayBuffer, HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxBytes)),
      { duration: bodyReadLifetime, orElse: () => Effect.fail("slow" as const) }
    )
})

export const invalid = (error: string): BadRequest => new BadRequest({ error, code: "invalid_body", retryable: false })

const tooLarge = (maxBytes: number) => invalid(`The body is larger than ${maxBytes} bytes; send less in one call.`)

const utf8 = new TextDecoder("utf-8", { fatal: true })

const empty = Effect.succeed("")

/** The text of the body, empty when there is none. Fails with `invalid_body`. No more than `maxBytes` are in memory. */
export const readText = (
  request: HttpServerRequest.HttpServerRequest,
  maxBytes: number = Limits.requestBodyMaxBytes
): Effect.Effect<string, BadRequest> =>
  Effect.withFiber((fiber) => {
    const { headers } = request
    const length = headers["content-length"]
    if (length === "0") return empty
    if (length !== undefined && Number(length) > maxBytes) return Effect.fail(tooLarge(maxBytes))
    const encoding = headers["content-encoding"]
    if (encoding !== undefined && encoding !== "identity") {
      return Effect.fail(invalid("Send the body without compression."))
    }
    return Effect.matchEffect(fiber.getRef(BodyReader)(request, maxBytes), {
      // A host that has read it already may have more.
      onSuccess: (bytes) => bytes.byteLength > maxBytes ? Effect.fail(tooLarge(maxBytes)) : decoded(bytes),
      onFailure: (error) => unread(error, maxBytes)
    })
  })

const decoded = (bytes: ArrayBuffer | Uint8Array): Effect.Effect<string, BadRequest> => {
  if (bytes.byteLength === 0) return empty
  try {
    return Effect.succeed(utf8.decode(bytes))
  } catch {
    return Effect.fail(invalid("The body is not valid UTF-8."))
  }
}

const unread = (error: HttpServerError.HttpServerError | "slow", maxBytes: number) =>
  Effect.fail(
    error === "slow"
      ? invalid("The body took too long to arrive.")
      : error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
      ? tooLarge(maxBytes)
      : invalid("The body could not be read.")
  )
