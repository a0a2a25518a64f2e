/** Opens what is to be uploaded. */
import { failure, invalid } from "../DriveError.ts"
import type { Platform, Source } from "../Platform.ts"
import type { StreamOfLength, UploadSource } from "./Upload.ts"

/** Bytes at the beginning and at the end of a file that tell it from another. */
const printedBytes = 65_536

/** A hash of bytes: not against forgers, but against mistakes. */
export const hash = (bytes: Uint8Array, seed = 0): number => {
  let high = 0xdeadbeef ^ seed
  let low = 0x41c6ce57 ^ seed
  for (const byte of bytes) {
    high = Math.imul(high ^ byte, 2654435761)
    low = Math.imul(low ^ byte, 1597334677)
  }
  high = Math.imul(high ^ high >>> 16, 2246822507) ^ Math.imul(low ^ low >>> 13, 3266489909)
  low = Math.imul(low ^ low >>> 16, 2246822507) ^ Math.imul(high ^ high >>> 13, 3266489909)
  return (low >>> 0) + (high >>> 11) * 4294967296
}

/** What tells a file from others: what is known of it, and its first and last bytes. */
export const printOf = async (
  facts: ReadonlyArray<string | number>,
  size: number,
  read: (start: number, end: number) => Promise<Uint8Array>
): Promise<string> => {
  const first = hash(await read(0, Math.min(size, printedBytes)))
  return [...facts, size, hash(await read(Math.max(0, size - printedBytes), size), first)].join(" ")
}

const unreadable = (name: string, cause?: unknown) =>
  failure("source_unreadable", `${name} can't be read any more.`, false, cause)

const ofBlob = (blob: Blob): Source => {
  const { lastModified = 0, name = "" } = blob as Partial<File>
  const read = async (start: number, end: number) => new Uint8Array(await blob.slice(start, end).arrayBuffer())
  return {
    name,
    size: blob.size,
    type: blob.type,
    print: () => printOf([name, lastModified], blob.size, read),
    slice: (start, end) => blob.slice(start, end),
    check: async () => {
      await read(0, 1).catch((cause) => {
        throw unreadable(name || "The file", cause)
      })
    },
    close: async () => {}
  }
}

const ofBytes = (bytes: Uint8Array<ArrayBuffer>): Source => ({
  name: "",
  size: bytes.byteLength,
  type: "",
  print: () => printOf([], bytes.byteLength, async (start, end) => bytes.subarray(start, end)),
  slice: (start, end) => bytes.subarray(start, end),
  check: async () => {},
  close: async () => {}
})

const chunksOf = (stream: StreamOfLength["stream"]): AsyncIterator<Uint8Array> => {
  if (Symbol.asyncIterator in stream) return stream[Symbol.asyncIterator]()
  const reader = (stream as ReadableStream<Uint8Array>).getReader()
  return {
    next: () => reader.read() as Promise<IteratorResult<Uint8Array>>,
    return: async () => {
      await reader.cancel()
      return { done: true, value: undefined }
    }
  }
}

/** Holds the one slice that is being sent: it may have to be sent again. The next is read into the same memory. */
const ofStream = ({ name, size, stream, type = "" }: StreamOfLength): Source => {
  const chunks = chunksOf(stream)
  let left = new Uint8Array(0)
  let at = 0
  let memory = new Uint8Array(0)
  let held: { readonly start: number; readonly bytes: Uint8Array<ArrayBuffer> } | undefined
  const wrongLength = () => failure("source_changed", `${name} does not have the ${size} bytes that were announced.`)
  /** The next bytes, of which `use` is given every run. */
  const take = async (length: number, use: (bytes: Uint8Array, position: number) => void) => {
    for (let taken = 0; taken < length;) {
      if (left.byteLength === 0) {
        const { done, value } = await chunks.next()
        if (done) throw wrongLength()
        left = value as Uint8Array<ArrayBuffer>
        continue
      }
      const run = left.subarray(0, length - taken)
      use(run, taken)
      left = left.subarray(run.byteLength)
      taken += run.byteLength
    }
    at += length
  }
  return {
    name,
    size,
    type,
    isSequential: true,
    print: async () => undefined,
    slice: async (start, end) => {
      if (held?.start === start) return held.bytes
      if (start < at) throw failure("source_unreadable", `${name} is a stream, which is read once.`)
      held = undefined
      await take(start - at, () => {})
      if (memory.byteLength < end - start) memory = new Uint8Array(end - start)
      const bytes = memory.subarray(0, end - start)
      await take(end - start, (run, position) => bytes.set(run, position))
      if (end === size && (left.byteLength > 0 || (await chunks.next()).done !== true)) throw wrongLength()
      held = { start, bytes }
      return bytes
    },
    check: async () => {},
    close: async () => {
      await chunks.return?.()
    }
  }
}

/** Opens a source. Fails when it is none, or can't be read. */
export const openSource = async (source: UploadSource, { openPath }: Platform): Promise<Source> => {
  if (source instanceof Blob) return ofBlob(source)
  if (typeof source === "string" || source instanceof URL) return openPath(source)
  if (source instanceof ArrayBuffer) return ofBytes(new Uint8Array(source))
  if (ArrayBuffer.isView(source)) {
    return ofBytes(new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength))
  }
  if (typeof source === "object" && source !== null && "stream" in source) {
    if (!Number.isSafeInteger(source.size) || source.size < 0) {
      throw invalid("size", "must be the stream's length in bytes")
    }
    return ofStream(source)
  }
  throw invalid("source", "must be a File, a Blob, bytes, a path, or a stream with its size")
}
