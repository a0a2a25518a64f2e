/** Makes and changes playlists and galleries. Spec: "Organize". */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import type { Description } from "../files/FileDetail.ts"
import { Files } from "../files/Files.ts"
import { type InvalidField, NotFound, Refused } from "../shared/DriveError.ts"
import { type FileId, ListId, onceEach } from "../shared/Ids.ts"
import * as List from "./List.ts"
import { ListItemsRepo } from "./ListItemsRepo.ts"
import { ListsRepo } from "./ListsRepo.ts"

export interface NewList {
  readonly title: List.ListTitle
  /** Of a gallery. */
  readonly description?: Description | null
  readonly isPublic?: boolean
  readonly fileIds?: ReadonlyArray<FileId>
  /** Which of the files are featured, in a gallery. */
  readonly featuredIds?: ReadonlyArray<FileId>
}

type On<Arguments extends ReadonlyArray<unknown>, A> = (
  kind: List.ListKind,
  id: ListId,
  ...rest: Arguments
) => Effect.Effect<A, InvalidField | NotFound | Refused, CurrentAccount>

/**
 * A private list takes every file its owner can see (theirs, public, or shared with them), a public one only their
 * own; a playlist audio and video, a gallery images. A file that is put in trash keeps its position.
 *
 * Repeating any of this but {@link create} is safe. All fail with `NotFound` for what is not a list of the
 * kind of the caller's. A token that is limited to a folder puts in, takes out and names files of that
 * folder; the list as a whole it changes only when it sees all that is in it: else `Refused` (`token_limit`). Of lists
 * that hold nothing it sees those that calls limited to that folder, or to one inside it, have made.
 */
export class Lists extends Context.Service<Lists, {
  /** Making it public takes the permission to share. */
  readonly create: (
    kind: List.ListKind,
    list: NewList
  ) => Effect.Effect<List.Additions, InvalidField | Refused | NotFound, CurrentAccount>

  /** Appends files, in the order given; those in it keep their positions. Calls at the same time lose no files. */
  readonly add: On<[fileIds: ReadonlyArray<FileId>, featuredIds?: ReadonlyArray<FileId>], List.Additions>

  /**
   * Puts the named files first, in that order; the others follow in their former order. Ids of files that are not in it
   * are ignored. With `featuredIds`, the named files in it are featured and the other named ones are not.
   */
  readonly reorder: On<[fileIds: ReadonlyArray<FileId>, featuredIds: ReadonlyArray<FileId> | null], List.ListItem>

  /** Removes files from the list; they stay in the drive. */
  readonly remove: On<[fileIds: ReadonlyArray<FileId>], List.Removals>

  readonly rename: On<[title: List.ListTitle], List.ListItem>

  /** An empty text clears it. */
  readonly describe: On<[description: Description], List.ListItem>

  /** A private list that becomes public loses the files that aren't its owner's own, and returns them. Takes the permission to share. */
  readonly setPublic: On<[isPublic: boolean], List.Removals>

  /**
   * Sets one of its owner's images as a playlist's cover. Fails with `NotFound` for another's image too. Whether it
   * may be a cover was checked before. Spec: `/set-cover`.
   */
  readonly setCover: (
    id: ListId,
    imageId: FileId
  ) => Effect.Effect<List.ListItem, InvalidField | NotFound | Refused, CurrentAccount>

  readonly delete: On<[], void>
}>()("@filedrive/core/organize/Lists") {
  static readonly layerNoDeps = Layer.effect(
    Lists,
    Effect.gen(function*() {
      const lists = yield* ListsRepo
      const items = yield* ListItemsRepo
      const files = yield* Files
      const transaction = yield* AccountTransaction
      const random = yield* SecureRandom.SecureRandom

      const get = Effect.fnUntraced(function*(kind: List.ListKind, listId: ListId) {
        const { id, limits } = yield* CurrentAccount
        const found = yield* lists.find(id, limits, kind, listId)
        return Option.isSome(found) ? found.value : yield* new NotFound({ resource: kind, id: listId })
      })

      /** The list, locked until the end of the transaction. */
      const held = Effect.fnUntraced(function*(kind: List.ListKind, listId: ListId) {
        const { id } = yield* CurrentAccount
        yield* lists.lock(id, kind, listId)
        return yield* get(kind, listId)
      })

      /** The same, when the call may change it as a whole. */
      const whole = Effect.fnUntraced(function*(kind: List.ListKind, listId: ListId) {
        const { limits } = yield* CurrentAccount
        const list = yield* held(kind, listId)
        if (yield* lists.seesAll(listId, limits)) return list
        return yield* new Refused({ code: "token_limit", because: "This token does not see all files of the list." })
      })

      /** Those of the files that a call may name in a list: of one that sees a folder, that folder's. */
      const nameable = Effect.fnUntraced(function*(fileIds: ReadonlyArray<FileId>) {
        const { id, limits } = yield* CurrentAccount
        return yield* limits.folderId === null ? Effect.succeed(onceEach(fileIds)) : files.own(id, limits, fileIds)
      })

      const append = Effect.fnUntraced(
        function*(list: List.StoredList, named: ReadonlyArray<FileId>, featured: ReadonlyArray<FileId>) {
          const { limits } = yield* CurrentAccount
          const present = new Map((yield* items.present(list, limits, named)).map(({ id, isSeen }) => [id, isSeen]))
          const fresh = named.filter((id) => !present.has(id))
          const appended = new Set(yield* items.append(list, limits, fresh, onceEach(featured)))
          return {
            list: List.item(yield* lists.changed(list, limits)),
            added: fresh.filter((id) => appended.has(id)),
            // Files that the call doesn't see are skipped whether they are in the list or not, or the answer would tell.
            skipped: named.filter((id) => !appended.has(id) && present.get(id) !== true)
          }
        }
      )

      const create = Effect.fn("Lists.create")(
        function*(
          kind: List.ListKind,
          { description = null, featuredIds = [], fileIds = [], isPublic = false, title }: NewList
        ) {
          const { id: accountId, limits } = yield* allowed("organize")
          if (isPublic) yield* allowed("share")
          const id = ListId.make(yield* random.uuidV7())
          const now = yield* DateTime.now
          const named = onceEach(fileIds)
          const list = { id, accountId, kind, title, description: description || null, isPublic }
          return yield* transaction.run(accountId, () =>
            Effect.gen(function*() {
              yield* items.holdOthers(accountId, named)
              yield* lists.insert(list, limits, now)
              return yield* append({ ...list, fileCount: 0, featuredCount: 0 }, named, featuredIds)
            }))
        }
      )

      const add: Lists["Service"]["add"] = Effect.fn("Lists.add")(function*(kind, listId, fileIds, featuredIds = []) {
        const { id } = yield* allowed("organize")
        const named = onceEach(fileIds)
        return yield* transaction.run(id, () =>
          Effect.gen(function*() {
            yield* items.holdOthers(id, named)
            return yield* append(yield* held(kind, listId), named, featuredIds)
          }))
      })

      const reorder: Lists["Service"]["reorder"] = Effect.fn("Lists.reorder")(
        function*(kind, listId, fileIds, featuredIds) {
          const { id, limits } = yield* allowed("organize")
          return yield* transaction.run(id, () =>
            Effect.gen(function*() {
              const list = yield* held(kind, listId)
              yield* items.reorder(list.id, yield* nameable(fileIds), featuredIds && onceEach(featuredIds))
              return List.item(yield* lists.changed(list, limits))
            }))
        }
      )

      const remove: Lists["Service"]["remove"] = Effect.fn("Lists.remove")(function*(kind, listId, fileIds) {
        const { id, limits } = yield* allowed("organize")
        return yield* transaction.run(id, () =>
          Effect.gen(function*() {
            const list = yield* held(kind, listId)
            const removed = yield* items.remove(list.id, yield* nameable(fileIds))
            return { list: List.item(yield* lists.changed(list, limits)), removed }
          }))
      }, WritePurpose.freeing)

      /** Changes a list as a whole. */
      const change = Effect.fnUntraced(
        function*<E = never>(
          kind: List.ListKind,
          listId: ListId,
          set: (list: List.StoredList) => Effect.Effect<void, E>
        ) {
          const { id, limits } = yield* allowed("organize")
          return yield* transaction.run(id, () =>
            Effect.gen(function*() {
              const list = yield* whole(kind, listId)
              yield* set(list)
              return List.item(yield* lists.changed(list, limits))
            }))
        }
      )

      const rename: Lists["Service"]["rename"] = Effect.fn("Lists.rename")(function*(kind, listId, title) {
        return yield* change(kind, listId, (list) => lists.setTitle(list.accountId, list.id, title))
      })

      const describe: Lists["Service"]["describe"] = Effect.fn("Lists.describe")(function*(kind, listId, description) {
        return yield* change(
          kind,
          listId,
          (list) => lists.setDescription(list.accountId, list.id, description || null)
        )
      })

      const setCover = Effect.fn("Lists.setCover")(function*(listId: ListId, imageId: FileId) {
        return yield* change("playlist", listId, (list) =>
          lists.setCover(list.accountId, list.id, imageId).pipe(
            Effect.filterOrFail((isSet) => isSet, () => new NotFound({ resource: "file", id: imageId })),
            Effect.asVoid
          ))
      })

      const setPublic: Lists["Service"]["setPublic"] = Effect.fn("Lists.setPublic")(function*(kind, listId, isPublic) {
        const { id, limits } = yield* allowed("organize")
        if (isPublic) yield* allowed("share")
        return yield* transaction.run(id, () =>
          Effect.gen(function*() {
            const list = yield* whole(kind, listId)
            yield* lists.setPublic(id, list.id, isPublic)
            const removed = isPublic ? yield* items.removeOthers(id, list.id) : []
            return { list: List.item(yield* lists.changed(list, limits)), removed }
          }))
      }, (effect, _, __, isPublic) => isPublic ? effect : WritePurpose.freeing(effect))

      const deleteList = Effect.fn("Lists.delete")(function*(kind: List.ListKind, listId: ListId) {
        const { id } = yield* allowed("organize")
        yield* transaction.run(id, () =>
          Effect.gen(function*() {
            yield* lists.remove(id, (yield* whole(kind, listId)).id)
          }))
      }, WritePurpose.freeing)

      return Lists.of({ create, add, reorder, remove, rename, describe, setPublic, setCover, delete: deleteList })
    })
  )
}
