/** A recorded file as media tools read it. */
import { Effect, Result, Stream } from "effect"
import * as StoredFile from "../files/StoredFile.ts"
import type { MediaSource } from "../ports/MediaTools.ts"
import type { ByteRange, ObjectStore } from "../ports/ObjectStore.ts"
import { Unavailable } from "../shared/DriveError.ts"

/** The file where it is now; one that moves to the other bucket meanwhile can no longer be read there. */
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

/** Runs `use` on a file; again at its new place when it moved to the other bucket meanwhile. */
export const wherever = Effect.fnUntraced(
  function*<File extends StoredFile.StoredFile, A, E, R, E2, R2>(
    found: File,
    findAgain: Effect.Effect<File, E2, R2>,
    use: (file: File) => Effect.Effect<A, E | Unavailable, R>
  ) {
    let file = found
    while (true) {
      const used = yield* Effect.result(use(file))
      if (Result.isSuccess(used)) return used.success
      if (!(used.failure instanceof Unavailable)) return yield* Effect.fail(used.failure)
      const current = yield* findAgain
      if (current.storeKey === file.storeKey) {
        // Tools that can't be run now fail by themselves, and what is made of a file may have no room; all other failures are storage's.
        if (used.failure.code === "unavailable" || used.failure.code === "no_space") return yield* used.failure
        const { cause, isLost } = used.failure
        const lost = isLost === undefined ? {} : { isLost }
        return yield* new Unavailable({ code: "fetching_file_failed", cause, ...lost })
      }
      file = current
    }
  }
)
