/**
 * Sends an object's bytes: while one buffer is being sent to the client, the
 * next is read from the disk.
 */
import type { ServerResponse } from "node:http"
import type { RangeReader } from "./RangeReader.ts"
import type { StallWatch } from "./StallWatch.ts"

const largeBytes = 512 * 1024
const smallBytes = 64 * 1024
/** Downloads at once above which each gets small buffers, so that memory stays bounded. */
const manyDownloads = 256
/** Large buffers kept for the next download. */
const keptBuffers = 64

/** Buffers that are reused: making a large one costs more than filling it. */
export class BufferPool {
  readonly #free: Array<Buffer> = []
  #downloads = 0

  /** Two buffers of one download. */
  take(leftBytes: number): readonly [Buffer, Buffer] {
    this.#downloads++
    if (leftBytes <= smallBytes || this.#downloads > manyDownloads) {
      const bytes = Math.min(smallBytes, leftBytes)
      return [Buffer.allocUnsafe(bytes), Buffer.allocUnsafe(bytes)]
    }
    return [this.#large(), this.#large()]
  }

  #large(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(largeBytes)
  }

  /** Returns buffers that nothing reads or writes any longer. */
  give(buffers: ReadonlyArray<Buffer>): void {
    for (const buffer of buffers) {
      if (buffer.length === largeBytes && this.#free.length < keptBuffers) this.#free.push(buffer)
    }
  }

  /** Ends one download. */
  release(): void {
    this.#downloads--
  }
}

/** Sends everything `reader` has, ends the answer and closes `reader`. A client that is gone ends it early. */
export const download = async (reader: RangeReader, res: ServerResponse, pool: BufferPool): Promise<void> => {
  const buffers = pool.take(reader.leftBytes)
  let [filling, sending] = buffers
  let flushed: () => void = () => {}
  const onClose = () => flushed()
  res.once("close", onClose)
  const send = (bytes: Buffer) =>
    new Promise<void>((resolve) => {
      flushed = resolve
      if (res.destroyed) resolve()
      else res.write(bytes, () => resolve())
    })
  try {
    let bytes = await reader.read(filling)
    while (bytes > 0 && !res.destroyed) {
      ;[filling, sending] = [sending, filling]
      const sent = send(sending.subarray(0, bytes))
      // Both must have ended before a buffer or the file may be released.
      const [read] = await Promise.allSettled([reader.read(filling), sent])
      if (read.status === "rejected") throw read.reason
      bytes = read.value
    }
    if (!res.destroyed) {
      res.end()
      pool.give(buffers)
    }
  } finally {
    res.off("close", onClose)
    pool.release()
    await reader.close()
  }
}

/** The same for a web-standard answer: bytes are read as they are asked for. */
export const toReadableStream = (reader: RangeReader, stalls: StallWatch): ReadableStream<Uint8Array> => {
  const blocks = reader.blocks(largeBytes)
  let cut = () => {}
  const watch = stalls.watch(1, () => cut())
  const close = () => {
    watch.stop()
    return blocks.return(undefined)
  }
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      cut = () => {
        controller.error(new Error("The client stopped reading."))
        void close()
      }
    },
    pull: async (controller) => {
      watch.progress(1)
      try {
        const { done, value } = await blocks.next()
        if (done !== true) return controller.enqueue(value)
        watch.stop()
        controller.close()
      } catch (error) {
        watch.stop()
        throw error
      }
    },
    cancel: async () => {
      await close()
    }
  }, { highWaterMark: 0 })
}
