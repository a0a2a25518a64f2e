/** The body of an answer: its stated length, and its bytes as they arrive. */
import { RemoteFile } from "@filedrive/core"
import { Clock, Duration, Effect, Option, Stream } from "effect"
import { failureOf, type PinnedRequest } from "./PinnedRequest.ts"

/** Fewest bytes that must arrive in this time; else the server has stalled. */
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
 * they are, and a few compressed bytes may unpack to any size.
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
    // The bytes that arrived, and the time waited, since the last time that enough had arrived.
    let recent = 0
    let waitedMillis = 0

    const ended = Effect.suspend(() => {
      const failure = flaw()
      // The server sends more than it stated: so it is not known which of the two is right.
      if (failure?.reason === "invalid_answer") {
        return Effect.fail(invalid("The server sends something else than it stated."))
      }
      return expectedBytes !== null && received !== expectedBytes
        ? Effect.fail(failureOf({ code: "ECONNRESET" }))
        : Effect.succeed([[], true] as const)
    })

    const next = Effect.gen(function*() {
      // Not by the time of day, which may be changed during the wait.
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
