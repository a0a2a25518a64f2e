/**
 * Receives a body of known length into a file: chunks are gathered into one
 * vectored write at a time, and the sender is paused while the disk is behind.
 */
import { close, fdatasync, futimes, open, unlink, write, writev } from "node:fs"
import { IncomingMessage } from "node:http"
import type { Readable } from "node:stream"
import type { Digests } from "../Digests.ts"
import { closingFlaw } from "./FormHead.ts"
import { Sealing } from "./Seal.ts"
import { StorageError } from "./StorageError.ts"

/** Bytes gathered before they are written. */
const writeBytes = 1024 * 1024
/** Bytes waiting at which the sender is paused. */
const pauseBytes = 2 * 1024 * 1024

export interface Receiving {
  readonly source: Readable
  /** A new file; it is removed unless the whole body arrived. */
  readonly path: string
  readonly sizeBytes: number
  /** Whether the file ends with its seal. */
  readonly seal: boolean
  /** The first bytes of the body, which were read from `source` before. */
  readonly first?: Buffer | undefined
  /** What must follow the `sizeBytes` bytes; a line break may come after it. */
  readonly closing?: Buffer | undefined
  /** The checksums that the body came with. */
  readonly digests?: Digests | undefined
  /** Modification time the file is given. */
  readonly modifiedMillis: number
  /** Called with each chunk, to detect a sender that stalls. */
  readonly onProgress: (bytes: number) => void
  /** Called with the number of bytes that are in the file. */
  readonly onWritten: (bytes: number) => void
  /** When it is aborted, the sink fails with its reason; the caller reads the rest of the body. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Accepts exactly the stated bytes and writes them through to the disk. A body
 * that is shorter, longer or cut off leaves no file.
 */
export const receive = (body: Receiving): Promise<void> =>
  new Promise((resolve, reject) => {
    open(body.path, "wx", 0o600, (error, fd) => {
      if (error !== null) reject(error)
      else new Sink(body, fd, resolve, reject).start()
    })
  })

class Sink {
  readonly #body: Receiving
  /** Whether chunks are this request's alone; those of a host's own stream may be in use elsewhere. */
  readonly #ownsChunks: boolean
  readonly #fd: number
  readonly #sealing: Sealing | undefined
  readonly #resolve: () => void
  readonly #reject: (error: unknown) => void
  /** Chunks not yet given to the disk, and their bytes. */
  #waiting: Array<Buffer> = []
  #waitingBytes = 0
  #written = 0
  #left: number
  /** The bytes after the file: at most the closing and a line break. */
  #after = Buffer.alloc(0)
  #writing = false
  #paused = false
  #ended = false
  #failure: unknown

  constructor(body: Receiving, fd: number, resolve: () => void, reject: (error: unknown) => void) {
    this.#body = body
    this.#ownsChunks = body.source instanceof IncomingMessage
    this.#fd = fd
    this.#resolve = resolve
    this.#reject = reject
    this.#left = body.sizeBytes
    this.#sealing = body.seal ? new Sealing() : undefined
  }

  start(): void {
    const { first, signal, source } = this.#body
    if (signal?.aborted === true) return this.#fail(signal.reason)
    signal?.addEventListener("abort", () => this.#fail(signal.reason), { once: true })
    source.on("data", this.#take)
    source.on("end", this.#end)
    source.on("error", this.#cut)
    source.on("close", this.#cut)
    if (first !== undefined && first.length > 0) this.#take(first)
    if (source.destroyed && !source.readableEnded) this.#cut()
    else if (source.readableEnded) this.#end()
    else source.resume()
  }

  readonly #take = (chunk: Buffer): void => {
    if (this.#ended) return
    this.#body.onProgress(chunk.length)
    const own = Math.min(this.#left, chunk.length)
    if (own > 0) {
      const bytes = own === chunk.length ? chunk : chunk.subarray(0, own)
      // Now, while they are still in the processor's cache.
      this.#sealing?.add(bytes)
      this.#body.digests?.add(bytes)
      this.#waiting.push(bytes)
      this.#waitingBytes += own
      this.#left -= own
    }
    if (own < chunk.length && !this.#takeAfter(chunk.subarray(own))) return
    if (this.#waitingBytes >= pauseBytes && !this.#paused) {
      this.#paused = true
      this.#body.source.pause()
    }
    this.#write()
  }

  /** False when more bytes arrived than allowed. */
  #takeAfter(bytes: Buffer): boolean {
    const most = this.#body.closing === undefined ? 0 : this.#body.closing.length + 2
    if (this.#after.length + bytes.length > most) {
      this.#fail(new StorageError("EntityTooLarge", "The body is longer than the signature allows."))
      return false
    }
    this.#after = Buffer.concat([this.#after, bytes])
    return true
  }

  readonly #end = (): void => {
    if (this.#ended) return
    const { closing } = this.#body
    if (this.#left > 0) {
      this.#fail(new StorageError("EntityTooSmall", "The body is shorter than the signature says."))
      return
    }
    const flaw = (closing === undefined ? undefined : closingFlaw(this.#after, closing)) ?? this.#body.digests?.flaw()
    if (flaw !== undefined) return this.#fail(flaw)
    this.#stop()
    this.#write()
  }

  readonly #cut = (): void => this.#fail(new StorageError("RequestTimeout", "The body was cut off."))

  #fail(failure: unknown): void {
    if (this.#ended) return
    this.#failure = failure
    this.#waiting = []
    this.#waitingBytes = 0
    this.#stop()
    this.#write()
  }

  #stop(): void {
    this.#ended = true
    const { source } = this.#body
    source.off("data", this.#take)
    source.off("end", this.#end)
    source.off("close", this.#cut)
    // The listener for errors stays: a socket may fail while the file is closed.
  }

  #write(): void {
    if (this.#writing) return
    if (this.#waitingBytes === 0 || this.#failure !== undefined) {
      if (this.#ended) this.#finish()
      return
    }
    if (this.#waitingBytes < writeBytes && !this.#ended) return
    const chunks = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    this.#writing = true
    this.#writeAll(chunks)
  }

  #writeAll(chunks: Array<Buffer>): void {
    writev(this.#fd, chunks, this.#written, (error, bytes) => {
      if (error !== null) {
        this.#writing = false
        if (this.#ended) {
          this.#failure ??= error
          this.#finish()
        } else this.#fail(error)
        return
      }
      this.#written += bytes
      this.#body.onWritten(bytes)
      const rest = unwritten(chunks, bytes)
      if (this.#ownsChunks) release(chunks.slice(0, chunks.length - rest.length))
      if (rest.length > 0) return this.#writeAll(rest)
      this.#writing = false
      if (this.#paused && this.#waitingBytes < pauseBytes) {
        this.#paused = false
        this.#body.source.resume()
      }
      this.#write()
    })
  }

  #finish(): void {
    if (this.#failure !== undefined) return this.#discard(this.#failure)
    if (this.#sealing === undefined) this.#sync()
    else this.#seal(this.#sealing.end())
  }

  #seal(seal: Buffer): void {
    write(this.#fd, seal, 0, seal.length, this.#written, (error, bytes) => {
      if (error !== null) return this.#discard(error)
      this.#written += bytes
      if (bytes < seal.length) this.#seal(seal.subarray(bytes))
      else this.#sync()
    })
  }

  #sync(): void {
    const seconds = this.#body.modifiedMillis / 1000
    futimes(this.#fd, seconds, seconds, (untimed) => {
      if (untimed !== null) return this.#discard(untimed)
      fdatasync(this.#fd, (unsynced) => {
        if (unsynced !== null) return this.#discard(unsynced)
        close(
          this.#fd,
          (unclosed) => unclosed === null || unclosed === undefined ? this.#resolve() : this.#reject(unclosed)
        )
      })
    })
  }

  #discard(failure: unknown): void {
    close(this.#fd, () => unlink(this.#body.path, () => this.#reject(failure)))
  }
}

/**
 * Frees the memory of chunks now rather than when they are garbage-collected. Otherwise
 * the collector walks the whole heap for each 64 MiB of them: with a heap
 * of 40 MiB that took as much processor time as receiving them.
 */
const release = (chunks: ReadonlyArray<Buffer>): void => {
  for (const { buffer, byteLength } of chunks) {
    if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
  }
}

/** What is left of `chunks` once their first `bytes` bytes are written. */
export const unwritten = <Chunk extends Uint8Array>(chunks: ReadonlyArray<Chunk>, bytes: number): Array<Chunk> => {
  let left = bytes
  const rest: Array<Chunk> = []
  for (const chunk of chunks) {
    if (left < chunk.length) rest.push(left > 0 ? chunk.subarray(left) as Chunk : chunk)
    left = Math.max(0, left - chunk.length)
  }
  return rest
}
