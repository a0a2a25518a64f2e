/** Opens what is to be uploaded. */
import { failure, invalid } from "../DriveError.ts"
import type { Platform, Source } from "../Platform.ts"
import { loaded } from "./loaded.ts"
import type { UploadSource } from "./Upload.ts"

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

export const unreadable = (name: string, cause?: unknown) =>
  failure("source_unreadable", `${name || "The file"} can't be read any more.`, false, cause)

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
        throw unreadable(name, cause)
      })
    }
  }
}

const ofBytes = (bytes: Uint8Array<ArrayBuffer>): Source => ({
  name: "",
  size: bytes.byteLength,
  type: "",
  print: () => printOf([], bytes.byteLength, async (start, end) => bytes.subarray(start, end)),
  slice: (start, end) => bytes.subarray(start, end)
})

/** Whether it is an object with one of these properties. */
export const has = (given: unknown, ...names: ReadonlyArray<PropertyKey>): boolean =>
  typeof given === "object" && given !== null && names.some((name) => name in given)

/** Whether it is of a kind that can be opened. */
export const isSource = (given: unknown): given is UploadSource =>
  typeof given === "string" || given instanceof URL || given instanceof ArrayBuffer ||
  ArrayBuffer.isView(given) || has(given, "stream")

/** What a source is, for those who give something else. */
export const sources = "a File, a Blob, bytes, a path, a stream with its size"

/** Opens a source. Fails when it is none, or can't be read. */
export const openSource = async (source: UploadSource, { openPath }: Platform): Promise<Source> => {
  if (source instanceof Blob) return ofBlob(source)
  if (typeof source === "string" || source instanceof URL) return openPath(source)
  if (source instanceof ArrayBuffer) return ofBytes(new Uint8Array(source))
  if (ArrayBuffer.isView(source)) {
    return ofBytes(new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength))
  }
  if (isSource(source)) {
    if (!Number.isSafeInteger(source.size) || source.size < 0) {
      throw invalid("size", "must be its length in bytes")
    }
    const { ofStream } = await loaded(import("./ofStream.ts"))
    try {
      return ofStream(source, { failure, invalid, unreadable })
    } catch (cause) {
      // Somebody else reads it, say.
      throw unreadable(source.name, cause)
    }
  }
  throw invalid("source", `must be ${sources}`)
}
