/**
 * Stores a stream of known length by a signed PUT over `node:http`.
 *
 * Not by the SDK: it sends a stream in chunks with a trailer, which Ceph and
 * others refuse, and it doesn't notice when the stream fails half-way.
 */
import type { DriveError } from "@filedrive/core"
import { Deferred, Effect, type Scope, Stream } from "effect"
import { type ClientRequest, type IncomingMessage, request as httpRequest } from "node:http"
import { request as httpsRequest } from "node:https"
import { S3Failure, storageUnavailable } from "./S3Failure.ts"

/** A body that stalls for so long is cut, and so is the wait for its answer. */
const idleMillis = 60_000
const errorBodyMaxLength = 4_096

export interface OpenPut {
  /** Ready for exactly the announced bytes; destroying it stores nothing. */
  readonly request: ClientRequest
  /** Waits for the store's answer, which may come before the last byte. When the bytes are stored: their etag, as it was sent. */
  readonly stored: Effect.Effect<string | undefined, S3Failure>
}

const failure = (status: number | undefined, code: string) => new S3Failure({ operation: "PutObject", status, code })

/** Reads a response to its end; returns the code of an error. */
const answerOf = (response: IncomingMessage, done: (answer: Effect.Effect<string | undefined, S3Failure>) => void) => {
  const status = response.statusCode ?? 0
  let text = ""
  response.setEncoding("utf8")
  response.on("data", (chunk: string) => {
    if (text.length < errorBodyMaxLength) text += chunk
  })
  response.on("error", (error) => done(Effect.fail(failure(status, error.message))))
  response.on("end", () => {
    const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? "UnknownError"
    done(status === 200 ? Effect.succeed(response.headers.etag) : Effect.fail(failure(status, code)))
  })
}

/**
 * Opens a PUT. Its connection is its own and closes with the scope: a kept one
 * may be dead already, and a stream can't be sent twice.
 */
export const openPut = (put: {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly sizeBytes: number
}): Effect.Effect<OpenPut, never, Scope.Scope> =>
  Effect.gen(function*() {
    const answer = yield* Deferred.make<string | undefined, S3Failure>()
    const done = (outcome: Effect.Effect<string | undefined, S3Failure>) => void Deferred.doneUnsafe(answer, outcome)
    const open = put.url.startsWith("https:") ? httpsRequest : httpRequest
    const request = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const request = open(put.url, {
          method: "PUT",
          headers: { ...put.headers, "Content-Length": put.sizeBytes },
          agent: false
        })
        request.setTimeout(idleMillis, () => request.destroy(new Error("the connection was idle")))
        request.on("response", (response) => answerOf(response, done))
        request.on("error", (error) => done(Effect.fail(failure(undefined, error.message))))
        return request
      }),
      (request) => Effect.sync(() => void request.destroy())
    )
    return { request, stored: Deferred.await(answer) }
  })

const write = (request: ClientRequest, chunk: Uint8Array) =>
  Effect.callback<void>((resume) => {
    const goOn = () => resume(Effect.void)
    if (request.write(chunk)) return goOn()
    request.once("drain", goOn)
    return Effect.sync(() => void request.off("drain", goOn))
  })

const wrongLength = (sizeBytes: number) =>
  storageUnavailable(new Error(`PutObject: the body is not of the ${sizeBytes} bytes announced`))

/**
 * Stores `body`, pulled as fast as the store takes it. The last chunk is held
 * back until the body has ended, so a body of another length never arrives whole.
 * Returns the etag, as it was sent.
 */
export const signedPut = <E>(put: {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly sizeBytes: number
  readonly body: Stream.Stream<Uint8Array, E>
}): Effect.Effect<string | undefined, DriveError.Unavailable | E> =>
  Effect.scoped(Effect.gen(function*() {
    const { request, stored } = yield* openPut(put)
    const answered = Effect.mapError(stored, storageUnavailable)
    const send = Effect.gen(function*() {
      let held: Uint8Array | undefined
      let sizeBytes = 0
      yield* Stream.runForEach(put.body, (chunk) => {
        sizeBytes += chunk.length
        if (sizeBytes > put.sizeBytes) return Effect.fail(wrongLength(put.sizeBytes))
        const ready = held
        held = chunk
        return ready === undefined ? Effect.void : write(request, ready)
      })
      if (sizeBytes !== put.sizeBytes) return yield* wrongLength(put.sizeBytes)
      request.end(held)
      return yield* answered
    })
    return yield* Effect.raceFirst(send, answered)
  }))
