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

/** Chunks below this are put together: however small, each takes some hundred bytes besides its own. */
const smallBytes = 4 * 1024

/** What they are put together in. */
const roomBytes = 64 * 1024

/** Chunks in the order they came, the small ones in one with their neighbours where there is room. */
class Waiting {
  #chunks: Array<Uint8Array> = []
  #bytes = 0
  #room = new Uint8Array(0)
  #filled = 0
  /** Whether the last chunk is what was put into the room last, so that it may grow. */
  #isOpen = false

  get bytes(): number {
    return this.#bytes
  }

  add(chunk: Uint8Array): void {
    this.#bytes += chunk.length
    if (chunk.length >= smallBytes) {
      this.#chunks.push(chunk)
      this.#isOpen = false
    } else {
      this.#put(chunk)
    }
  }

  #put(chunk: Uint8Array): void {
    if (this.#filled + chunk.length > this.#room.length) {
      this.#room = new Uint8Array(roomBytes)
      this.#filled = 0
      this.#isOpen = false
    }
    this.#room.set(chunk, this.#filled)
    const last = this.#isOpen ? this.#chunks.pop() : undefined
    const start = this.#filled - (last?.length ?? 0)
    this.#filled += chunk.length
    this.#chunks.push(this.#room.subarray(start, this.#filled))
    this.#isOpen = true
  }

  /** The first `sizeBytes` bytes, of those there are. */
  take(sizeBytes: number): ReadonlyArray<Uint8Array> {
    const taken: Array<Uint8Array> = []
    let left = sizeBytes
    let used = 0
    while (left > 0) {
      const chunk = this.#chunks[used]!
      if (chunk.length > left) {
        taken.push(chunk.subarray(0, left))
        this.#chunks[used] = chunk.subarray(left)
        break
      }
      taken.push(chunk)
      left -= chunk.length
      used++
    }
    this.#chunks = this.#chunks.slice(used)
    this.#bytes -= sizeBytes
    this.#isOpen &&= this.#chunks.length > 0
    return taken
  }
}

/** `onBytes` is called with the number of bytes that have arrived, each time some have, and may end the reading by failing. */
export const make = <E, E2>(
  body: Stream.Stream<Uint8Array, E>,
  onBytes: (receivedBytes: number) => Effect.Effect<void, E2>
): Effect.Effect<BodyReader<E | E2>, never, Scope.Scope> =>
  Effect.map(Stream.toPull(body), (pull) => {
    const waiting = new Waiting()
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
        waiting.add(chunk)
        receivedBytes += chunk.length
      }
      yield* onBytes(receivedBytes)
    })

    const take = Effect.fnUntraced(function*(sizeBytes: number) {
      // A byte more than wanted, or the end: only that tells whether the block is the last.
      yield* Effect.whileLoop({ while: () => !ended && waiting.bytes <= sizeBytes, body: () => more, step: () => {} })
      const taken = Math.min(sizeBytes, waiting.bytes)
      const chunks = waiting.take(taken)
      return { chunks, sizeBytes: taken, isLast: ended && waiting.bytes === 0 }
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
