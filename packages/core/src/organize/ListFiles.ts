/** The files of a playlist or gallery, for features that work on all of them. */
import { Context, Effect, Layer, Option } from "effect"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import { NotFound, type Refused } from "../shared/DriveError.ts"
import type { FileId, ListId } from "../shared/Ids.ts"
import type { ListKind, ListReader } from "./List.ts"
import { ListContentsRepo } from "./ListContentsRepo.ts"
import { ListsRepo } from "./ListsRepo.ts"

export class ListFiles extends Context.Service<ListFiles, {
  /**
   * The first `limit` files of a list of the caller's, in its order, those in trash too; of a public one of somebody
   * else's those that the caller sees. A call limited to a folder gets that folder's.
   *
   * Fails with `NotFound`, and with `Refused` (`token_limit`) when the token may not read.
   */
  readonly all: (
    kind: ListKind,
    id: ListId,
    limit: number
  ) => Effect.Effect<ReadonlyArray<FileId>, NotFound | Refused, CurrentAccount>
}>()("@filedrive/core/organize/ListFiles") {
  static readonly layerNoDeps = Layer.effect(
    ListFiles,
    Effect.gen(function*() {
      const lists = yield* ListsRepo
      const repo = yield* ListContentsRepo

      const all = Effect.fn("ListFiles.all")(function*(kind: ListKind, id: ListId, limit: number) {
        const account = yield* allowed("read")
        const { folderId } = account.limits
        const own = Option.getOrUndefined(yield* lists.find(account.id, account.limits, kind, id))
        if (own !== undefined && folderId === null) return yield* repo.members(own, limit)
        const reader: ListReader = own === undefined
          ? { _tag: "Other", id: folderId === null ? account.id : null }
          : { _tag: "Owner", folderId }
        const list = own ?? Option.getOrUndefined(yield* repo.findPublic(kind, id))
        if (list === undefined || (own === undefined && list.accountId === account.id)) {
          return yield* new NotFound({ resource: kind, id })
        }
        return (yield* repo.entries(list, reader, 0, limit)).map((entry) => entry.id)
      })

      return ListFiles.of({ all })
    })
  )
}
