/** What can be done with folders themselves. Contract: "Files", folders. */
import { Context, Effect, Layer, Option, Result } from "effect"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import { Ledger } from "../accounts/Ledger.ts"
import * as Pace from "../database/Pace.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { Disposal } from "../files/Disposal.ts"
import { Files } from "../files/Files.ts"
import * as Limits from "../limits/Limits.ts"
import { InvalidField, type NotFound, type Refused } from "../shared/DriveError.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import type { AccountId, FileId, FolderId } from "../shared/Ids.ts"
import { foldCase } from "../shared/Text.ts"
import { type Destination, Folders } from "./Folders.ts"
import { type Folder, FoldersRepo, type StoredFolder } from "./FoldersRepo.ts"

/** Files that one transaction moves out of a folder that is being deleted. */
const emptiedAtOnce: Pace.Range = { least: 50, most: 500 }

/** Folders that one transaction looks for files in: most may be empty. */
const foldersAtOnce = 100

/** A folder as callers see it. Spec: "Other resources", Folder. */
export interface FolderItem extends Folder {
  /** Files in view that are in it, not inside other folders of it. */
  readonly fileCount: number
}

/** What becomes of the files of a deleted folder: they go to the folder above it, or to trash. */
export type FilesGo = "parent" | "trash"

/** A token that is limited to a folder may do all of this inside it, but not to it. */
export class FolderTree extends Context.Service<FolderTree, {
  /**
   * Makes the folder at a path, with its missing parents. One that is there is answered as it is.
   *
   * Fails with `InvalidField` (`path`), `Refused`.
   */
  readonly create: (path: string) => Effect.Effect<FolderItem, InvalidField | Refused | NotFound, CurrentAccount>

  /**
   * Gives a folder another name, or another spelling of its name. Fails with `NotFound`, `Refused`, and
   * `InvalidField` (`name`) when it is no name or another folder there has it.
   */
  readonly rename: (
    id: FolderId,
    name: string
  ) => Effect.Effect<FolderItem, InvalidField | NotFound | Refused, CurrentAccount>

  /**
   * Puts a folder, with all that is in it, into another or at the top of the drive.
   *
   * Fails with `NotFound`, `Refused`, and with `InvalidField` (`field`) when the destination is the folder itself or
   * inside it, has a folder of that name, or so deep that what moves would be below the deepest.
   */
  readonly move: (
    id: FolderId,
    to: Destination,
    field: string
  ) => Effect.Effect<FolderItem, InvalidField | NotFound | Refused, CurrentAccount>

  /**
   * Deletes a folder and those inside it, with the API tokens and sessions that are limited to one of them. Its files,
   * those in trash too, are in the folder above it afterwards, or nowhere; `trash` puts those in view in trash as
   * well, from where they are restored to there. `files` in the answer is how many there were.
   *
   * A folder of many files is emptied some at a time, so that other calls of the account don't wait long: when the
   * call fails on the way, repeat it. Fails with `NotFound`, `Refused`.
   */
  readonly delete: (
    id: FolderId,
    filesGo: FilesGo
  ) => Effect.Effect<
    { readonly folders: number; readonly files: number },
    InvalidField | NotFound | Refused,
    CurrentAccount
  >
}>()("@filedrive/core/organize/FolderTree") {
  static readonly layerNoDeps = Layer.effect(
    FolderTree,
    Effect.gen(function*() {
      const repo = yield* FoldersRepo
      const folders = yield* Folders
      const disposal = yield* Disposal
      const files = yield* Files
      const ledger = yield* Ledger

      const create = Effect.fn("FolderTree.create")(function*(path: string) {
        const { id } = yield* allowed("organize")
        const folder = yield* ledger.locked(id, () => folders.destination({ path, field: "path" }))
        return folder === null ? yield* invalid("path", "must name a folder, not the top of the drive") : item(folder)
      })

      /** Puts a folder elsewhere, unless another one is there already. */
      const relocate = Effect.fnUntraced(
        function*(folder: StoredFolder, parent: StoredFolder | null, name: string, field: string) {
          const foldedName = foldCase(name)
          const other = yield* repo.child(folder.accountId, parent?.id ?? null, foldedName)
          if (Option.isSome(other) && other.value.id !== folder.id) {
            return yield* invalid(field, `must not be taken: ${other.value.path} is there already`)
          }
          const path = `${parent?.path ?? ""}/${name}`
          const depth = (parent?.depth ?? 0) + 1
          yield* repo.relocate(folder, {
            parentId: parent?.id ?? null,
            name,
            foldedName,
            path,
            foldedPath: `${parent?.foldedPath ?? ""}/${foldedName}`,
            depth
          })
          return item({ ...folder, path })
        }
      )

      const rename = Effect.fn("FolderTree.rename")(function*(folderId: FolderId, name: string) {
        const { id } = yield* allowed("organize")
        const parsed = FolderPath.parseName(name)
        if (Result.isFailure(parsed)) return yield* invalid("name", parsed.failure)
        return yield* ledger.locked(id, () =>
          Effect.gen(function*() {
            const folder = yield* folders.changeable(folderId)
            const parent = folder.parentId === null ? null : Option.getOrThrow(yield* repo.find(id, folder.parentId))
            return yield* relocate(folder, parent, parsed.success, "name")
          }))
      })

      const move = Effect.fn("FolderTree.move")(function*(folderId: FolderId, to: Destination, field: string) {
        const { id } = yield* allowed("organize")
        return yield* ledger.locked(id, () =>
          Effect.gen(function*() {
            const folder = yield* folders.changeable(folderId)
            const parent = yield* folders.destination(to)
            if (parent !== null && FolderPath.isInside(parent.foldedPath, folder.foldedPath)) {
              return yield* invalid(field, "must not be the folder itself or inside it")
            }
            if ((parent?.id ?? null) === folder.parentId) return item(folder)
            const levels = (yield* repo.deepest(folder)) - folder.depth + 1
            if ((parent?.depth ?? 0) + levels > Limits.folderMaxDepth) return yield* invalid(field, FolderPath.tooDeep)
            return yield* relocate(folder, parent, folder.name, field)
          }))
      })

      const remove = Effect.fn("FolderTree.delete")(function*(folderId: FolderId, filesGo: FilesGo) {
        const { id } = yield* allowed("organize")
        if (filesGo === "trash") yield* allowed("delete")
        let fileCount = 0
        const pace = Pace.make(emptiedAtOnce)
        // Folder by folder, on from where the last batch ended: from the start, each would pass over the places of all that
        // have left. Only a folder that files have come to meanwhile is gone through again.
        const passed = new Map<FolderId, { readonly arrivals: number; readonly to: FileId | "its end" }>()
        const pick = Effect.fnUntraced(function*(
          accountId: AccountId,
          subtree: Effect.Success<ReturnType<typeof repo.subtree>>,
          size: number
        ) {
          const batch: Array<FileId> = []
          let looks = 0
          for (const { arrivals, id } of subtree) {
            const known = passed.get(id)
            const to = known?.arrivals === arrivals ? known.to : null
            if (to === "its end") continue
            if (batch.length === size || looks++ === foldersAtOnce) return { batch, isLast: false }
            const some = yield* repo.filesIn(accountId, id, to, size - batch.length)
            batch.push(...some)
            passed.set(id, { arrivals, to: batch.length < size ? "its end" : some.at(-1)! })
          }
          return { batch, isLast: batch.length < size }
        })
        for (;;) {
          const size = pace.size()
          const { batch, deleted } = yield* ledger.locked(id, () =>
            pace.timed(
              Effect.gen(function*() {
                const folder = yield* folders.changeable(folderId)
                const subtree = yield* repo.subtree(folder)
                const { batch, isLast } = yield* pick(id, subtree, size)
                if (filesGo === "trash") yield* disposal.trash(batch)
                yield* files.move(id, batch, folder.parentId)
                if (!isLast) return { batch, deleted: null }
                yield* repo.remove(id, subtree.map(({ id }) => id))
                return { batch, deleted: subtree.length }
              }),
              ({ batch }) => batch.length
            ))
          fileCount += batch.length
          if (deleted !== null) return { folders: deleted, files: fileCount }
        }
      }, WritePurpose.freeing)

      return FolderTree.of({ create, rename, move, delete: remove })
    })
  )
}

const item = ({ fileCount, id, path }: StoredFolder): FolderItem => ({ id, path, fileCount })

const invalid = (field: string, because: string) => new InvalidField({ code: "invalid_field", field, because })
