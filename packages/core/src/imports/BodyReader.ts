/** Reads a body by blocks of wanted sizes, holding one at a time. */
import { Effect, Pull, type Scope, Stream } from "effect"

export interface Block {
  readonly chunks: ReadonlyArray<Uint8Array>
  readonly sizeBytes: number
  /** Nothing comes after it. */
  readonly isLast: boolean
}

export interface BodyReader<E> {
  /** The next `sizeBytes` bytes; fewer, and possibly none, when the body ends before. */
  readonly take: (sizeBytes: number) => Effect.Effect<Block, E>
}

/** `onBytes` hears how many bytes have come, each time some have, and may end the reading by failing. */
export const make = <E, E2>(
  body: Stream.Stream<Uint8Array, E>,
  onBytes: (receivedBytes: number) => Effect.Effect<void, E2>
): Effect.Effect<BodyReader<E | E2>, never, Scope.Scope> =>
  Effect.map(Stream.toPull(body), (pull) => {
    let waiting: Array<Uint8Array> = []
    let waitingBytes = 0
    let receivedBytes = 0
    let ended = false
    const next = Pull.catchDone(pull, () => Effect.succeed(null))

    const more = Effect.gen(function*() {
      const chunks = yield* next
      if (chunks === null) {
        ended = true
        return
      }
      for (const chunk of chunks) {
        if (chunk.length === 0) continue
        waiting.push(chunk)
        waitingBytes += chunk.length
        receivedBytes += chunk.length
      }
      yield* onBytes(receivedBytes)
    })

    const take = Effect.fnUntraced(function*(sizeBytes: number) {
      // A byte more than wanted, or the end: only that tells whether the block is the last.
      yield* Effect.whileLoop({ while: () => !ended && waitingBytes <= sizeBytes, body: () => more, step: () => {} })
      const chunks: Array<Uint8Array> = []
      let left = Math.min(sizeBytes, waitingBytes)
      const taken = left
      let used = 0
      while (left > 0) {
        const chunk = waiting[used]!
        if (chunk.length > left) {
          chunks.push(chunk.subarray(0, left))
          waiting[used] = chunk.subarray(left)
          break
        }
        chunks.push(chunk)
        left -= chunk.length
        used++
      }
      waiting = waiting.slice(used)
      waitingBytes -= taken
      return { chunks, sizeBytes: taken, isLast: ended && waitingBytes === 0 }
    })

    return { take }
  })

/** The first bytes of a block. */
export const head = ({ chunks }: Block, maxBytes: number): Uint8Array => {
  const bytes = new Uint8Array(Math.min(maxBytes, chunks.reduce((sum, chunk) => sum + chunk.length, 0)))
  let at = 0
  for (const chunk of chunks) {
    if (at === bytes.length) break
    const part = chunk.subarray(0, bytes.length - at)
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
