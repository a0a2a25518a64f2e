/** Bytes that a host passes: from a path, a value or a stream. */
import { Stream } from "effect"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { basename } from "node:path"
import { refuse } from "./DriveError.ts"

/** Where the bytes of a new file come from: a path, bytes, or a stream (then `fileSize` is needed). */
export type FileSource =
  | string
  | URL
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>

/** An error that the host's own stream, rows or callback threw, passed back to it as it is. */
export class HostFailed {
  readonly cause: unknown
  constructor(cause: unknown) {
    this.cause = cause
  }
}

export const hostFailed = (cause: unknown) => new HostFailed(cause)

/** The bytes of a source, and their size and name where known. */
export interface SourceBytes {
  readonly fileName: string | undefined
  readonly fileSize: number | undefined
  readonly body: Stream.Stream<Uint8Array, HostFailed>
}

const ofIterable = (bytes: AsyncIterable<Uint8Array>) =>
  Stream.map(
    Stream.fromAsyncIterable(bytes, hostFailed),
    (chunk) => chunk instanceof Uint8Array ? chunk : refuse("source", "must yield Uint8Array chunks")
  )

const ofWhole = (bytes: Uint8Array): SourceBytes => ({
  fileName: undefined,
  fileSize: bytes.length,
  body: Stream.succeed(bytes)
})

/** Opens a source; a stream is read when the bytes are. */
export const openSource = async (source: FileSource): Promise<SourceBytes> => {
  if (typeof source === "string" || source instanceof URL) {
    const found = await stat(source)
    if (!found.isFile()) refuse("source", "must be the path of a file")
    const body = Stream.suspend(() => ofIterable(createReadStream(source, { highWaterMark: 1024 * 1024 })))
    const path = typeof source === "string" ? source : decodeURIComponent(source.pathname)
    return { fileName: basename(path), fileSize: found.size, body }
  }
  if (source instanceof Uint8Array) return ofWhole(source)
  if (source instanceof ArrayBuffer) return ofWhole(new Uint8Array(source))
  if (source instanceof Blob) {
    const fileName = source instanceof File ? source.name : undefined
    return {
      fileName,
      fileSize: source.size,
      body: Stream.suspend(() => ofIterable(source.stream() as unknown as AsyncIterable<Uint8Array>))
    }
  }
  return typeof source === "object" && source !== null && Symbol.asyncIterator in source
    ? { fileName: undefined, fileSize: undefined, body: ofIterable(source as AsyncIterable<Uint8Array>) }
    : refuse("source", "must be a path, bytes or a stream")
}
