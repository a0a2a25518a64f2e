/** The body of an answer: what was stated of it, and its bytes as they come. */
import { RemoteFile } from "@filedrive/core"
import { Clock, Duration, Effect, Option, Stream } from "effect"
import { failureOf, type PinnedRequest } from "./PinnedRequest.ts"

/** Fewest bytes that must come while so long is waited; else the server stands still. */
const leastBytes = 16 * 1024

const invalid = (because: string) =>
  new RemoteFile.RemoteFailed({ reason: "invalid_answer", because, retryable: false })

const stalled = new RemoteFile.RemoteFailed({
  reason: "server_stalled",
  because: "The server stopped sending.",
  retryable: true
})

/**
 * Bytes of the body as its head states them, null when it doesn't. Fails for bodies that are coded: they were asked for as
 * they are, and what a few bytes unpack to nobody knows.
 */
export const statedBytes = Effect.fnUntraced(function*({ response }: PinnedRequest) {
  const { "content-encoding": encoding, "content-length": length, "transfer-encoding": transfer } = response.headers
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity" && encoding.trim() !== "") {
    return yield* invalid("The server sends the file compressed, although asked not to.")
  }
  if (transfer !== undefined) {
    if (transfer.trim().toLowerCase() !== "chunked") {
      return yield* invalid("The server sends the file in an unknown coding.")
    }
    return null
  }
  if (length === undefined) return null
  const bytes = /^\d{1,16}$/.test(length) ? Number(length) : NaN
  return Number.isSafeInteger(bytes) ? bytes : yield* invalid("The server sent an invalid Content-Length.")
})

/** The bytes, pulled as they are wanted. `expectedBytes`: how many there must be, null for any number. */
export const stream = (
  { flaw, response }: PinnedRequest,
  expectedBytes: number | null,
  stallTimeout: Duration.Duration
): Stream.Stream<Uint8Array, RemoteFile.RemoteFailed> =>
  Stream.unwrap(Effect.sync(() => {
    const iterator: AsyncIterator<Uint8Array> = response[Symbol.asyncIterator]()
    const timeoutMillis = Duration.toMillis(stallTimeout)
    let received = 0
    // What came, and how long it was waited for, since enough had come the last time.
    let recent = 0
    let waitedMillis = 0

    const ended = Effect.suspend(() => {
      const failure = flaw()
      // A server that goes on behind what it stated: of which the two is it true?
      if (failure?.reason === "invalid_answer") {
        return Effect.fail(invalid("The server sends something else than it stated."))
      }
      return expectedBytes !== null && received !== expectedBytes
        ? Effect.fail(failureOf({ code: "ECONNRESET" }))
        : Effect.succeed([[], true] as const)
    })

    const next = Effect.gen(function*() {
      // Not by the time of day, which may be set anew while the server is waited for.
      const begin = yield* Clock.monotonicTimeNanos
      const result = yield* Effect.tryPromise({
        try: () => iterator.next(),
        catch: (error) => flaw() ?? failureOf(error)
      }).pipe(
        Effect.timeoutOrElse({
          duration: Duration.millis(timeoutMillis - waitedMillis),
          orElse: () => Effect.fail(stalled)
        })
      )
      if (result.done === true) return yield* ended
      waitedMillis += Number((yield* Clock.monotonicTimeNanos) - begin) / 1e6
      received += result.value.length
      recent += result.value.length
      if (recent >= leastBytes) {
        recent = 0
        waitedMillis = 0
      }
      if (waitedMillis >= timeoutMillis) return yield* stalled
      return [[result.value], false] as const
    })

    return Stream.paginate(undefined, () =>
      Effect.map(next, ([chunks, isEnd]) => [chunks, isEnd ? Option.none() : Option.some(undefined)] as const))
  }))
