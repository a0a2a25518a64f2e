/** Trash, and deleting for good. Spec: "Trash"; "States and transitions", File. */
import { Context, DateTime, Effect, Layer } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, type CurrentAccount, type Limits } from "../accounts/CurrentAccount.ts"
import { Quota } from "../accounts/Quota.ts"
import { Catalog } from "../catalog/Catalog.ts"
import * as Pace from "../database/Pace.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import type { PendingDeletion } from "../objects/PendingDeletion.ts"
import { PendingDeletions } from "../objects/PendingDeletions.ts"
import { StrayLinks } from "../objects/StrayLinks.ts"
import type { InvalidField, Refused } from "../shared/DriveError.ts"
import { type AccountId, type FileId, onceEach } from "../shared/Ids.ts"
import { Waits } from "../waits/Waits.ts"
import { BucketTransfers } from "./BucketTransfers.ts"
import { FilesRepo } from "./FilesRepo.ts"
import { LastingLinks } from "./LastingLinks.ts"
import type { OwnedFile, TrashedFile } from "./TrashedFile.ts"
import { TrashRepo } from "./TrashRepo.ts"

/** Files that one transaction purges. */
const purged: Pace.Range = { least: 25, most: 200 }

/** Files that one transaction takes out of trash. A call may name any number of them. */
const restoredAtOnce = 100

type ByIds = (
  ids: ReadonlyArray<FileId>
) => Effect.Effect<ReadonlyArray<FileId>, InvalidField | Refused, CurrentAccount>

/**
 * Files that many lists hold are trashed, restored and deleted some at a time: when such a call fails on the way, repeat it.
 *
 * Each operation on files by id returns those of the ids that are the caller's,
 * each once and in the order asked, and skips the others; repeating it is safe.
 */
export class Trash extends Context.Service<Trash, {
  /**
   * Puts files in trash, from which they can be restored. When it ends, the lasting links of public ones answer 404, as
   * far as storage answered within ten seconds; otherwise soon after.
   */
  readonly put: ByIds

  /**
   * The same inside a transaction of the caller's, where nothing may wait for storage. Returns an effect that ends the links of public
   * ones, to be run after that transaction has ended; a job does it when the caller is interrupted before.
   */
  readonly putWithin: (
    ids: ReadonlyArray<FileId>
  ) => Effect.Effect<Effect.Effect<void>, InvalidField | Refused, CurrentAccount>

  /** Restores files from trash. Lasting links work again as before, as soon as those of trashed files would answer 404. */
  readonly restore: ByIds

  /**
   * Deletes files for good, in trash or not: their rows and those of their
   * derivatives at once, the stored objects now as far as storage answers and
   * otherwise later until they are gone.
   */
  readonly delete: ByIds

  /** Deletes everything that is in trash when it is called; a few files at a time, so that no other call waits long. */
  readonly empty: Effect.Effect<void, Refused, CurrentAccount>
}>()("@filedrive/core/files/Trash") {
  static readonly layerNoDeps = Layer.effect(
    Trash,
    Effect.gen(function*() {
      const repo = yield* TrashRepo
      const files = yield* FilesRepo
      const catalog = yield* Catalog
      const deletions = yield* PendingDeletions
      const moves = yield* BucketTransfers
      const links = yield* LastingLinks
      const strays = yield* StrayLinks
      const transaction = yield* AccountTransaction
      const waits = yield* Waits
      const quota = yield* Quota

      /**
       * Moves the files to trash or back, group by group, one transaction each. `change` gets those that are not there
       * yet. Returns the caller's files in the order named, and an effect that moves their links after the commit.
       */
      const changeInGroups = Effect.fnUntraced(function*(
        id: AccountId,
        limits: Limits,
        named: ReadonlyArray<FileId>,
        to: "trashed" | "restored",
        change: (ids: ReadonlyArray<FileId>) => Effect.Effect<void>
      ) {
        const changeGroup = (some: ReadonlyArray<FileId>) =>
          transaction.run(id, () =>
            Effect.gen(function*() {
              const owned = yield* repo.owned(id, limits, some, "change")
              const changed = owned.filter(({ isTrashed }) => isTrashed !== (to === "trashed"))
              yield* change(changed.map((file) => file.id))
              if (to === "trashed") yield* strays.follow(id, files.keysOf(id, changed.map((file) => file.id)))
              return { owned, changed, left: yield* links.follow(id, changed, to) }
            }))
        const batches = yield* Effect.forEach(yield* catalog.inBatches(named), changeGroup)
        const takeLinks = Effect.andThen(
          deletions.removeNow(id, batches.flatMap(({ left }) => left)),
          links.settle(id, batches.flatMap(({ changed }) => changed))
        )
        return { ids: inOrder(named, batches.flatMap(({ owned }) => owned)), takeLinks }
      })

      const putInTrash = Effect.fnUntraced(function*(ids: ReadonlyArray<FileId>) {
        const { id, limits } = yield* allowed("delete")
        const now = yield* DateTime.now
        return yield* changeInGroups(
          id,
          limits,
          onceEach(ids),
          "trashed",
          (leaving) => Effect.andThen(repo.trash(id, leaving, now), catalog.onTrashed(id, leaving))
        )
      })

      const put = Effect.fn("Trash.put")(function*(given: ReadonlyArray<FileId>) {
        const { ids, takeLinks } = yield* putInTrash(given)
        yield* takeLinks
        return ids
      }, WritePurpose.freeing)

      const putWithin = Effect.fn("Trash.putWithin")(function*(given: ReadonlyArray<FileId>) {
        const { takeLinks } = yield* putInTrash(given)
        return WritePurpose.freeing(takeLinks)
      }, WritePurpose.freeing)

      const restore = Effect.fn("Trash.restore")(function*(ids: ReadonlyArray<FileId>) {
        const { id, limits } = yield* allowed("delete")
        const named = onceEach(ids)
        const restored: Array<FileId> = []
        for (let at = 0; at < named.length; at += restoredAtOnce) {
          const some = named.slice(at, at + restoredAtOnce)
          const { ids, takeLinks } = yield* changeInGroups(
            id,
            limits,
            some,
            "restored",
            (returning) =>
              Effect.andThen(
                Effect.andThen(repo.restore(id, returning), catalog.onRestored(id, returning)),
                waits.onMoved(id, returning)
              )
          )
          yield* takeLinks
          restored.push(...ids)
        }
        return restored
      })

      /** One transaction of {@link deleteChosen}; null when it could only take the files out of some of the lists that hold them. */
      const deleteNow = Effect.fnUntraced(function*<File extends OwnedFile>(
        accountId: AccountId,
        choose: Effect.Effect<ReadonlyArray<File>>
      ) {
        const now = yield* DateTime.now
        const files = yield* choose
        const chosen = files.map(({ id }) => id)
        if (!(yield* catalog.onDeleted(accountId, chosen))) return null
        const uploads = yield* moves.callOff(accountId, chosen)
        const former = yield* deletions.expedite(accountId, chosen, now)
        yield* waits.onChanged(accountId, ["file_opened"], chosen)
        const deleted = yield* repo.remove(accountId, chosen)
        const objects = deleted.map(({ isPublic, storeKey }): PendingDeletion => ({
          bucket: isPublic ? "public" : "private",
          storeKey
        }))
        yield* deletions.schedule(accountId, objects, now)
        yield* strays.follow(accountId, Effect.succeed(deleted))
        const freed = deleted.reduce((sum, file) => file.isDerivative ? sum : sum + file.sizeBytes, 0)
        yield* quota.add(accountId, { usedBytes: -freed })
        return { chosen: files, gone: deleted.map(({ id }) => id), left: [...objects, ...former, ...uploads] }
      })

      /**
       * Deletes what `choose` picks under the account's lock, and returns that. A file that very many lists hold is removed from
       * those first, some in each transaction.
       */
      const deleteChosen = Effect.fnUntraced(function*<File extends OwnedFile>(
        accountId: AccountId,
        choose: Effect.Effect<ReadonlyArray<File>>,
        pace?: Pace.Pace
      ) {
        const timed = pace?.timed ?? ((work) => work)
        while (true) {
          const deleted = yield* transaction.run(
            accountId,
            () => timed(deleteNow(accountId, choose), (deleted) => deleted?.chosen.length ?? 0)
          )
          if (deleted === null) continue
          const { chosen, gone, left } = deleted
          if (gone.length > 0) yield* repo.passOver(accountId, gone)
          yield* deletions.removeNow(accountId, left)
          return chosen
        }
      })

      const remove = Effect.fn("Trash.delete")(function*(ids: ReadonlyArray<FileId>) {
        const { id, limits } = yield* allowed("delete")
        const named = onceEach(ids)
        const deleted = yield* Effect.forEach(
          yield* catalog.inBatches(named),
          (some) => deleteChosen(id, repo.owned(id, limits, some, "delete"))
        )
        return inOrder(named, deleted.flat())
      }, WritePurpose.freeing)

      /** Those of the files in trash that come first there, as many as one transaction may delete. */
      const firstGroup = Effect.fnUntraced(function*(files: ReadonlyArray<TrashedFile>) {
        const order = [...files].sort((a, b) => isBefore(a, b) ? -1 : 1)
        const [group = []] = yield* catalog.inBatches(order.map((file) => file.id))
        return order.slice(0, group.length)
      })

      const empty = Effect.gen(function*() {
        const { id, limits } = yield* allowed("delete")
        const now = yield* DateTime.now
        const pace = Pace.make(purged)
        // Continues where the last batch ended: from the start, each batch would skip the index entries of all that were deleted.
        let last: TrashedFile | null = null
        do {
          const from: TrashedFile | null = last
          const next = Effect.flatMap(repo.trashed(id, limits, now, from, pace.size()), firstGroup)
          last = furthest(yield* deleteChosen(id, next, pace))
        } while (last !== null)
      }).pipe(WritePurpose.freeing, Effect.withSpan("Trash.empty"))

      return Trash.of({ put, putWithin, restore, delete: remove, empty })
    })
  )
}

/** Whether a file is before another one in trash: the newest come first. */
const isBefore = (a: TrashedFile, b: TrashedFile): boolean => {
  const newer = a.trashTime.getTime() - b.trashTime.getTime()
  return newer > 0 || (newer === 0 && a.id > b.id)
}

/** The last in trash of these files, where the next batch continues; null for an empty list. */
const furthest = (files: ReadonlyArray<TrashedFile>): TrashedFile | null =>
  files.reduce<TrashedFile | null>((last, file) => last === null || isBefore(last, file) ? file : last, null)

const inOrder = (named: ReadonlyArray<FileId>, touched: ReadonlyArray<OwnedFile>): ReadonlyArray<FileId> => {
  const set = new Set(touched.map(({ id }) => id))
  return named.filter((id) => set.has(id))
}
