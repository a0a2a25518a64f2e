/**
 * One request to a provider's API, over a connection of its own: so it is known whether the request can have arrived. A
 * connection that is kept may be closed by the other side while a request is written to it, and nobody could tell whether an image is
 * being made, and paid. Redirects are not followed: a key goes to the configured address only.
 */
import type { ImageGenerator } from "@filedrive/core"
import { Deferred, Duration, Effect, type Redacted, type Scope } from "effect"
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from "node:http"
import { request as httpsRequest } from "node:https"
import { failure } from "../Failure.ts"
import { largeFrom, type Places } from "./Places.ts"

/** Most bytes of an answer without an image in it. */
const shortAnswerMaxBytes = 1024 * 1024

const headMaxBytes = 64 * 1024

/** From asking for the name's address to the end of TLS's handshake. */
const connectTimeout = Duration.seconds(10)

export interface Call {
  /** Where a large answer waits for its turn. */
  readonly large: Places
  /** Kept out of the log, whatever is answered. */
  readonly key: Redacted.Redacted<string>
  readonly method: "GET" | "POST" | "PUT"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON; undefined: nothing is sent. */
  readonly body?: unknown
  /** Most bytes of a successful answer. Default 1 MiB. */
  readonly maxBytes?: number
  /** From the start to the answer's last byte. */
  readonly timeout: Duration.Duration
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

interface Outcome {
  /** Calls back when a large answer may be read on. */
  readonly place: (then: () => void) => void
  readonly succeed: (answer: Answer) => void
  readonly fail: (failed: ImageGenerator.ImageFailure) => void
}

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException | undefined)?.code ?? "no code")

const isSuccess = (status: number) => status >= 200 && status < 300

/** Reads the body to its end, and no further than its limit. */
const readBody = (
  response: IncomingMessage,
  { key, maxBytes = shortAnswerMaxBytes }: Call,
  { fail, place, succeed }: Outcome
): void => {
  const { headers, statusCode: status = 0 } = response
  const limit = isSuccess(status) ? maxBytes : shortAnswerMaxBytes
  const chunks: Array<Buffer> = []
  let bytes = 0
  const cut = (error?: unknown) =>
    fail(
      failure("unavailable", "The connection was lost in the middle of the answer.", {
        told: { key, text: codeOf(error) }
      })
    )
  const coding = headers["content-encoding"] ?? "identity"
  if (coding !== "identity") {
    fail(failure("invalid", "The answer is compressed, although that was not asked for."))
    return
  }
  response.on("data", (chunk: Buffer) => {
    const wasLarge = bytes > largeFrom
    bytes += chunk.length
    if (bytes > limit) fail(failure("invalid", "The answer has too many bytes."))
    else chunks.push(chunk)
    if (wasLarge || bytes <= largeFrom) return
    response.pause()
    place(() => response.resume())
  })
  response.on("error", cut)
  response.on("end", () => {
    if (!response.complete) cut()
    else succeed({ status, headers, text: Buffer.concat(chunks, bytes).toString("utf8") })
  })
}

const open = ({ headers, method, url }: Call, payload: Buffer | undefined): ClientRequest =>
  (url.startsWith("https:") ? httpsRequest : httpRequest)(url, {
    method,
    agent: false,
    maxHeaderSize: headMaxBytes,
    headers: {
      accept: "application/json",
      "accept-encoding": "identity",
      "user-agent": "filedrive",
      ...(payload === undefined ? {} : { "content-type": "application/json", "content-length": payload.length }),
      ...headers
    }
  })

/** Null for an address or a header that Node refuses: its message may have the key. */
const opened = (call: Call, payload: Buffer | undefined): ClientRequest | null => {
  try {
    return open(call, payload)
  } catch {
    return null
  }
}

/**
 * Sends a request and reads its answer, whatever its status. Interruption closes the connection. The place of a large answer is held until
 * the scope closes.
 */
export const exchange = (call: Call): Effect.Effect<Answer, ImageGenerator.ImageFailure, Scope.Scope> =>
  Effect.gen(function*() {
    let giveBack = () => {}
    yield* Effect.addFinalizer(() => Effect.sync(() => giveBack()))
    const connected = Deferred.makeUnsafe<void>()
    let isConnected = false

    const answer = Effect.callback<Answer, ImageGenerator.ImageFailure>((resume) => {
      const payload = call.body === undefined ? undefined : Buffer.from(JSON.stringify(call.body))
      const request = opened(call, payload)
      if (request === null) {
        return resume(
          Effect.fail(failure("rejected", "The address or the key is not valid in HTTP.", { begun: false }))
        )
      }
      const outcome: Outcome = {
        place: (then) => {
          giveBack = call.large.take(then)
        },
        succeed: (found) => resume(Effect.succeed(found)),
        fail: (failed) => {
          resume(Effect.fail(failed))
          request.destroy()
        }
      }
      request.on("socket", (socket) => {
        // Nothing is sent before: so a request on a connection that was not made has not begun anything.
        socket.once(call.url.startsWith("https:") ? "secureConnect" : "connect", () => {
          isConnected = true
          Deferred.doneUnsafe(connected, Effect.void)
        })
      })
      request.on("response", (response) => readBody(response, call, outcome))
      request.on("error", (error) => {
        const code = codeOf(error)
        const told = { key: call.key, text: code }
        outcome.fail(
          code.startsWith("HPE_")
            ? failure("invalid", "The answer is not HTTP.", { told })
            : isConnected
            ? failure("unavailable", "The connection was lost.", { told })
            : failure("unavailable", "No connection could be made.", { begun: false, told })
        )
      })
      request.end(payload)
      return Effect.sync(() => void request.destroy())
    })

    const unconnected = Deferred.await(connected).pipe(
      Effect.timeoutOrElse({
        duration: connectTimeout,
        orElse: () => Effect.fail(failure("unavailable", "No connection could be made in time.", { begun: false }))
      }),
      Effect.andThen(Effect.never)
    )

    return yield* Effect.raceFirst(answer, unconnected).pipe(
      Effect.timeoutOrElse({
        duration: call.timeout,
        orElse: () => Effect.fail(failure("unavailable", "The answer did not come in time."))
      })
    )
  })
