/** A stream as a source. Loaded with the first one, so it shares no code with what loads it. */
import type { failure, invalid } from "../DriveError.ts"
import type { Source } from "../Platform.ts"
import type { unreadable } from "./Source.ts"
import type { StreamOfLength } from "./Upload.ts"

/** What it fails with. */
interface Failures {
  readonly failure: typeof failure
  readonly invalid: typeof invalid
  readonly unreadable: typeof unreadable
}

/** The chunks of a stream, and what ends it. */
const chunksOf = (stream: StreamOfLength["stream"]) => {
  if ("getReader" in stream) {
    const reader = stream.getReader()
    return { next: () => reader.read(), end: () => reader.cancel() }
  }
  const chunks = stream[Symbol.asyncIterator]()
  return { next: () => chunks.next(), end: async () => chunks.return?.() }
}

/** Holds the one slice that is being sent: it may have to be sent again. The next is read into the same memory. */
export const ofStream = (
  { name, size, stream, type = "" }: StreamOfLength,
  { failure, invalid, unreadable }: Failures
): Source => {
  const chunks = chunksOf(stream)
  let left = new Uint8Array(0)
  let at = 0
  let memory = new Uint8Array(0)
  let held: { readonly start: number; readonly bytes: Promise<Uint8Array<ArrayBuffer>> } | undefined
  const wrongLength = () => failure("source_changed", `${name} does not have ${size} bytes.`)
  const next = () =>
    chunks.next().catch((cause: unknown) => {
      throw unreadable(name, cause)
    })
  const read = async (start: number, end: number) => {
    if (start < at) throw failure("source_unreadable", `${name} is a stream, which is read once.`)
    if (memory.byteLength < end - start) memory = new Uint8Array(end - start)
    const bytes = memory.subarray(0, end - start)
    while (at < end) {
      if (left.byteLength === 0) {
        const { done, value } = await next()
        if (done) throw wrongLength()
        left = value as Uint8Array<ArrayBuffer>
        if (!ArrayBuffer.isView(left)) throw invalid("stream", "must give bytes")
        continue
      }
      const run = left.subarray(0, (at < start ? start : end) - at)
      if (at >= start) bytes.set(run, at - start)
      left = left.subarray(run.byteLength)
      at += run.byteLength
    }
    if (end === size && (left.byteLength > 0 || !(await next()).done)) throw wrongLength()
    return bytes
  }
  return {
    name,
    size,
    type,
    isSequential: true,
    print: async () => undefined,
    slice: (start, end) => {
      // It may be asked for again while it is read: after a pause.
      if (held?.start !== start) held = { start, bytes: read(start, end) }
      return held.bytes
    },
    close: async () => {
      // Node's web streams still give what Node has read when they are cancelled at once, which throws where nobody can catch it.
      setTimeout(() => chunks.end().catch(() => {}))
    }
  }
}
