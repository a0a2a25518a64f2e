/**
 * Compares storage with the database for an operator: which files' and kept archives' bytes are lost or damaged, and which
 * objects are nobody's. Changes nothing, and holds no more at a time than a page of either, however much there is.
 */
import { Context, Effect, Layer, Stream } from "effect"
import { ArchiveBytes, type CheckedArchive } from "./archives/ArchiveBytes.ts"
import { ArchivesLiveKeys } from "./archives/ArchivesLiveKeys.ts"
import { type CheckedFile, FileBytes } from "./files/FileBytes.ts"
import { FilesLiveKeys } from "./files/FilesLiveKeys.ts"
import { ImportsLiveKeys } from "./imports/ImportsLiveKeys.ts"
import { LiveKeys } from "./objects/LiveKeys.ts"
import { type CheckedObject, StoredObjects } from "./objects/StoredObjects.ts"
import type { Unavailable } from "./shared/DriveError.ts"
import { UploadsLiveKeys } from "./uploads/UploadsLiveKeys.ts"

/** One thing that was looked at: a file or kept archive of the database, or an object or open upload of storage. */
export type Checked =
  | { readonly what: "file"; readonly file: CheckedFile }
  | { readonly what: "archive"; readonly archive: CheckedArchive }
  | CheckedObject

export class StorageCheck extends Context.Service<StorageCheck, {
  /** How many files the database has, which come first. */
  readonly fileCount: Effect.Effect<number>
  /** All files, all kept archives, then all objects and open uploads at the drive's keys; what else is in the buckets is left alone. */
  readonly check: Stream.Stream<Checked, Unavailable>
}>()("@filedrive/core/StorageCheck") {
  static readonly layerNoDeps = Layer.effect(
    StorageCheck,
    Effect.gen(function*() {
      const archives = yield* ArchiveBytes
      const bytes = yield* FileBytes
      const objects = yield* StoredObjects

      const check = bytes.look.pipe(
        Stream.map((file): Checked => ({ what: "file", file })),
        Stream.concat(Stream.map(archives.look, (archive): Checked => ({ what: "archive", archive }))),
        Stream.concat(objects.check)
      )

      return StorageCheck.of({ fileCount: bytes.count, check })
    })
  )

  /** On a database and storage alone, without a drive around it: no feature runs, and all say which objects they need. */
  static readonly layer = StorageCheck.layerNoDeps.pipe(
    Layer.provide([FileBytes.layer, ArchiveBytes.layer, StoredObjects.layerNoDeps]),
    Layer.provide([FilesLiveKeys, UploadsLiveKeys, ImportsLiveKeys, ArchivesLiveKeys]),
    Layer.provide(LiveKeys.layer)
  )
}
