/** A recorded file as media tools read it. */
import { Effect, Stream } from "effect"
import * as StoredFile from "../files/StoredFile.ts"
import type { MediaSource } from "../ports/MediaTools.ts"
import type { ByteRange, ObjectStore } from "../ports/ObjectStore.ts"
import { Unavailable } from "../shared/DriveError.ts"

/** The file where it is now; one that goes to the other bucket meanwhile can't be read there any more. */
export const of = (store: ObjectStore["Service"], file: StoredFile.StoredFile): MediaSource => ({
  fileName: file.fileName,
  mimeType: file.mimeType,
  sizeBytes: file.sizeBytes,
  read: (range) => store.get(StoredFile.address(file), range)
})

/** The bytes of a range, all of them. */
export const bytes = Effect.fnUntraced(function*(source: MediaSource, range: ByteRange) {
  const all = new Uint8Array(range.end + 1 - range.start)
  const length = yield* source.read(range).pipe(
    Stream.runFold(() => 0, (length, chunk) => {
      all.set(chunk.subarray(0, all.length - length), length)
      return length + chunk.length
    })
  )
  if (length === all.length) return all
  return yield* new Unavailable({
    code: "fetching_file_failed",
    cause: new Error(`storage handed over ${length} bytes instead of ${all.length}`)
  })
})
