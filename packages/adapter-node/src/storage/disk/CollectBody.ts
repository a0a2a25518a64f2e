/** Receives a small body of known length into memory. When all of it has arrived, it is written in one piece with its seal and description. */
import type { Readable } from "node:stream"
import { closingFlaw } from "./FormHead.ts"
import { StorageError } from "./StorageError.ts"

export interface Collecting {
  readonly source: Readable
  readonly sizeBytes: number
  /** The first bytes of the body, which were read from `source` before. */
  readonly first: Buffer
  /** What must follow the `sizeBytes` bytes; a line break may come after it. */
  readonly closing: Buffer
  /** Called with each chunk, to detect a sender that stalls. */
  readonly onProgress: (bytes: number) => void
  /** When the signal is aborted, receiving fails with the signal's reason; the caller reads the rest of the body. */
  readonly signal: AbortSignal
}

const lineBreakBytes = 2

/** The bytes of the body. Fails when it is shorter, longer or cut off. */
export const collect = ({ closing, first, onProgress, signal, sizeBytes, source }: Collecting): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // With room for what follows the bytes, so that each byte is copied once.
    const all = Buffer.allocUnsafeSlow(sizeBytes + closing.length + lineBreakBytes)
    let bytes = 0
    const stop = () => {
      signal.removeEventListener("abort", aborted)
      // The listener for errors stays: a socket may fail later.
      source.off("data", take).off("end", end).off("close", cut)
    }
    const fail = (failure: unknown) => {
      stop()
      reject(failure)
    }
    const aborted = () => fail(signal.reason)
    const cut = () => fail(new StorageError("RequestTimeout", "The body was cut off."))
    const take = (chunk: Buffer) => {
      onProgress(chunk.length)
      if (bytes + chunk.length > all.length) {
        return fail(new StorageError("EntityTooLarge", "The body is longer than the signature allows."))
      }
      bytes += chunk.copy(all, bytes)
    }
    const end = () => {
      if (bytes < sizeBytes) {
        return fail(new StorageError("EntityTooSmall", "The body is shorter than the signature says."))
      }
      const flaw = closingFlaw(all.subarray(sizeBytes, bytes), closing)
      if (flaw !== undefined) return fail(flaw)
      stop()
      resolve(all.subarray(0, sizeBytes))
    }
    if (signal.aborted) return aborted()
    signal.addEventListener("abort", aborted, { once: true })
    source.on("data", take).on("end", end).on("error", cut).on("close", cut)
    if (first.length > 0) take(first)
    if (source.destroyed && !source.readableEnded) cut()
    else if (source.readableEnded) end()
    else source.resume()
  })
