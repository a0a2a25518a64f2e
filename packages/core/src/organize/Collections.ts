/** The caller's folders, lists and tags. Spec: `/select-collections`. */
import { Context, Effect, Layer, PartitionedSemaphore } from "effect"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import type { Refused } from "../shared/DriveError.ts"
import type { AccountId, FolderId } from "../shared/Ids.ts"
import { byCodePoint } from "../shared/Text.ts"
import { CollectionsRepo } from "./CollectionsRepo.ts"
import type { FolderItem, SortableFolder } from "./Folder.ts"
import { item, type ListItem, type SortableList } from "./List.ts"
import { type ListCover, ListCovers, uncovered } from "./ListCovers.ts"
import type { StoredTag, TagItem } from "./Tag.ts"

/** Rows that one statement reads. In the embedded database all others wait for it. */
const pageSize = 2_500

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
   * A call that is limited to a folder gets that folder and those inside it, the tags and lists that hold a file
   * of theirs, with counts of only those files, and empty lists that such calls have made.
   */
  readonly select: Effect.Effect<CollectionsOf, Refused, CurrentAccount>
}>()("@filedrive/core/organize/Collections") {
  static readonly layerNoDeps = Layer.effect(
    Collections,
    Effect.gen(function*() {
      const repo = yield* CollectionsRepo
      const covers = yield* ListCovers

      // Calls for more than one page take turns, account by account: so other callers wait for one page at most, and one list of many
      // entries grows at a time.
      const turns = yield* PartitionedSemaphore.make<AccountId>({ permits: 1 })

      /** A list whose first page was read. */
      interface Begun<Row> {
        readonly first: ReadonlyArray<Row>
        readonly rest: Effect.Effect<ReadonlyArray<Row>>
      }

      /** Reads the first page of a list; each further one is asked for with the last row of the one before. */
      const begin = <Row>(
        page: (after: Row | null, limit: number) => Effect.Effect<ReadonlyArray<Row>>
      ): Effect.Effect<Begun<Row>> =>
        Effect.map(page(null, pageSize), (first) => ({
          first,
          rest: Effect.gen(function*() {
            const rows = [...first]
            for (let last = first; last.length === pageSize;) {
              last = yield* page(rows.at(-1)!, pageSize)
              for (const row of last) rows.push(row)
            }
            return rows
          })
        }))

      const all = <Row>({ first, rest }: Begun<Row>): Effect.Effect<ReadonlyArray<Row>> =>
        first.length < pageSize ? Effect.succeed(first) : rest

      const ofDrive = Effect.fnUntraced(function*(id: AccountId) {
        const begun = yield* Effect.all({
          folders: begin<SortableFolder>((after, limit) => repo.folders(id, after?.id ?? null, limit)),
          tags: begin<StoredTag>((after, limit) => repo.tags(id, after?.id ?? null, limit)),
          playlists: begin<SortableList>((after, limit) => repo.lists(id, "playlist", after, limit)),
          galleries: begin<SortableList>((after, limit) => repo.lists(id, "gallery", after, limit))
        }, { concurrency: "unbounded" })
        const whole = Effect.all({
          folders: all(begun.folders),
          tags: all(begun.tags),
          playlists: all(begun.playlists),
          galleries: all(begun.galleries)
        })
        return yield* Object.values(begun).some(({ first }) => first.length === pageSize)
          ? turns.withPermits(id, 1)(whole)
          : whole
      })

      const pages = <Row>(
        accountId: AccountId,
        page: (after: Row | null, limit: number) => Effect.Effect<ReadonlyArray<Row>>
      ) =>
        Effect.flatMap(
          begin(page),
          (begun) => begun.first.length < pageSize ? all(begun) : turns.withPermits(accountId, 1)(all(begun))
        )

      const foldersIn = Effect.fnUntraced(function*(id: AccountId, folderId: FolderId) {
        const path = yield* repo.pathOf(id, folderId)
        return path === undefined
          ? []
          : yield* pages<SortableFolder>(id, (after, limit) => repo.foldersIn(id, path, after, limit))
      })

      const ofFolder = (id: AccountId, folderId: FolderId) =>
        Effect.map(
          Effect.all({
            folders: foldersIn(id, folderId),
            tags: repo.tagsIn(id, folderId),
            lists: repo.listsIn(id, folderId)
          }, { concurrency: "unbounded" }),
          ({ folders, lists, tags }) => ({
            folders,
            tags,
            playlists: lists.filter(({ kind }) => kind === "playlist"),
            galleries: lists.filter(({ kind }) => kind === "gallery")
          })
        )

      const select = Effect.gen(function*() {
        const account = yield* allowed("read")
        const { id, limits: { folderId } } = account
        const { folders, galleries, playlists, tags } = yield* folderId === null ? ofDrive(id) : ofFolder(id, folderId)
        const shown = yield* covers.of(account, playlists.map((list) => list.id))
        return {
          folders: sorted(folders).map(({ fileCount, id, path }) => ({ id, path, fileCount })),
          playlists: playlists.map(({ fileCount, id, isPublic, title }) => ({
            id,
            title,
            isPublic,
            fileCount,
            ...shown.get(id) ?? uncovered
          })),
          galleries: galleries.map(item),
          tags: sorted(tags).map(({ fileCount, id, text }) => ({ id, text, fileCount }))
        }
      }).pipe(Effect.withSpan("Collections.select"))

      return Collections.of({ select })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([CollectionsRepo.layer, ListCovers.layer]))
}

/** By what is compared of them, as the database would sort it. */
const sorted = <Row extends { readonly folded: string }>(rows: ReadonlyArray<Row>) =>
  [...rows].sort((a, b) => byCodePoint(a.folded, b.folded))
