/** Copies an object of any size within storage: at once, or in parts if it is too large for one copy. */
import { Effect } from "effect"
import { type ObjectAddress, type ObjectHeaders, ObjectStore } from "../ports/ObjectStore.ts"
import * as TransferPlan from "./TransferPlan.ts"

export const make = Effect.gen(function*() {
  const store = yield* ObjectStore

  const inParts = Effect.fnUntraced(
    function*(from: ObjectAddress, to: ObjectAddress, sizeBytes: number, headers: ObjectHeaders) {
      const uploadId = yield* store.createUpload(to, headers)
      const parts = yield* Effect.forEach(TransferPlan.missing(sizeBytes, []), (partNumber) =>
        Effect.map(
          store.copyPart({ from, range: TransferPlan.range(sizeBytes, partNumber), to, uploadId, partNumber }),
          (etag) => ({ partNumber, etag })
        ), { concurrency: TransferPlan.movePartsAtOnce }).pipe(
          Effect.tapError(() => Effect.ignore(store.abortUpload(to, uploadId)))
        )
      yield* store.completeUpload(to, uploadId, parts)
      return yield* store.head(to)
    }
  )

  /** Copies the object of `sizeBytes` bytes. Returns the copy; none when `from` holds nothing, or not all of it. */
  return (from: ObjectAddress, to: ObjectAddress, sizeBytes: number, headers: ObjectHeaders) =>
    sizeBytes <= store.singleUploadMaxBytes
      ? store.copy(from, to, headers)
      : inParts(from, to, sizeBytes, headers)
})
