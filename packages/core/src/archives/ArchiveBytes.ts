/** Looks at the bytes of every kept archive of every account, as {@link "../files/FileBytes.ts"} does at files'. */
import { Context, Effect, Layer, Option, Stream } from "effect"
import { checkObject, type ObjectCheck } from "../objects/ObjectBytes.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { Unavailable } from "../shared/DriveError.ts"
import type { AccountId, ArchiveId } from "../shared/Ids.ts"
import { ArchivesRepo } from "./ArchivesRepo.ts"

/** An archive that is done and kept. */
export interface KeptArchive {
  readonly id: ArchiveId
  readonly accountId: AccountId
  readonly storeKey: string
  readonly bytes: number
}

/** An archive that was looked at. */
export interface CheckedArchive extends KeptArchive, ObjectCheck {}

const batch = 500
const archivesAtOnce = 4

export class ArchiveBytes extends Context.Service<ArchiveBytes, {
  /** Looks at all archives that are done; fails only when storage itself can't be used. */
  readonly look: Stream.Stream<CheckedArchive, Unavailable>
}>()("@filedrive/core/archives/ArchiveBytes") {
  static readonly layerNoDeps = Layer.effect(
    ArchiveBytes,
    Effect.gen(function*() {
      const repo = yield* ArchivesRepo
      const store = yield* ObjectStore

      const lookAtArchive = (archive: KeptArchive) => {
        const at = StoreKey.inPrivate(archive.storeKey)
        return Effect.map(
          checkObject(store, { at, sizeBytes: archive.bytes }, repo.isThere(archive)),
          (looked): CheckedArchive => ({ ...archive, ...looked })
        )
      }

      const look = Stream.paginate(
        null as ArchiveId | null,
        (after) =>
          Effect.map(
            repo.keptAfter(after, batch),
            (archives) => [archives, Option.map(Option.fromUndefinedOr(archives.at(-1)), ({ id }) => id)] as const
          )
      ).pipe(Stream.mapEffect(lookAtArchive, { concurrency: archivesAtOnce }))

      return ArchiveBytes.of({ look })
    })
  )

  static readonly layer = ArchiveBytes.layerNoDeps.pipe(Layer.provide(ArchivesRepo.layer))
}
