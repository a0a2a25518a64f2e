/** What the caller's files are organized by. Spec: `/select-collections`. */
import { Context, Effect, Layer } from "effect"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import type { Refused } from "../shared/DriveError.ts"
import { CollectionsRepo } from "./CollectionsRepo.ts"
import type { FolderItem } from "./FolderTree.ts"
import { item, type ListItem } from "./List.ts"
import { type ListCover, ListCovers, uncovered } from "./ListCovers.ts"
import type { TagItem } from "./Tag.ts"

export interface CollectionsOf {
  /** By path. */
  readonly folders: ReadonlyArray<FolderItem>
  /** Newest first. */
  readonly playlists: ReadonlyArray<Pick<ListItem, "id" | "title" | "isPublic" | "fileCount"> & ListCover>
  /** Newest first. */
  readonly galleries: ReadonlyArray<ListItem>
  /** By text. */
  readonly tags: ReadonlyArray<TagItem>
}

export class Collections extends Context.Service<Collections, {
  /**
   * The caller's folders, playlists, galleries and tags, with how many files of each are in view.
   *
   * A call that is limited to a folder is told of that folder and those inside it, and of the tags and lists that hold
   * a file of theirs; only those files count.
   */
  readonly select: Effect.Effect<CollectionsOf, Refused, CurrentAccount>
}>()("@filedrive/core/organize/Collections") {
  static readonly layerNoDeps = Layer.effect(
    Collections,
    Effect.gen(function*() {
      const repo = yield* CollectionsRepo
      const covers = yield* ListCovers

      const select = Effect.gen(function*() {
        const account = yield* allowed("read")
        const { id, limits: { folderId } } = account
        const [folders, tags, lists, shown] = yield* Effect.all(
          folderId === null
            ? [repo.folders(id), repo.tags(id), repo.lists(id), covers.all(account)]
            : [
              repo.foldersIn(id, folderId),
              repo.tagsIn(id, folderId),
              repo.listsIn(id, folderId),
              covers.all(account)
            ],
          { concurrency: "unbounded" }
        )
        return {
          folders,
          playlists: lists.filter(({ kind }) => kind === "playlist").map(({ fileCount, id, isPublic, title }) => ({
            id,
            title,
            isPublic,
            fileCount,
            ...shown.get(id) ?? uncovered
          })),
          galleries: lists.filter(({ kind }) => kind === "gallery").map(item),
          tags
        }
      }).pipe(Effect.withSpan("Collections.select"))

      return Collections.of({ select })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(CollectionsRepo.layer))
}
