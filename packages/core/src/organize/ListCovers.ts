/**
 * The art of playlists: one of their owner's images, as it is. It is not shown
 * while the image is in trash, nor after that is deleted; to others than the
 * owner it is shown while the image is public. A token that is limited to a folder is
 * shown that folder's images.
 */
import { Array as Arr, Context, Effect, Layer } from "effect"
import type { CurrentAccount } from "../accounts/CurrentAccount.ts"
import { FileRecords } from "../files/FileRecords.ts"
import type { FileId, ListId } from "../shared/Ids.ts"
import type { CoverFile } from "./CoverFile.ts"
import { ListCoversRepo } from "./ListCoversRepo.ts"

/** The cover of a list, or null. */
export interface ListCover {
  readonly coverId: FileId | null
  /** The lasting link of a public image, else one good for six hours. */
  readonly coverUrl: string | null
}

/** Lists whose covers one statement reads. */
const batchSize = 1_000

type Account = CurrentAccount["Service"]

export class ListCovers extends Context.Service<ListCovers, {
  /** The covers of those of an account's lists that have one. */
  readonly of: (account: Account, ids: ReadonlyArray<ListId>) => Effect.Effect<ReadonlyMap<ListId, ListCover>>
  /** The cover of one list, for its owner or, where that is null, anyone else. */
  readonly one: (listId: ListId, owner: Account | null) => Effect.Effect<ListCover>
}>()("@filedrive/core/organize/ListCovers") {
  static readonly layer = Layer.effect(
    ListCovers,
    Effect.gen(function*() {
      const repo = yield* ListCoversRepo
      const records = yield* FileRecords

      const linked = (files: ReadonlyArray<CoverFile>) =>
        Effect.map(
          Effect.forEach(files, (file) =>
            Effect.map(
              records.link(file),
              (coverUrl): [ListId, ListCover] => [file.listId, { coverId: file.id, coverUrl }]
            )),
          (covers): ReadonlyMap<ListId, ListCover> => new Map(covers)
        )

      return ListCovers.of({
        of: Effect.fnUntraced(function*({ id, limits }, ids) {
          const found: Array<CoverFile> = []
          for (const some of Arr.chunksOf(ids, batchSize)) found.push(...(yield* repo.own(id, limits, some)))
          return yield* linked(found)
        }),
        one: (listId, owner) =>
          (owner === null ? repo.open(listId) : repo.own(owner.id, owner.limits, [listId])).pipe(
            Effect.flatMap(linked),
            Effect.map((covers) => covers.get(listId) ?? uncovered)
          )
      })
    })
  ).pipe(Layer.provide(ListCoversRepo.layer))
}

/** Of a list without art. */
export const uncovered: ListCover = { coverId: null, coverUrl: null }
