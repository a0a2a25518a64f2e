/**
 * Compares storage with the database for an operator: which files' and kept archives' bytes are lost or damaged, and which
 * objects belong to nothing in the database. Changes nothing, and holds at most a page of either in memory at a time.
 */
import { Context, Effect, Layer, Stream } from "effect"
import { ArchiveBytes, type CheckedArchive } from "./archives/ArchiveBytes.ts"
import * as Features from "./Features.ts"
import { type CheckedFile, FileBytes } from "./files/FileBytes.ts"
import { LiveKeys } from "./objects/LiveKeys.ts"
import { type CheckedObject, StoredObjects } from "./objects/StoredObjects.ts"
import { type ObjectAddress, ObjectStore } from "./ports/ObjectStore.ts"
import type { Unavailable } from "./shared/DriveError.ts"

/** One thing that was checked: a file or kept archive of the database, or an object or open upload of storage. */
export type Checked =
  | { readonly what: "file"; readonly file: CheckedFile }
  | { readonly what: "archive"; readonly archive: CheckedArchive }
  | CheckedObject

/** How storage and database differ, in numbers. */
export interface Survey {
  /** Files whose object is missing. */
  readonly lost: number
  /** Objects that no row needs. */
  readonly orphaned: number
  readonly orphanedBytes: number
}

export class StorageCheck extends Context.Service<StorageCheck, {
  /** How many files the database has, which come first. */
  readonly fileCount: Effect.Effect<number>
  /** All files, all kept archives, then all objects and open uploads at the drive's keys; what else is in the buckets is left alone. */
  readonly check: Stream.Stream<Checked, Unavailable>
  /** The same in numbers; reads no file's bytes, so it finds none that is damaged. */
  readonly survey: Effect.Effect<Survey, Unavailable>
  /** The bytes of an object, such as an orphaned one. */
  readonly read: (at: ObjectAddress) => Stream.Stream<Uint8Array, Unavailable>
}>()("@filedrive/core/StorageCheck") {
  static readonly layerNoDeps = Layer.effect(
    StorageCheck,
    Effect.gen(function*() {
      const archives = yield* ArchiveBytes
      const bytes = yield* FileBytes
      const objects = yield* StoredObjects
      const store = yield* ObjectStore

      const check = bytes.check.pipe(
        Stream.map((file): Checked => ({ what: "file", file })),
        Stream.concat(Stream.map(archives.check, (archive): Checked => ({ what: "archive", archive }))),
        Stream.concat(objects.check)
      )

      const survey = Effect.gen(function*() {
        const lost = yield* bytes.lostCount
        return yield* Stream.runFold(
          objects.check,
          (): Survey => ({ lost, orphaned: 0, orphanedBytes: 0 }),
          (sum, checked) =>
            checked.what === "upload" || checked.isKnown
              ? sum
              : { lost, orphaned: sum.orphaned + 1, orphanedBytes: sum.orphanedBytes + checked.sizeBytes }
        )
      })

      return StorageCheck.of({ fileCount: bytes.count, check, survey, read: (at) => store.get(at) })
    })
  )

  /** On a database and storage alone, without a drive around it: no feature runs, and all say which objects they need. */
  static readonly layer = StorageCheck.layerNoDeps.pipe(
    Layer.provide([FileBytes.layer, ArchiveBytes.layer, StoredObjects.layerNoDeps]),
    Layer.provide(Features.liveKeys),
    Layer.provide(LiveKeys.layer)
  )
}
