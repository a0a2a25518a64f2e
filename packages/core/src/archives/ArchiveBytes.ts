/** Checks the bytes of every kept archive of every account, as {@link "../files/FileBytes.ts"} does for files. */
import { Context, Effect, Layer, Option, Stream } from "effect"
import { checkObject, type ObjectCheck } from "../objects/ObjectBytes.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { Unavailable } from "../shared/DriveError.ts"
import type { ArchiveId } from "../shared/Ids.ts"
import { ArchivesRepo } from "./ArchivesRepo.ts"
import type { KeptArchive } from "./KeptArchive.ts"

/** An archive that was checked. */
export interface CheckedArchive extends KeptArchive, ObjectCheck {}

const batch = 500
const archivesAtOnce = 4

export class ArchiveBytes extends Context.Service<ArchiveBytes, {
  /** Checks all archives that are done; fails only when storage itself can't be used. */
  readonly check: Stream.Stream<CheckedArchive, Unavailable>
}>()("@filedrive/core/archives/ArchiveBytes") {
  static readonly layerNoDeps = Layer.effect(
    ArchiveBytes,
    Effect.gen(function*() {
      const repo = yield* ArchivesRepo
      const store = yield* ObjectStore

      const checkArchive = (archive: KeptArchive) => {
        const at = StoreKey.inPrivate(archive.storeKey)
        return Effect.map(
          checkObject(store, { at, sizeBytes: archive.bytes }, repo.isThere(archive)),
          (checked): CheckedArchive => ({ ...archive, ...checked })
        )
      }

      const check = Stream.paginate(
        null as ArchiveId | null,
        (after) =>
          Effect.map(
            repo.keptAfter(after, batch),
            (archives) => [archives, Option.map(Option.fromUndefinedOr(archives.at(-1)), ({ id }) => id)] as const
          )
      ).pipe(Stream.mapEffect(checkArchive, { concurrency: archivesAtOnce }))

      return ArchiveBytes.of({ check })
    })
  )

  static readonly layer = ArchiveBytes.layerNoDeps.pipe(Layer.provide(ArchivesRepo.layer))
}
