/** Sends the answers of the API on `node:http` by the drive's own writer, so that they arrive behind any middleware of the host. */
import { Effect, Stream } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http"
import { toIncomingMessage, toServerResponse } from "./NodeHandler.ts"
import { begin, ResponseWriter } from "./ResponseWriter.ts"

type App = Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>

/** With more than this left of an unread body, the connection is closed instead of reading the rest. */
const restMaxBytes = 256 * 1024

const closesConnection = (request: IncomingMessage): boolean =>
  !request.complete && Number(request.headers["content-length"] ?? 0) > restMaxBytes

/** Resolves when the answer has ended or its client is gone: middleware may end it later than the drive does. */
const ended = (response: ServerResponse): Effect.Effect<void> =>
  response.writableEnded || response.destroyed ? Effect.void : Effect.callback((resume) => {
    const done = () => {
      response.off("finish", done).off("close", done)
      resume(Effect.void)
    }
    response.on("finish", done).on("close", done)
  })

const stream = (
  writer: ResponseWriter,
  body: Stream.Stream<Uint8Array, unknown>,
  flushes: boolean
): Effect.Effect<void> =>
  body.pipe(
    Stream.orDie,
    Stream.runForEachArray((chunks) => {
      const behind = writer.write(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
      if (flushes) writer.flush()
      return behind === undefined ? Effect.void : Effect.promise(() => behind)
    })
  )

const isFeed = ({ headers }: HttpServerResponse.HttpServerResponse): boolean =>
  (headers["content-type"] ?? "").startsWith("text/event-stream")

const send = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const { body, status } = response
  // The drive makes no others.
  if (body._tag === "Raw" || body._tag === "FormData") return Effect.succeed(response)
  const [received, node] = [toIncomingMessage(request), toServerResponse(request)]
  const headers: OutgoingHttpHeaders = { ...response.headers }
  if (status === 204 || status === 205) delete headers["content-length"]
  if (body._tag !== "Stream" && closesConnection(received)) headers["connection"] = "close"
  if (!begin(node, status, headers)) return Effect.succeed(response)
  const writer = new ResponseWriter(node)
  if (body._tag === "Empty" || request.method === "HEAD" || HttpServerResponse.omitsBody(response)) writer.end()
  else if (body._tag === "Uint8Array") writer.end(body.text ?? body.body)
  else {
    return stream(writer, body.stream, isFeed(response)).pipe(
      Effect.andThen(Effect.suspend(() => {
        writer.end()
        return ended(node)
      })),
      Effect.interruptible,
      // The part that was sent must not look complete.
      Effect.onError(() => Effect.sync(() => node.destroy())),
      Effect.as(response)
    )
  }
  return node.writableEnded ? Effect.succeed(response) : Effect.as(Effect.interruptible(ended(node)), response)
}

/** The app with answers that are sent after all other handlers of the response have run: Effect's own handler finds each answer ended. */
export const sending = (app: App): App =>
  Effect.flatMap(app, (response) => Effect.as(HttpEffect.appendPreResponseHandler(send), response))
