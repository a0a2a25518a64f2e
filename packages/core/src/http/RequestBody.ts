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

export const invalid = (error: string): BadRequest => new BadRequest({ error, code: "invalid_body", retryable: false })

const tooLarge = () => invalid(`The body is larger than ${Limits.requestBodyMaxBytes} bytes; send less in one call.`)

const utf8 = new TextDecoder("utf-8", { fatal: true })

const empty = Effect.succeed("")

/** The text of the body, empty when there is none. Fails with `invalid_body`. */
export const readText = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string, BadRequest> =>
  Effect.withFiber((fiber) => {
    const { headers } = request
    const length = headers["content-length"]
    if (length === "0") return empty
    if (length !== undefined && Number(length) > Limits.requestBodyMaxBytes) return Effect.fail(tooLarge())
    const encoding = headers["content-encoding"]
    if (encoding !== undefined && encoding !== "identity") {
      return Effect.fail(invalid("Send the body without compression."))
    }
    return Effect.matchEffect(fiber.getRef(BodyReader)(request), { onSuccess: decoded, onFailure: unread })
  })

const decoded = (bytes: ArrayBuffer | Uint8Array): Effect.Effect<string, BadRequest> => {
  if (bytes.byteLength === 0) return empty
  try {
    return Effect.succeed(utf8.decode(bytes))
  } catch {
    return Effect.fail(invalid("The body is not valid UTF-8."))
  }
}

const unread = (error: HttpServerError.HttpServerError | "slow") =>
  Effect.fail(
    error === "slow"
      ? invalid("The body took too long to arrive.")
      : error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
      ? tooLarge()
      : invalid("The body could not be read.")
  )
