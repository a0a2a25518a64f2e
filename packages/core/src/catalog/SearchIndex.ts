/**
 * Keeps the search data of files equal to what is recorded of them. Only {@link "./Catalog.ts"} calls it; nothing else
 * needs to know it.
 *
 * A doc is never changed in part, but for its folder: it is made anew from its file's record, tags, folder and contents, in
 * the transaction that changes these.
 */
import { Context, Effect, Layer } from "effect"
import type { Doc } from "../docindex/Doc.ts"
import { DocIndex } from "../docindex/DocIndex.ts"
import type { AccountId, FileId, FolderId } from "../shared/Ids.ts"
import * as SearchableFile from "./SearchableFile.ts"
import { SearchIndexRepo } from "./SearchIndexRepo.ts"

type OfFiles = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) => Effect.Effect<void>

/** Files whose docs are made and written at a time. */
const batchSize = 2_000

/** Files that change folders at once of which more have their folders alone changed. */
const rewrittenMaxCount = 256

/** Files that are prepared before other work of this process runs. */
const turnSize = 10

/** A file in view whose data is complete already; only the number of its folder is looked up. */
export interface KnownSearchableFile extends Omit<SearchableFile.SearchableFile, "folderNo"> {
  readonly folderId: FolderId | null
}

/** Each only inside `AccountTransaction.run` of the account. */
export class SearchIndex extends Context.Service<SearchIndex, {
  /** Makes the docs of these files anew; those that are not in view have none. */
  readonly write: OfFiles

  /** Makes the docs of new files of which all is known, while `insert` records them. */
  readonly writing: <A, E, R>(
    accountId: AccountId,
    files: ReadonlyArray<KnownSearchableFile>,
    insert: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>

  /** These files are no longer found. They are still recorded. */
  readonly remove: OfFiles

  /** Files in view have changed folders. */
  readonly moved: OfFiles
}>()("@filedrive/core/catalog/SearchIndex") {
  static readonly layerNoDeps = Layer.effect(
    SearchIndex,
    Effect.gen(function*() {
      const repo = yield* SearchIndexRepo
      const index = yield* DocIndex

      const writeBatch = Effect.fnUntraced(function*(accountId: AccountId, fileIds: ReadonlyArray<FileId>) {
        const files = yield* repo.findable(accountId, fileIds)
        const docs = yield* docsOf(files)
        if (files.length < fileIds.length) {
          const inView = new Set(files.map(({ id }) => id))
          yield* index.remove(accountId, yield* repo.placed(accountId, fileIds.filter((id) => !inView.has(id))))
        }
        if (docs.length > 0) yield* index.put(accountId, docs)
      })

      const write = Effect.fn("SearchIndex.write")(function*(accountId: AccountId, fileIds: ReadonlyArray<FileId>) {
        for (let at = 0; at < fileIds.length; at += batchSize) {
          yield* writeBatch(accountId, fileIds.slice(at, at + batchSize))
        }
      })

      const writing = <A, E, R>(
        accountId: AccountId,
        files: ReadonlyArray<KnownSearchableFile>,
        insert: Effect.Effect<A, E, R>
      ) =>
        Effect.gen(function*() {
          const folderIds = [...new Set(files.flatMap(({ folderId }) => folderId ?? []))]
          const nos = folderIds.length === 0 ? new Map<FolderId, number>() : yield* repo.folderNos(accountId, folderIds)
          const known = files.map((file) => ({
            ...file,
            folderNo: file.folderId === null ? null : nos.get(file.folderId)!
          }))
          const [result, prepared] = yield* Effect.all([insert, Effect.flatMap(docsOf(known), index.prepare)], {
            concurrency: "unbounded"
          })
          yield* index.add(accountId, prepared)
          return result
        })

      const remove = Effect.fn("SearchIndex.remove")(function*(accountId: AccountId, fileIds: ReadonlyArray<FileId>) {
        yield* index.remove(accountId, yield* repo.placed(accountId, fileIds))
      })

      const moved = Effect.fn("SearchIndex.moved")(function*(accountId: AccountId, fileIds: ReadonlyArray<FileId>) {
        if (fileIds.length <= rewrittenMaxCount) return yield* write(accountId, fileIds)
        yield* index.moveFolders(accountId, yield* repo.placed(accountId, fileIds))
      })

      return SearchIndex.of({ write, writing, remove, moved })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(SearchIndexRepo.layer))
}

const docsOf = Effect.fnUntraced(function*(files: ReadonlyArray<SearchableFile.SearchableFile>) {
  const docs: Array<Doc> = []
  for (const file of files) {
    docs.push(SearchableFile.docOf(file))
    if (docs.length % turnSize === 0) yield* Effect.yieldNow
  }
  return docs
})
