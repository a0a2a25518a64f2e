/** Bytes that a host passes: from a path, a value or a stream. */
import { Stream } from "effect"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { refusal, refuse } from "./DriveError.ts"
import { HostFailed, hostFailed, hostsOwn, isAsyncIterable } from "./HostFailed.ts"

/** Where the bytes of a new file come from: a path, bytes, or a stream (then `fileSize` is needed). */
export type FileSource =
  | string
  | URL
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>

/** The bytes of a source, and their size and name where known. */
export interface SourceBytes {
  readonly fileName: string | undefined
  readonly fileSize: number | undefined
  readonly body: Stream.Stream<Uint8Array, HostFailed>
}

const ofIterable = (bytes: AsyncIterable<Uint8Array>, failed = hostFailed) =>
  Stream.map(
    Stream.fromAsyncIterable(hostsOwn(bytes), failed),
    (chunk) => chunk instanceof Uint8Array ? chunk : refuse("source", "must yield Uint8Array chunks")
  )

const ofWhole = (bytes: Uint8Array): SourceBytes => ({
  fileName: undefined,
  fileSize: bytes.length,
  body: Stream.succeed(bytes)
})

/** Why a path is no good, in the system's words. */
const unreadable = (cause: unknown) => {
  const { message } = cause as Error
  return refusal("source", `must be the path of a readable file (${message})`, cause)
}

const ofPath = async (given: string | URL): Promise<SourceBytes> => {
  try {
    const path = typeof given === "string" ? given : fileURLToPath(given)
    const found = await stat(path)
    if (!found.isFile()) throw new Error("it is no file")
    const body = Stream.suspend(() =>
      ofIterable(createReadStream(path, { highWaterMark: 1024 * 1024 }), (cause) => new HostFailed(unreadable(cause)))
    )
    return { fileName: basename(path), fileSize: found.size, body }
  } catch (error) {
    throw unreadable(error)
  }
}

/** Opens a source; a stream is read when the bytes are. */
export const openSource = async (source: FileSource): Promise<SourceBytes> => {
  if (typeof source === "string" || source instanceof URL) return ofPath(source)
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
  if (source instanceof ReadableStream && source.locked) {
    refuse("source", "must not be locked")
  }
  return isAsyncIterable<Uint8Array>(source)
    ? { fileName: undefined, fileSize: undefined, body: ofIterable(source) }
    : refuse("source", "must be a path, bytes or a stream")
}
