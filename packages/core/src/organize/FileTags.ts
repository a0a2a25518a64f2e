/** Finds a caller's tag, and adds tags to files or removes them: for changes of files' tags and of the tags themselves. */
import { Effect, Option } from "effect"
import { CurrentAccount } from "../accounts/CurrentAccount.ts"
import { Catalog } from "../catalog/Catalog.ts"
import { NotFound } from "../shared/DriveError.ts"
import type { FileId, TagId } from "../shared/Ids.ts"
import type * as Tag from "./Tag.ts"
import { TagsRepo } from "./TagsRepo.ts"

export const notFound = (id: TagId) => new NotFound({ resource: "tag", id })

export type TagAction = "add" | "remove"

export const make = Effect.gen(function*() {
  const repo = yield* TagsRepo
  const catalog = yield* Catalog

  /** The account's tag, seen by the call or not. */
  const find = Effect.fnUntraced(function*(tagId: TagId) {
    const { id } = yield* CurrentAccount
    const found = yield* repo.find(id, tagId)
    return Option.isSome(found) ? found.value : yield* notFound(tagId)
  })

  /** The tag that the call sees: limited to a folder, one that a file there has. */
  const get = Effect.fnUntraced(function*(tagId: TagId) {
    const { limits } = yield* CurrentAccount
    const tag = yield* find(tagId)
    return (yield* repo.sees(tag.id, limits)).isSeen ? tag : yield* notFound(tagId)
  })

  /** Only inside `AccountTransaction.run`. */
  const apply = Effect.fnUntraced(
    function*(fileIds: ReadonlyArray<FileId>, tags: ReadonlyArray<Tag.Tag>, action: TagAction) {
      const { id } = yield* CurrentAccount
      const tagIds = tags.map((tag) => tag.id)
      const changed = yield* action === "add" ? repo.tag(id, fileIds, tagIds) : repo.untag(id, fileIds, tagIds)
      yield* catalog.onEdited(id, changed)
    }
  )

  return { find, get, apply }
})
