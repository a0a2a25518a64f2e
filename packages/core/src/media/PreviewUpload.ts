/**
 * Stores a preview while it is made, in bounded memory. Its index comes first in the file and is made last. So the first
 * part is kept in memory and stored at the end, behind the index; all others are stored as they come.
 *
 * ```text
 *   part 1: index + first bytes (stored last) │ part 2 │ part 3 │ …
 * ```
 */
import { Context, Effect, Stream } from "effect"
import { type ObjectAddress, type ObjectHeaders, ObjectStore, type StoredObject } from "../ports/ObjectStore.ts"
import { Unavailable } from "../shared/DriveError.ts"

/** Bytes of a part. Two of them are in memory. Tests make it small. */
export const PreviewPartBytes = Context.Reference<number>("@filedrive/core/media/PreviewPartBytes", {
  defaultValue: () => 8 * 1024 ** 2
})

export interface PreviewUpload<E> {
  readonly write: (bytes: Uint8Array) => Effect.Effect<void, E | Unavailable>
  /** Makes the object of `head` and all that was written. */
  readonly finish: (head: Uint8Array) => Effect.Effect<StoredObject, E | Unavailable>
}

/** Bytes that come in pieces of any size. */
class Filling {
  private chunks: Array<Uint8Array> = []
  size = 0

  add(bytes: Uint8Array): void {
    this.chunks.push(bytes)
    this.size += bytes.length
  }

  take(): ReadonlyArray<Uint8Array> {
    const { chunks } = this
    this.chunks = []
    this.size = 0
    return chunks
  }
}

/** Records the upload of storage, so that a crash leaves nothing behind. There is one for what is larger than a part. */
export interface UploadRecord<E> {
  /** One is about to be opened. */
  readonly opening: Effect.Effect<void, E>
  readonly opened: (uploadId: string) => Effect.Effect<void, E>
}

export const make = Effect.fnUntraced(function*<E>(
  at: ObjectAddress,
  headers: ObjectHeaders,
  { opened, opening }: UploadRecord<E>
) {
  const store = yield* ObjectStore
  const partBytes = yield* PreviewPartBytes
  const first = new Filling()
  const next = new Filling()
  const parts: Array<{ readonly partNumber: number; readonly etag: string }> = []
  let upload: string | undefined

  const open = Effect.gen(function*() {
    if (upload !== undefined) return upload
    yield* opening
    const uploadId = yield* store.createUpload(at, headers)
    yield* opened(uploadId)
    return upload = uploadId
  })

  const put = Effect.fnUntraced(function*(partNumber: number, chunks: ReadonlyArray<Uint8Array>) {
    const uploadId = yield* open
    const sizeBytes = chunks.reduce((sum, { length }) => sum + length, 0)
    const etag = yield* store.putPart({ at, uploadId, partNumber, sizeBytes, body: Stream.fromIterable(chunks) })
    parts.push({ partNumber, etag })
  })

  const write = Effect.fnUntraced(function*(bytes: Uint8Array) {
    const room = partBytes - first.size
    if (room > 0) first.add(bytes.subarray(0, room))
    let rest = room > 0 ? bytes.subarray(room) : bytes
    while (rest.length > 0) {
      const piece = rest.subarray(0, partBytes - next.size)
      next.add(piece)
      rest = rest.subarray(piece.length)
      if (next.size === partBytes) yield* put(parts.length + 2, next.take())
    }
  })

  const finish = Effect.fnUntraced(function*(head: Uint8Array) {
    if (upload === undefined && next.size === 0) {
      const chunks = [head, ...first.take()]
      const sizeBytes = chunks.reduce((sum, { length }) => sum + length, 0)
      return yield* store.put({ at, headers, sizeBytes, body: Stream.fromIterable(chunks) })
    }
    if (next.size > 0) yield* put(parts.length + 2, next.take())
    yield* put(1, [head, ...first.take()])
    yield* store.completeUpload(at, yield* open, parts.toSorted((a, b) => a.partNumber - b.partNumber))
    const made = yield* store.head(at)
    return yield* Effect.catchTag(Effect.fromOption(made), "NoSuchElementError", () =>
      Effect.fail(
        new Unavailable({ code: "storage_unavailable", cause: new Error(`storage made no object at ${at.key}`) })
      ))
  })

  return { write, finish } satisfies PreviewUpload<E>
})
