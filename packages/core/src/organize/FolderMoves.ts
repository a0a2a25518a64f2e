/** Moves files from one folder to another. Spec: "Organize", `/move-files`. */
import { Context, Effect, Layer } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as Pace from "../database/Pace.ts"
import { Files } from "../files/Files.ts"
import { type InvalidField, NotFound, type Refused } from "../shared/DriveError.ts"
import type { FileId, FolderId } from "../shared/Ids.ts"
import type { Folder } from "./Folder.ts"
import { type Destination, Folders } from "./Folders.ts"
import { FoldersRepo } from "./FoldersRepo.ts"

/** Files of a folder that one transaction moves. */
const movedAtOnce: Pace.Range = { least: 100, most: 500 }

export interface MovedFiles {
  /** Those of the files that are the caller's, each once. */
  readonly moved: ReadonlyArray<FileId>
  /** Where they are now; null is the top of the drive. */
  readonly folder: Folder | null
}

type Move<From> = (
  from: From,
  to: Destination
) => Effect.Effect<MovedFiles, InvalidField | NotFound | Refused, CurrentAccount>

/** Moving never changes who can see a file, and repeating it is safe. */
export class FolderMoves extends Context.Service<FolderMoves, {
  /**
   * Moves files of the caller's, in trash or not; others are left out.
   *
   * Fails with `NotFound` when none of them is the caller's or the destination is
   * not, `InvalidField` when it would be too deep, `Refused` when it is beyond the call's limits.
   */
  readonly files: Move<ReadonlyArray<FileId>>

  /**
   * Moves every file that is in a folder (not those in folders inside it), in trash too. Of many, some at a time,
   * so that other calls of the account don't wait long.
   *
   * Fails like {@link files}; if the destination is deleted meanwhile, the files that were moved stay there.
   */
  readonly fromFolder: Move<FolderId>
}>()("@filedrive/core/organize/FolderMoves") {
  static readonly layerNoDeps = Layer.effect(
    FolderMoves,
    Effect.gen(function*() {
      const repo = yield* FoldersRepo
      const folders = yield* Folders
      const files = yield* Files
      const transaction = yield* AccountTransaction

      const moveFiles = Effect.fn("FolderMoves.files")(function*(ids: ReadonlyArray<FileId>, to: Destination) {
        const { id, limits } = yield* allowed("organize")
        return yield* transaction.run(id, () =>
          Effect.gen(function*() {
            // First: who asks for a file that there is not learns whether the folder would do. A refusal leaves none that was made for it.
            const folder = yield* folders.destination(to)
            const moved = yield* files.own(id, limits, ids)
            if (moved.length === 0) return yield* new NotFound({ resource: "file", id: ids[0] ?? "" })
            yield* files.move(id, moved, folder?.id ?? null)
            return { moved, folder: shown(folder) }
          }))
      })

      const fromFolder = Effect.fn("FolderMoves.fromFolder")(function*(from: FolderId, to: Destination) {
        const { id } = yield* allowed("organize")
        const moved: Array<FileId> = []
        const pace = Pace.make(movedAtOnce)
        for (;;) {
          const size = pace.size()
          const { batch, folder } = yield* transaction.run(id, () =>
            pace.timed(
              Effect.gen(function*() {
                const source = yield* folders.seen(from)
                const folder = yield* folders.destination(to)
                const batch = yield* repo.filesIn(id, source.id, moved.at(-1) ?? null, size)
                if (folder?.id !== source.id) yield* files.move(id, batch, folder?.id ?? null)
                return { batch, folder }
              }),
              ({ batch }) => batch.length
            ))
          moved.push(...batch)
          if (batch.length < size) return { moved, folder: shown(folder) }
        }
      })

      return FolderMoves.of({ files: moveFiles, fromFolder })
    })
  )
}

const shown = (folder: Folder | null) => folder && { id: folder.id, path: folder.path }
