/** Passes exactly the file of a form on to a PUT. */
import { Effect } from "effect"
import type { ClientRequest } from "node:http"
import type { Readable } from "node:stream"
import type { Digests } from "../Digests.ts"
import { closingFlaw } from "../disk/FormHead.ts"
import { StorageError } from "../disk/StorageError.ts"

export interface Passing {
  readonly from: Readable
  /** Bytes read from `from` already. */
  readonly first: Buffer
  readonly to: ClientRequest
  readonly sizeBytes: number
  /** What must follow the file; a line break may come after it. */
  readonly closing: Buffer
  /** The checksums that the form came with. */
  readonly digests: Digests | undefined
  /** Called with each chunk, to detect a sender that stalls. */
  readonly onProgress: (bytes: number) => void
}

/**
 * Ends the PUT when exactly `sizeBytes` bytes and the form's end have arrived, and not
 * before: the file's last chunk waits for it, so that a body of another length
 * never arrives whole. The sender is paused while the store is behind.
 */
export const pass = (
  { closing, digests, first, from, onProgress, sizeBytes, to }: Passing
): Effect.Effect<void, StorageError> =>
  Effect.callback((resume) => {
    let left = sizeBytes
    let last: Buffer | undefined
    let after = Buffer.alloc(0)
    let settled = false
    const goOn = () => void from.resume()
    const stop = () => {
      settled = true
      from.off("data", take).off("end", end).off("close", cut).off("error", cut).pause()
      to.off("drain", goOn)
    }
    const settle = (outcome: Effect.Effect<void, StorageError>) => {
      stop()
      resume(outcome)
    }
    const refuse = (refusal: StorageError) => settle(Effect.fail(refusal))
    const take = (chunk: Buffer) => {
      onProgress(chunk.length)
      const own = chunk.subarray(0, left)
      left -= own.length
      if (own.length > 0) {
        digests?.add(own)
        if (left === 0) last = own
        else if (!to.write(own)) from.pause()
      }
      if (own.length === chunk.length) return
      if (after.length + chunk.length - own.length > closing.length + 2) {
        return refuse(new StorageError("EntityTooLarge", "The body is longer than the signature allows."))
      }
      after = Buffer.concat([after, chunk.subarray(own.length)])
    }
    const end = () => {
      if (left > 0) return refuse(new StorageError("EntityTooSmall", "The body is shorter than the signature says."))
      const flaw = closingFlaw(after, closing) ?? digests?.flaw()
      if (flaw !== undefined) return refuse(flaw)
      to.end(last)
      settle(Effect.void)
    }
    const cut = () => refuse(new StorageError("RequestTimeout", "The body was cut off."))
    to.on("drain", goOn)
    from.on("data", take).on("end", end).on("close", cut).on("error", cut)
    take(first)
    if (settled) return
    if (from.readableEnded) end()
    else if (from.destroyed) cut()
    else if (!to.writableNeedDrain) goOn()
    return Effect.sync(stop)
  })
