/** All objects and open uploads at the drive's keys, and whether a row needs each; for an operator's command. */
import { Context, Effect, Layer, Option, Stream } from "effect"
import { type Bucket, type ObjectAddress, ObjectStore } from "../ports/ObjectStore.ts"
import type { Unavailable } from "../shared/DriveError.ts"
import { LiveKeys } from "./LiveKeys.ts"
import * as StoreKey from "./StoreKey.ts"

/** An object or open upload of storage. */
export type CheckedObject =
  | { readonly what: "object"; readonly at: ObjectAddress; readonly sizeBytes: number; readonly isKnown: boolean }
  | { readonly what: "upload"; readonly at: ObjectAddress; readonly uploadId: string; readonly isKnown: boolean }

const batch = 500

export class StoredObjects extends Context.Service<StoredObjects, {
  /** All objects at the drive's keys, then all open uploads there; what else is in the buckets is left alone. */
  readonly check: Stream.Stream<CheckedObject, Unavailable>
}>()("@filedrive/core/objects/StoredObjects") {
  static readonly layerNoDeps = Layer.effect(
    StoredObjects,
    Effect.gen(function*() {
      const liveKeys = yield* LiveKeys
      const store = yield* ObjectStore

      /** Those of a page that no row names, and that still exist: one that was removed meanwhile was needed by a row before. */
      const unknownAmong = Effect.fnUntraced(function*(bucket: Bucket, keys: ReadonlyArray<string>) {
        const suspects = yield* liveKeys.unknown(bucket, keys)
        if (suspects.length === 0) return new Set<string>()
        const there = yield* Effect.filter(
          suspects,
          (key) =>
            Effect.map(
              Effect.result(store.verify({ bucket, key }, 0)),
              (looked) =>
                looked._tag === "Success" || looked.failure.isLost !== true || looked.failure.isDamaged === true
            ),
          { concurrency: 8 }
        )
        return new Set(yield* liveKeys.unknown(bucket, there))
      })

      const objects = ({ bucket, prefix }: StoreKey.Area): Stream.Stream<CheckedObject, Unavailable> =>
        store.list(bucket, prefix).pipe(
          Stream.filter(({ key }) => StoreKey.ownerOf(key) !== undefined),
          Stream.grouped(batch),
          Stream.mapEffect((page) =>
            Effect.map(
              unknownAmong(bucket, page.map(({ key }) => key)),
              (unknown) =>
                page.map(({ key, sizeBytes }): CheckedObject => ({
                  what: "object",
                  at: { bucket, key },
                  sizeBytes,
                  isKnown: !unknown.has(key)
                }))
            )
          ),
          Stream.flatMap(Stream.fromIterable)
        )

      const uploads = (bucket: Bucket): Stream.Stream<CheckedObject, Unavailable> =>
        store.listUploads(bucket).pipe(
          Stream.filter(({ key }) => StoreKey.ownerOf(key) !== undefined),
          Stream.grouped(batch),
          Stream.mapEffect(Effect.fnUntraced(function*(page) {
            const suspects = new Set(yield* liveKeys.unknown(bucket, page.map(({ key }) => key)))
            return yield* Effect.forEach(
              page,
              Effect.fnUntraced(function*({ key, uploadId }) {
                const at = { bucket, key }
                const isOpen = suspects.has(key) && Option.isSome(yield* store.listParts(at, uploadId))
                return { what: "upload" as const, at, uploadId, isKnown: !isOpen }
              })
            )
          })),
          Stream.flatMap(Stream.fromIterable)
        )

      const check = Stream.flatMap(Stream.fromIterable(StoreKey.areas), objects).pipe(
        Stream.concat(uploads("private")),
        Stream.concat(uploads("public"))
      )

      return StoredObjects.of({ check })
    })
  )
}
