/**
 * Compares storage with the database for an operator: which files' and kept archives' bytes are lost or damaged, and which
 * objects are nobody's. Changes nothing, and holds no more at a time than a page of either, however much there is.
 */
import { Context, Effect, Layer, Option, Stream } from "effect"
import { ArchiveBytes, type CheckedArchive } from "../archives/ArchiveBytes.ts"
import { type CheckedFile, FileBytes } from "../files/FileBytes.ts"
import { LiveKeys } from "../objects/LiveKeys.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { type Bucket, type ObjectAddress, ObjectStore } from "../ports/ObjectStore.ts"
import type { Unavailable } from "../shared/DriveError.ts"
import { FormsRepo } from "./FormsRepo.ts"
import { UnknownObjects } from "./UnknownObjects.ts"
import { UploadsRepo } from "./UploadsRepo.ts"

/** One thing that was looked at: a file or kept archive of the database, or an object or open upload of storage. */
export type Checked =
  | { readonly what: "file"; readonly file: CheckedFile }
  | { readonly what: "archive"; readonly archive: CheckedArchive }
  | { readonly what: "object"; readonly at: ObjectAddress; readonly sizeBytes: number; readonly isKnown: boolean }
  | { readonly what: "upload"; readonly at: ObjectAddress; readonly uploadId: string; readonly isKnown: boolean }

const batch = 500

export class StorageCheck extends Context.Service<StorageCheck, {
  /** How many files the database has, which come first. */
  readonly fileCount: Effect.Effect<number>
  /** All files, all kept archives, then all objects and open uploads at the drive's keys; what else is in the buckets is left alone. */
  readonly check: Stream.Stream<Checked, Unavailable>
}>()("@filedrive/core/uploads/StorageCheck") {
  static readonly layerNoDeps = Layer.effect(
    StorageCheck,
    Effect.gen(function*() {
      const archives = yield* ArchiveBytes
      const bytes = yield* FileBytes
      const store = yield* ObjectStore
      const unknown = yield* UnknownObjects

      /** Those of a page that nobody knows, and that are still there: what was removed meanwhile was somebody's. */
      const unknownAmong = Effect.fnUntraced(function*(bucket: Bucket, keys: ReadonlyArray<string>) {
        const suspects = yield* unknown.among(bucket, keys)
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
        return new Set(yield* unknown.among(bucket, there))
      })

      const objects = (bucket: Bucket, prefix: string): Stream.Stream<Checked, Unavailable> =>
        store.list(bucket, prefix).pipe(
          Stream.filter(({ key }) => StoreKey.ownerOf(key) !== undefined),
          Stream.grouped(batch),
          Stream.mapEffect((page) =>
            Effect.map(
              unknownAmong(bucket, page.map(({ key }) => key)),
              (unknown) =>
                page.map(({ key, sizeBytes }): Checked => ({
                  what: "object",
                  at: { bucket, key },
                  sizeBytes,
                  isKnown: !unknown.has(key)
                }))
            )
          ),
          Stream.flatMap(Stream.fromIterable)
        )

      const uploads = (bucket: Bucket): Stream.Stream<Checked, Unavailable> =>
        store.listUploads(bucket).pipe(
          Stream.filter(({ key }) => StoreKey.ownerOf(key) !== undefined),
          Stream.grouped(batch),
          Stream.mapEffect(Effect.fnUntraced(function*(page) {
            const suspects = new Set(yield* unknown.among(bucket, page.map(({ key }) => key)))
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

      const check = bytes.look.pipe(
        Stream.map((file): Checked => ({ what: "file", file })),
        Stream.concat(Stream.map(archives.look, (archive): Checked => ({ what: "archive", archive }))),
        Stream.concat(objects("private", StoreKey.filesPrefix)),
        Stream.concat(objects("private", StoreKey.incomingPrefix)),
        Stream.concat(objects("public", StoreKey.filesPrefix)),
        Stream.concat(uploads("private")),
        Stream.concat(uploads("public"))
      )

      return StorageCheck.of({ fileCount: bytes.count, check })
    })
  )

  /** On a database and storage alone, without a drive around it. */
  static readonly layer = StorageCheck.layerNoDeps.pipe(
    Layer.provide([FileBytes.layer, ArchiveBytes.layer, UnknownObjects.layerNoDeps]),
    Layer.provide([LiveKeys.layer, FormsRepo.layer, UploadsRepo.layer])
  )
}
