/**
 * A stored file that is read at arbitrary positions, as decoders do: by blocks, the
 * latest of which are kept, so that a block that is read twice is fetched once.
 * A file that is read sequentially is fetched in ever larger pieces.
 */
import { DriveError, LruCache, type MediaTools, OwnedBuffers } from "@filedrive/core"
import { Effect, Exit, type Scope, Stream } from "effect"
import * as CpuBudget from "./CpuBudget.ts"

export const blockBytes = 64 * 1024
/** A fetch begins with so many blocks and doubles while it is followed by the next. */
const firstFetchBlocks = 4
const largestFetchBlocks = 16
const defaultStallMillis = 20_000

export interface SourceBlocks {
  readonly sizeBytes: number
  /** The CPU that operations on the file may take. */
  readonly budget: CpuBudget.CpuBudget
  /** The bytes that the store has returned so far. */
  readonly bytesRead: () => number
  /**
   * Uses the rest of the block that contains `offset`, which is within the file. The bytes are valid until
   * that ends and no longer. Interrupting it ends the fetch.
   */
  readonly withBlock: <A, E>(
    offset: number,
    use: (bytes: Uint8Array) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E | DriveError.Unreadable | DriveError.Unavailable>
  /** All bytes of a range within the file, `end` inclusive. */
  readonly range: (
    start: number,
    end: number
  ) => Effect.Effect<Uint8Array, DriveError.Unreadable | DriveError.Unavailable>
}

export interface BlockLimits {
  /** Most that may be read of the file. More: `Unreadable`. */
  readonly readMaxBytes: number
  /** Most that is kept. */
  readonly keepMaxBytes: number
  /** How long the store may be silent, in milliseconds. Default 20,000. */
  readonly stallMillis?: number
}

const stalled = (stallMillis: number) =>
  Effect.fail(
    new DriveError.Unavailable({
      code: "fetching_file_failed",
      cause: new Error(`The store sent nothing for ${stallMillis / 1000} s`)
    })
  )

const cutShort = (wanted: number, had: number) =>
  new DriveError.Unavailable({
    code: "fetching_file_failed",
    cause: new Error(`The store handed over ${had} bytes of a file where ${wanted} were asked for`)
  })

/** By the machine's clock, not the drive's. */
const later = (millis: number, work: () => void): () => void => {
  const timer = setTimeout(work, millis)
  return () => clearTimeout(timer)
}

/** Fails when the store is silent for too long. */
const unlessStalled = <A, E>(
  work: Effect.Effect<A, E>,
  stallMillis: number
): Effect.Effect<A, E | DriveError.Unavailable> =>
  Effect.raceFirst(
    work,
    Effect.callback<never, DriveError.Unavailable>((resume) => {
      const cancel = later(stallMillis, () => resume(stalled(stallMillis)))
      return Effect.sync(cancel)
    })
  )

/** A block that is kept, used, or both. Its memory is freed when it is neither. */
interface Block {
  readonly bytes: Uint8Array
  isKept: boolean
  users: number
}

const freeUnused = ({ bytes, isKept, users }: Block) => {
  if (!isKept && users === 0) OwnedBuffers.release(bytes)
}

/** The bytes of consecutive blocks, each in memory of its own. */
class Filling {
  readonly blocks: ReadonlyArray<Block>
  readonly #sizeBytes: number
  #filled = 0

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes
    this.blocks = Array.from({ length: Math.ceil(sizeBytes / blockBytes) }, (_, at): Block => ({
      bytes: OwnedBuffers.asOwned(new Uint8Array(Math.min(blockBytes, sizeBytes - at * blockBytes))),
      isKept: false,
      users: 0
    }))
  }

  get filled(): number {
    return this.#filled
  }

  /** Takes the next bytes; those beyond the room are ignored. */
  add(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.byteLength && this.#filled < this.#sizeBytes;) {
      const { bytes } = this.blocks[Math.floor(this.#filled / blockBytes)]!
      const within = this.#filled % blockBytes
      const piece = chunk.subarray(at, at + bytes.byteLength - within)
      bytes.set(piece, within)
      at += piece.byteLength
      this.#filled += piece.byteLength
    }
  }
}

/** Its blocks are released when the scope closes. */
export const make = Effect.fnUntraced(function*(
  source: MediaTools.MediaSource,
  limits: BlockLimits
): Effect.fn.Return<SourceBlocks, never, Scope.Scope> {
  const { keepMaxBytes, readMaxBytes, stallMillis = defaultStallMillis } = limits
  const { sizeBytes } = source
  const blocksInAll = Math.ceil(sizeBytes / blockBytes)
  const kept = new LruCache<number, Block>(keepMaxBytes, (block) => {
    block.isKept = false
    freeUnused(block)
  })
  let read = 0
  let following = { block: -1, fetchBlocks: firstFetchBlocks }

  yield* Effect.addFinalizer(() => Effect.sync(() => kept.clear()))

  const keep = (number: number, block: Block) => {
    block.isKept = true
    // Replaces one that was fetched at the same time.
    kept.set(number, block, blockBytes)
  }

  /** How many blocks from `first` on are fetched at once: only blocks that are not kept already. */
  const planned = (first: number): number => {
    const most = first === following.block ? Math.min(following.fetchBlocks * 2, largestFetchBlocks) : firstFetchBlocks
    let count = 1
    while (count < most && first + count < blocksInAll && !kept.has(first + count)) count++
    following = { block: first + count, fetchBlocks: most }
    return count
  }

  /** Returns the first of the fetched blocks, marked as used. */
  const fetch = Effect.fnUntraced(function*(first: number) {
    const start = first * blockBytes
    const end = Math.min(start + planned(first) * blockBytes, sizeBytes)
    if (read + end - start > readMaxBytes) {
      return yield* new DriveError.Unreadable({
        because: `This file could not be opened within the first ${Math.floor(readMaxBytes / 1e6)} MB read of it.`
      })
    }
    const filling = new Filling(end - start)
    yield* unlessStalled(
      Stream.runForEach(source.read({ start, end: end - 1 }), (chunk) =>
        Effect.sync(() => {
          read += chunk.byteLength
          filling.add(chunk)
          OwnedBuffers.release(chunk)
        })),
      stallMillis
    )
    if (filling.filled !== end - start) return yield* cutShort(end - start, filling.filled)
    const block = filling.blocks[0]!
    block.users++
    for (const [at, block] of filling.blocks.entries()) keep(first + at, block)
    return block
  })

  const used = (number: number) =>
    Effect.suspend(() => {
      const known = kept.get(number)
      if (known === undefined) return fetch(number)
      known.users++
      return Effect.succeed(known)
    })

  const withBlock: SourceBlocks["withBlock"] = (offset, use) => {
    const number = Math.floor(offset / blockBytes)
    return Effect.acquireUseRelease(
      Effect.interruptible(used(number)),
      ({ bytes }) => use(bytes.subarray(offset - number * blockBytes)),
      (block, exit) =>
        Effect.sync(() => {
          // The system may still use a block that was not used to its end: then it is left to the garbage collector.
          if (Exit.isFailure(exit)) return
          block.users--
          freeUnused(block)
        })
    )
  }

  return {
    sizeBytes,
    budget: CpuBudget.of(source),
    bytesRead: () => read,
    withBlock,
    range: Effect.fnUntraced(function*(start, end) {
      const bytes = new Uint8Array(end + 1 - start)
      for (let filled = 0; filled < bytes.byteLength;) {
        filled += yield* withBlock(start + filled, (block) =>
          Effect.sync(() => {
            const next = block.subarray(0, bytes.byteLength - filled)
            bytes.set(next, filled)
            return next.byteLength
          }))
      }
      return bytes
    })
  }
})
