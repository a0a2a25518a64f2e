/** The operations on folders themselves. Contract: "Files", folders. */
import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, CurrentAccount, unlimited } from "../accounts/CurrentAccount.ts"
import { Catalog } from "../catalog/Catalog.ts"
import * as Pace from "../database/Pace.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { Files } from "../files/Files.ts"
import { Trash } from "../files/Trash.ts"
import * as Job from "../jobs/Job.ts"
import { done } from "../jobs/Jobs.ts"
import * as Limits from "../limits/Limits.ts"
import { InvalidField, type NotFound, type Refused } from "../shared/DriveError.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { AccountId, type FileId, FolderId } from "../shared/Ids.ts"
import { foldCase } from "../shared/Text.ts"
import { Waits } from "../waits/Waits.ts"
import type { FolderItem, StoredFolder } from "./Folder.ts"
import { FolderRelocations } from "./FolderRelocations.ts"
import { FolderRemovals } from "./FolderRemovals.ts"
import { type Destination, Folders } from "./Folders.ts"
import { FoldersRepo } from "./FoldersRepo.ts"

/** Folders that one transaction searches for files and deletes, and files that it moves out of them. */
const emptiedAtOnce: Pace.Range = { least: 50, most: 500 }

/** One of each call. */
export const folderDeletionJob = Job.define("folders.delete", {
  description: "Deletes what is left of a folder.",
  when: "a minute after the last batch of a call that was interrupted",
  key: Job.key({
    accountId: AccountId,
    folderId: FolderId,
    filesGo: Schema.Literals(["parent", "trash"]),
    callId: Schema.String.check(Schema.isUUID())
  }),
  concurrency: 1
})

/** The delay of that job, unless the call has postponed it. */
const jobDelay = Duration.minutes(1)

/** How often a call that is still running postpones it. */
const putOffEvery = Duration.seconds(15)

/** Called after each batch with whether the folder still exists. */
interface Rest {
  readonly isLeft: Effect.Effect<void>
  readonly isDone: Effect.Effect<void>
}

/** Where the files of a deleted folder are moved: to the folder above it, or to trash. */
export type FilesGo = "parent" | "trash"

/** A token that is limited to a folder may do all of this inside it, but not to it. */
export class FolderTree extends Context.Service<FolderTree, {
  /**
   * Makes the folder at a path, with its missing parents. A folder that exists is returned as it is.
   *
   * Fails with `InvalidField` (`path`), `Refused`.
   */
  readonly create: (
    path: FolderPath.Path
  ) => Effect.Effect<FolderItem, InvalidField | Refused | NotFound, CurrentAccount>

  /**
   * Renames a folder, or changes the spelling of its name. With many folders inside it, their paths follow in batches
   * (`FolderRelocations`): when the call fails in between, they follow soon after. Fails with `NotFound`, `Refused`, and
   * `InvalidField` (`name`) when another folder there has it.
   */
  readonly rename: (
    id: FolderId,
    name: FolderPath.FolderName
  ) => Effect.Effect<FolderItem, InvalidField | NotFound | Refused, CurrentAccount>

  /**
   * Moves a folder, with everything in it, into another or to the top of the drive; in batches like {@link rename}.
   *
   * Fails with `NotFound`, `Refused`, and with `InvalidField` (`field`) when the destination is the folder itself or
   * inside it, has a folder of that name, or is so deep that something in the folder would be too deep.
   */
  readonly move: (
    id: FolderId,
    to: Destination,
    field: string
  ) => Effect.Effect<FolderItem, InvalidField | NotFound | Refused, CurrentAccount>

  /**
   * Deletes a folder and those inside it, with the API tokens and sessions that are limited to one of them. Its files,
   * those in trash too, are in the folder above it afterwards, or in none; `trash` puts those in view in trash as
   * well, from which they are restored to there. `files` in the answer is how many there were.
   *
   * A folder of many files or folders is emptied some at a time, the last by path first, so that other calls don't wait
   * long: when the call is interrupted, a job deletes the rest a minute later. Fails with `NotFound`, `Refused`.
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
      const removals = yield* FolderRemovals
      const repo = yield* FoldersRepo
      const catalog = yield* Catalog
      const folders = yield* Folders
      const trash = yield* Trash
      const files = yield* Files
      const transaction = yield* AccountTransaction
      const relocations = yield* FolderRelocations
      const waits = yield* Waits
      const deletions = yield* folderDeletionJob.queue
      const random = yield* SecureRandom.SecureRandom

      const create = Effect.fn("FolderTree.create")(function*(path: FolderPath.Path) {
        const { id } = yield* allowed("organize")
        const folder = yield* transaction.share(id, () => folders.destination({ path, field: "path" }))
        return folder === null ? yield* invalid("path", "must name a folder, not the top of the drive") : item(folder)
      })

      /** Moves or renames a folder, unless another one has that path; inside `FolderRelocations.settled`. */
      const relocate = Effect.fnUntraced(
        function*(folder: StoredFolder, parent: StoredFolder | null, name: string, field: string) {
          const foldedName = foldCase(name)
          const other = yield* repo.child(folder.accountId, parent?.id ?? null, foldedName)
          if (Option.isSome(other) && other.value.id !== folder.id) {
            return yield* invalid(field, `must be unused: ${other.value.path} already exists`)
          }
          const path = `${parent?.path ?? ""}/${name}`
          if (path === folder.path) return { folder: item(folder), job: null }
          const foldedPath = `${parent?.foldedPath ?? ""}/${foldedName}`
          const relocated = relocations.relocate(folder, {
            parentId: parent?.id ?? null,
            name,
            foldedName,
            path,
            foldedPath,
            depth: (parent?.depth ?? 0) + 1
          })
          const job = yield* waits.whileMovingFolder(folder.accountId, folder, foldedPath, relocated)
          return { folder: item({ ...folder, path }), job }
        }
      )

      const rename = Effect.fn("FolderTree.rename")(function*(folderId: FolderId, name: FolderPath.FolderName) {
        const { id } = yield* allowed("organize")
        const { folder, job } = yield* relocations.settled(
          id,
          Effect.gen(function*() {
            const folder = yield* folders.changeable(folderId)
            const parent = folder.parentId === null ? null : Option.getOrThrow(yield* repo.find(id, folder.parentId))
            return yield* relocate(folder, parent, name, "name")
          })
        )
        yield* relocations.finish(id, job)
        return folder
      })

      const move = Effect.fn("FolderTree.move")(function*(folderId: FolderId, to: Destination, field: string) {
        const { id } = yield* allowed("organize")
        const { folder, job } = yield* relocations.settled(
          id,
          Effect.gen(function*() {
            const folder = yield* folders.changeable(folderId)
            const parent = yield* folders.destination(to)
            if (parent !== null && FolderPath.isInside(parent.foldedPath, folder.foldedPath)) {
              return yield* invalid(field, "must not be the folder itself or inside it")
            }
            if ((parent?.id ?? null) === folder.parentId) return { folder: item(folder), job: null }
            const levels = (yield* repo.deepest(folder)) - folder.depth + 1
            if ((parent?.depth ?? 0) + levels > Limits.folderMaxDepth) return yield* invalid(field, FolderPath.tooDeep)
            return yield* relocate(folder, parent, folder.name, field)
          })
        )
        yield* relocations.finish(id, job)
        return folder
      })

      /**
       * Enqueues and cancels the job that deletes what is left of a folder if the call is interrupted; both inside `AccountTransaction.run`. The
       * job waits as long as the call postpones it.
       */
      const restOf = (accountId: AccountId, folderId: FolderId, filesGo: FilesGo): Rest => {
        let asked: { readonly key: typeof folderDeletionJob.key.Type; readonly time: DateTime.Utc } | null = null
        const isDone = Effect.suspend(() => asked === null ? Effect.void : deletions.cancel(asked.key))
        const isLeft = Effect.gen(function*() {
          const now = yield* DateTime.now
          if (asked !== null && DateTime.isLessThan(now, DateTime.addDuration(asked.time, putOffEvery))) return
          yield* isDone
          const key = { accountId, folderId, filesGo, callId: yield* random.uuidV7() }
          yield* deletions.enqueue(key, DateTime.addDuration(now, jobDelay))
          asked = { key, time: now }
        })
        return { isLeft, isDone }
      }

      const removeAll = Effect.fnUntraced(function*(folderId: FolderId, filesGo: FilesGo, rest: Rest) {
        const { id } = yield* CurrentAccount
        const pace = Pace.make(emptiedAtOnce)
        // Where to continue in the folder that is being emptied, unless files have been added to it meanwhile: from the start, each batch
        // would skip the index entries of all that were moved out.
        let emptying: { readonly id: FolderId; readonly arrivals: number; readonly after: FileId } | null = null
        /** The first of the files, as many as one transaction may put in trash besides those it has taken already. */
        const fitsBeside = Effect.fnUntraced(function*(taken: ReadonlyArray<FileId>, some: ReadonlyArray<FileId>) {
          const [group = []] = yield* catalog.inBatches([...taken, ...some])
          return some.slice(0, Math.max(0, group.length - taken.length))
        })
        /** Files of the last folders by path, and which of these folders contain no others. */
        const pick = Effect.fnUntraced(function*(folder: StoredFolder, size: number) {
          const last = yield* repo.last(folder, size)
          const begun = emptying
          const place = last.find((at) => at.id === begun?.id && at.arrivals === begun.arrivals)
          const holding = yield* repo.holding(id, last.flatMap((at) => at === place ? [] : [at.id]))
          const batch: Array<FileId> = []
          const emptied: Array<FolderId> = []
          for (const at of last) {
            if (at === place || holding.has(at.id)) {
              const room = size - batch.length
              const some = yield* repo.filesIn(id, at.id, at === place ? begun!.after : null, room)
              const fitting = filesGo === "trash" ? yield* fitsBeside(batch, some) : some
              batch.push(...fitting)
              if (some.length === room || fitting.length < some.length) {
                if (fitting.length > 0) emptying = { id: at.id, arrivals: at.arrivals, after: fitting.at(-1)! }
                break
              }
            }
            emptied.push(at.id)
          }
          return { batch, emptied }
        })
        const removeSome = Effect.gen(function*() {
          const folder = yield* folders.changeable(folderId)
          const { batch, emptied } = yield* pick(folder, pace.size())
          // Links follow after the commit: bytes that left the public bucket would not come back with the rows.
          const takeLinks = filesGo === "trash" ? yield* trash.putWithin(batch) : Effect.void
          yield* files.move(id, batch, folder.parentId)
          if (emptied.length > 0) {
            yield* removals.removing(id, emptied)
            yield* repo.remove(id, emptied)
          }
          const isLast = emptied.includes(folderId)
          yield* isLast ? rest.isDone : rest.isLeft
          return { files: batch.length, folders: emptied.length, isLast, takeLinks }
        })
        const deleted = { folders: 0, files: 0 }
        const some = relocations.settled(id, pace.timed(removeSome, (batch) => batch.files + batch.folders)).pipe(
          // Another call, or the job, may have finished what this call began.
          Effect.catchTag(
            "NotFound",
            (missing) =>
              Effect.flatMap(
                folders.find(id, folderId),
                (found) =>
                  deleted.folders + deleted.files > 0 && Option.isNone(found)
                    ? Effect.succeed({ files: 0, folders: 0, isLast: true, takeLinks: Effect.void })
                    : Effect.fail(missing)
              )
          ),
          // The call may not continue, so neither may the job.
          Effect.tapError(() => rest.isDone)
        )
        while (true) {
          const batch = yield* some
          yield* batch.takeLinks
          deleted.folders += batch.folders
          deleted.files += batch.files
          if (batch.isLast) return deleted
        }
      }, WritePurpose.freeing)

      const remove = Effect.fn("FolderTree.delete")(function*(folderId: FolderId, filesGo: FilesGo) {
        const { id } = yield* allowed("organize")
        if (filesGo === "trash") yield* allowed("delete")
        return yield* removeAll(folderId, filesGo, restOf(id, folderId, filesGo))
      })

      yield* folderDeletionJob.handle(({ accountId, filesGo, folderId }) =>
        removeAll(folderId, filesGo, { isLeft: Effect.void, isDone: Effect.void }).pipe(
          Effect.catchTag("NotFound", () => Effect.void),
          Effect.provideService(CurrentAccount, { id: accountId, tokenId: null, limits: unlimited }),
          Effect.as(done)
        )
      )

      return FolderTree.of({ create, rename, move, delete: remove })
    })
  )
}

const item = ({ fileCount, id, path }: StoredFolder): FolderItem => ({ id, path, fileCount })

const invalid = (field: string, because: string) => new InvalidField({ code: "invalid_field", field, because })
