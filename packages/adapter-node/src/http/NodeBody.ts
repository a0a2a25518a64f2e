/** Reads JSON bodies straight from Node's stream, or uses the result of a body parser before the drive. */
import { RequestBody } from "@filedrive/core"
import { Duration, Effect, Layer } from "effect"
import { HttpServerError, type HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"
import { toIncomingMessage, toServerResponse } from "./NodeHandler.ts"
import { type HostRequest, parsedBody } from "./ParsedBody.ts"

type Collected =
  | { readonly _tag: "whole"; readonly bytes: Uint8Array }
  | { readonly _tag: "large" | "slow" }
  | { readonly _tag: "broken"; readonly cause: unknown }

const lifetimeMillis = Duration.toMillis(RequestBody.bodyReadLifetime)

/**
 * Passes what is left in a stream to `done`, once. Bytes over `maxBytes` are not
 * kept. Returns a function that stops it before.
 */
const collect = (source: IncomingMessage, maxBytes: number, done: (collected: Collected) => void): () => void => {
  const chunks: Array<Buffer> = []
  let length = 0
  const stop = () => {
    clearTimeout(timer)
    source.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose)
    source.pause()
  }
  const settle = (collected: Collected) => {
    stop()
    done(collected)
  }
  const onData = (chunk: Buffer) => {
    length += chunk.length
    if (length > maxBytes) return settle({ _tag: "large" })
    chunks.push(chunk)
  }
  const onEnd = () => settle({ _tag: "whole", bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length) })
  const onError = (cause: unknown) => settle({ _tag: "broken", cause })
  const onClose = () => onError(new Error("The connection closed before the body ended."))
  const timer = setTimeout(() => settle({ _tag: "slow" }), lifetimeMillis)
  source.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose)
  return stop
}

const failed = (request: HttpServerRequest.HttpServerRequest, reason: "Parse" | "BodyTooLarge", cause?: unknown) =>
  new HttpServerError.HttpServerError({ reason: new HttpServerError.RequestParseError({ request, reason, cause }) })

const fromStream = (source: IncomingMessage, request: HttpServerRequest.HttpServerRequest, maxBytes: number) =>
  Effect.callback<Uint8Array, HttpServerError.HttpServerError | "slow">((resume) => {
    const stop = collect(source, maxBytes, (collected) => {
      switch (collected._tag) {
        case "whole":
          return resume(Effect.succeed(collected.bytes))
        case "slow":
          // The rest is not waited for: the connection closes with the answer.
          toServerResponse(request).setHeader("connection", "close")
          return resume(Effect.fail("slow"))
        case "large":
          return resume(Effect.fail(failed(request, "BodyTooLarge")))
        case "broken":
          return resume(Effect.fail(failed(request, "Parse", collected.cause)))
      }
    })
    return Effect.sync(stop)
  })

const nothing = Effect.succeed(new Uint8Array(0))

const read = (request: HttpServerRequest.HttpServerRequest, maxBytes: number) => {
  const source = toIncomingMessage(request) as HostRequest
  const parsed = parsedBody(source)
  switch (parsed._tag) {
    case "none":
      return source.readableEnded ? nothing : fromStream(source, request, maxBytes)
    case "gone":
      return Effect.die(
        new Error(
          "Something before the drive read a request's body and left it neither in req.body nor in req.rawBody."
        )
      )
    default:
      return Effect.succeed(parsed.bytes)
  }
}

export const layer: Layer.Layer<never> = Layer.succeed(RequestBody.BodyReader, read)
