/**
 * Keeps counts and search data in step with files that are in view: recorded, not in trash, no
 * derivative. Code that changes such a file calls this service in the same transaction,
 * which updates everything that depends on the file: the counts of folders,
 * tags, playlists and galleries, and the search.
 *
 * Each of these only inside `AccountTransaction.run` of the files' owner; ids of other
 * accounts' files are left alone.
 */
import { Context, Effect, Layer } from "effect"
import * as Batches from "../shared/Batches.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { CatalogRepo } from "./CatalogRepo.ts"
import { type KnownSearchableFile, SearchIndex } from "./SearchIndex.ts"

/** Entries of lists that one transaction may change. Lists that hold a file are other people's too, and any number. */
const entriesAtOnce = 2_500

type Followed = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) => Effect.Effect<void>

export class Catalog extends Context.Service<Catalog, {
  /** Files were recorded just now, with their folders; tags and lists have none of them yet. */
  readonly onAdded: Followed

  /**
   * Files are recorded by `insert` of which all is known, their tags counted there: what they are found by is made
   * meanwhile, and nothing of it read.
   */
  readonly whileAdding: <A, E, R>(
    accountId: AccountId,
    files: ReadonlyArray<KnownSearchableFile>,
    insert: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>

  /** Files were in trash until now. Only those that were. */
  readonly onRestored: Followed

  /** Files leave view: they are in trash since just now. Only those that were in view. */
  readonly onTrashed: Followed

  /**
   * Files are about to be deleted for good, in view or not. Their rows are locked, so nobody is adding them to a list.
   * False when more lists hold them than one transaction may change: then they are removed from some lists only, and the
   * files must stay for the next transaction.
   */
  readonly onDeleted: (accountId: AccountId, fileIds: ReadonlyArray<FileId>) => Effect.Effect<boolean>

  /** Name, description, tags, kind or media facts have changed. */
  readonly onEdited: Followed

  /** Who may see the files has changed: they became public or private, or were shared, or no longer are. */
  readonly onVisibilityChanged: Followed

  /**
   * The files in groups, in their order, for those who trash, restore or delete them: so few entries of lists change with
   * a group that a transaction may take it whole. A file that more lists hold is a group of its own.
   */
  readonly inBatches: (fileIds: ReadonlyArray<FileId>) => Effect.Effect<ReadonlyArray<ReadonlyArray<FileId>>>

  /** Files change folders, those in trash too: `move` makes the change. */
  readonly whileMoving: <A, E, R>(
    accountId: AccountId,
    fileIds: ReadonlyArray<FileId>,
    move: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
}>()("@filedrive/core/catalog/Catalog") {
  static readonly layerNoDeps = Layer.effect(
    Catalog,
    Effect.gen(function*() {
      const repo = yield* CatalogRepo
      const index = yield* SearchIndex

      const onTrashed = Effect.fn("Catalog.onTrashed")(function*(accountId: AccountId, fileIds: ReadonlyArray<FileId>) {
        yield* repo.countInFolders(accountId, fileIds, -1)
        yield* repo.countInTags(accountId, fileIds, -1)
        yield* repo.takeFromLists(accountId, fileIds)
        yield* index.remove(accountId, fileIds)
      })

      const some = (follow: Followed): Followed => (accountId, fileIds) =>
        fileIds.length === 0 ? Effect.void : follow(accountId, fileIds)

      return Catalog.of({
        onAdded: some(
          Effect.fn("Catalog.onAdded")(function*(accountId, fileIds) {
            yield* repo.countInFolders(accountId, fileIds, 1)
            yield* index.write(accountId, fileIds)
          })
        ),
        // @effect-diagnostics-next-line effectFnOpportunity:off
        whileAdding: (accountId, files, insert) =>
          Effect.gen(function*() {
            const result = yield* index.writing(accountId, files, insert)
            const folderIds = files.flatMap(({ folderId }) => folderId ?? [])
            if (folderIds.length > 0) yield* repo.addToFolders(accountId, folderIds)
            return result
          }).pipe(Effect.withSpan("Catalog.whileAdding")),
        onRestored: some(
          Effect.fn("Catalog.onRestored")(function*(accountId, fileIds) {
            yield* repo.countInFolders(accountId, fileIds, 1)
            yield* repo.countInTags(accountId, fileIds, 1)
            yield* repo.countInLists(accountId, fileIds)
            yield* index.write(accountId, fileIds)
          })
        ),
        onTrashed: some(onTrashed),
        onDeleted: Effect.fn("Catalog.onDeleted")(function*(accountId, fileIds) {
          if (fileIds.length === 0) return true
          if (!(yield* repo.takeOut(accountId, fileIds, entriesAtOnce))) return false
          const inView = yield* repo.inView(accountId, fileIds)
          if (inView.length > 0) yield* onTrashed(accountId, inView)
          return true
        }),
        onEdited: some(index.write),
        onVisibilityChanged: some(
          Effect.fn("Catalog.onVisibilityChanged")(function*(accountId, fileIds) {
            // In trash it counts nowhere and is not found, whoever may see it.
            const inView = yield* repo.inView(accountId, fileIds)
            if (inView.length === 0) return
            yield* repo.countInLists(accountId, inView)
            yield* index.write(accountId, inView)
          })
        ),
        inBatches: Effect.fn("Catalog.inBatches")(function*(fileIds) {
          if (fileIds.length === 0) return []
          const counts = yield* repo.listCounts(fileIds, entriesAtOnce)
          return Batches.bySize(fileIds, (id) => counts.get(id) ?? 0, entriesAtOnce)
        }),
        // @effect-diagnostics-next-line effectFnOpportunity:off
        whileMoving: (accountId, fileIds, move) =>
          Effect.gen(function*() {
            const inView = yield* repo.inView(accountId, fileIds)
            yield* repo.countInFolders(accountId, inView, -1)
            const result = yield* move
            yield* repo.countInFolders(accountId, inView, 1)
            yield* index.moved(accountId, inView)
            return result
          }).pipe(Effect.withSpan("Catalog.whileMoving"))
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([CatalogRepo.layer, SearchIndex.layer]))
}
