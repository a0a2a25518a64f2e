/**
 * A stored file read here and there, as those do who look into it: by blocks, the
 * latest of which are kept, so that what is looked at twice is fetched once.
 * What is read on and on is fetched in ever larger pieces.
 */
import { DriveError, type MediaTools } from "@filedrive/core"
import { Effect, Stream } from "effect"
import { release } from "../OwnBytes.ts"

export const blockBytes = 64 * 1024
/** A fetch begins with so many blocks and doubles while it is followed by the next. */
const firstFetchBlocks = 4
const largestFetchBlocks = 16
const defaultStallMillis = 20_000

export interface SourceBlocks {
  readonly sizeBytes: number
  /** What the store handed over so far. */
  readonly bytesRead: () => number
  /** The rest of the block that holds `offset`, which is within the file. Interrupting it ends the fetch. */
  readonly blockAt: (offset: number) => Effect.Effect<Uint8Array, DriveError.Unreadable | DriveError.Unavailable>
  /** Everything of a range within the file, `end` inclusive. */
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
  /** How long the store may keep silent. Default 20,000. */
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

/** By the machine's time, whatever the drive takes it to be. */
const later = (millis: number, work: () => void): () => void => {
  const timer = setTimeout(work, millis)
  return () => clearTimeout(timer)
}

/** Ends with the failure of a store that keeps silent. */
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

export const make = (source: MediaTools.MediaSource, limits: BlockLimits): SourceBlocks => {
  const { keepMaxBytes, readMaxBytes, stallMillis = defaultStallMillis } = limits
  const { sizeBytes } = source
  const blocksInAll = Math.ceil(sizeBytes / blockBytes)
  const kept = new Map<number, Uint8Array>()
  let read = 0
  let following = { block: -1, fetchBlocks: firstFetchBlocks }

  const keep = (block: number, bytes: Uint8Array) => {
    kept.delete(block)
    kept.set(block, bytes)
    for (const oldest of kept.keys()) {
      if (kept.size * blockBytes <= keepMaxBytes) break
      kept.delete(oldest)
    }
  }

  /** How many blocks from `first` on are fetched at once: none that is here already. */
  const planned = (first: number): number => {
    const most = first === following.block ? Math.min(following.fetchBlocks * 2, largestFetchBlocks) : firstFetchBlocks
    let count = 1
    while (count < most && first + count < blocksInAll && !kept.has(first + count)) count++
    following = { block: first + count, fetchBlocks: most }
    return count
  }

  const fetch = Effect.fnUntraced(function*(first: number) {
    const start = first * blockBytes
    const end = Math.min(start + planned(first) * blockBytes, sizeBytes)
    if (read + end - start > readMaxBytes) {
      return yield* new DriveError.Unreadable({
        because: `This file could not be opened within the first ${Math.floor(readMaxBytes / 1e6)} MB read of it.`
      })
    }
    const bytes = new Uint8Array(end - start)
    let filled = 0
    yield* unlessStalled(
      Stream.runForEach(source.read({ start, end: end - 1 }), (chunk) =>
        Effect.sync(() => {
          read += chunk.byteLength
          bytes.set(chunk.subarray(0, bytes.byteLength - filled), filled)
          filled = Math.min(filled + chunk.byteLength, bytes.byteLength)
          release(chunk)
        })),
      stallMillis
    )
    if (filled !== bytes.byteLength) return yield* cutShort(bytes.byteLength, filled)
    for (let at = 0; at < bytes.byteLength; at += blockBytes) {
      keep(first + at / blockBytes, bytes.subarray(at, at + blockBytes))
    }
    return bytes
  })

  const blockAt: SourceBlocks["blockAt"] = (offset) =>
    Effect.suspend(() => {
      const block = Math.floor(offset / blockBytes)
      const within = offset - block * blockBytes
      const known = kept.get(block)
      if (known === undefined) return Effect.map(fetch(block), (bytes) => bytes.subarray(within, blockBytes))
      keep(block, known)
      return Effect.succeed(known.subarray(within))
    })

  return {
    sizeBytes,
    bytesRead: () => read,
    blockAt,
    range: Effect.fnUntraced(function*(start, end) {
      const bytes = new Uint8Array(end + 1 - start)
      for (let filled = 0; filled < bytes.byteLength;) {
        const next = (yield* blockAt(start + filled)).subarray(0, bytes.byteLength - filled)
        bytes.set(next, filled)
        filled += next.byteLength
      }
      return bytes
    })
  }
}
