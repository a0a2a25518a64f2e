/**
 * Sends an object's bytes: while one buffer is being sent to the client, the
 * next is read from the disk.
 */
import type { ServerResponse } from "node:http"
import { ResponseWriter } from "../../http/ResponseWriter.ts"
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

  /** Begins one download. */
  enter(): void {
    this.#downloads++
  }

  /** A buffer of one download, of which `leftBytes` are left. */
  take(leftBytes: number): Buffer {
    if (leftBytes <= smallBytes || this.#downloads > manyDownloads) {
      return Buffer.allocUnsafe(Math.min(smallBytes, leftBytes))
    }
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(largeBytes)
  }

  /** Returns a buffer that nothing reads or writes any longer. */
  give(buffer: Buffer): void {
    if (buffer.length === largeBytes && this.#free.length < keptBuffers) this.#free.push(buffer)
  }

  /** Ends one download. */
  leave(): void {
    this.#downloads--
  }
}

/** Sends everything `reader` has, ends the answer and closes `reader`. A client that is gone ends it early. */
export const download = async (reader: RangeReader, res: ServerResponse, pool: BufferPool): Promise<void> => {
  const writer = new ResponseWriter(res)
  pool.enter()
  try {
    let buffer = pool.take(reader.leftBytes)
    let bytes = await reader.read(buffer)
    while (bytes > 0 && !writer.isGone) {
      const sending = buffer
      const ready = writer.write(sending.subarray(0, bytes), () => pool.give(sending))
      // While these bytes are being sent, the next are read.
      buffer = pool.take(reader.leftBytes)
      // The file may not be closed before the reading has ended.
      const [read] = await Promise.allSettled([reader.read(buffer), ready])
      if (read.status === "rejected") throw read.reason
      bytes = read.value
    }
    writer.end()
  } finally {
    pool.leave()
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
