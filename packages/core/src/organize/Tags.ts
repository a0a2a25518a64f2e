/** Tags on files. Spec: "Metadata", `/update-file-tags`; "Organize", `/tag-files`. */
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as Pace from "../database/Pace.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { Files } from "../files/Files.ts"
import * as Limits from "../limits/Limits.ts"
import { InvalidField, NotFound, type Refused } from "../shared/DriveError.ts"
import { type FileId, TagId } from "../shared/Ids.ts"
import * as FileTags from "./FileTags.ts"
import * as Tag from "./Tag.ts"
import * as TagEdits from "./TagEdits.ts"
import { TagsRepo } from "./TagsRepo.ts"

/** Taggings that one transaction adds or removes: a call for few has one, so that all of it happens or nothing. */
const taggedAtOnce: Pace.Range = { least: 500, most: 10_000 }

export type { TagAction } from "./FileTags.ts"

/** Tags are the same when they differ only in case, and are kept as first written. Repeating any of this is safe. */
export class Tags extends Context.Service<Tags, {
  /**
   * Adds tags to files of the caller's, or removes them; in trash or not, others are left out. Adding makes
   * missing tags. `updated` are the caller's of the files, `tags` those of the named tags that exist and that the call sees. Many tags on
   * many files are changed some files at a time: when the call fails in between, repeat it.
   *
   * Fails with `NotFound` when none of the files is the caller's, `InvalidField` (`tags`) when a file would have more than 100 tags.
   */
  readonly change: (
    fileIds: ReadonlyArray<FileId>,
    texts: ReadonlyArray<Tag.TagText>,
    action: FileTags.TagAction
  ) => Effect.Effect<
    { readonly updated: ReadonlyArray<FileId>; readonly tags: ReadonlyArray<Tag.Tag> },
    InvalidField | NotFound | Refused,
    CurrentAccount
  >

  /**
   * The same with one existing tag. Fails with `NotFound` when the call sees no such tag, or none of the files is the caller's,
   * `InvalidField` (`tagId`) when a file would have more than 100 tags.
   */
  readonly changeOne: (
    fileIds: ReadonlyArray<FileId>,
    tagId: TagId,
    action: FileTags.TagAction
  ) => Effect.Effect<void, InvalidField | NotFound | Refused, CurrentAccount>

  /**
   * Renames a tag, or changes its spelling, on all its files at once; the search data of many files is updated some at
   * a time, and complete when this ends.
   *
   * Fails with `NotFound` when the call sees no such tag: limited to a folder, none that no file there carries; with `Refused`
   * (`token_limit`) when it does not see all files that carry it, `InvalidField` (`text`) when another tag has it.
   *
   * When another tag has the text that such a call does not see, the files get that tag and the former one is deleted, as if the call had
   * tagged them again: so no refusal tells it that the tag exists. Returns that tag then.
   */
  readonly rename: (
    id: TagId,
    text: Tag.TagText
  ) => Effect.Effect<Tag.TagItem, InvalidField | NotFound | Refused, CurrentAccount>

  /**
   * Removes a tag from all its files and deletes it. With many files some at a time: when the call fails in between, repeat it.
   *
   * Fails with `NotFound` when the call sees no such tag, `Refused` (`token_limit`) when it does not see all files that carry it.
   */
  readonly delete: (id: TagId) => Effect.Effect<void, InvalidField | NotFound | Refused, CurrentAccount>
}>()("@filedrive/core/organize/Tags") {
  static readonly layerNoDeps = Layer.effect(
    Tags,
    Effect.gen(function*() {
      const repo = yield* TagsRepo
      const files = yield* Files
      const transaction = yield* AccountTransaction
      const random = yield* SecureRandom.SecureRandom
      const { apply, get } = yield* FileTags.make
      const { delete: remove, rename } = yield* TagEdits.make

      /** The caller's of the files. Only inside `AccountTransaction.run`. */
      const own = Effect.fnUntraced(function*(fileIds: ReadonlyArray<FileId>) {
        const { id, limits } = yield* CurrentAccount
        const owned = yield* files.own(id, limits, fileIds)
        return owned.length === 0 ? yield* new NotFound({ resource: "file", id: fileIds[0] ?? "" }) : owned
      })

      /** Those of the files that are still the caller's, if any. Only inside `AccountTransaction.run`. */
      const still = Effect.fnUntraced(function*(fileIds: ReadonlyArray<FileId>) {
        const { id, limits } = yield* CurrentAccount
        return yield* files.own(id, limits, fileIds)
      })

      /** Only inside `AccountTransaction.run`. */
      const leavesRoom = Effect.fnUntraced(
        function*(fileIds: ReadonlyArray<FileId>, tags: ReadonlyArray<Tag.Tag>, field: string) {
          const tagIds = tags.map((tag) => tag.id)
          if (!(yield* repo.anyWithMoreTags(fileIds, tagIds, Limits.tagsPerFile - tagIds.length))) return
          return yield* new InvalidField({
            code: "invalid_field",
            field,
            because: `must leave each file at most ${Limits.tagsPerFile} tags`
          })
        }
      )

      /** The tags of these texts, made where they are missing and `make` says so. Only inside `AccountTransaction.run`. */
      const named = Effect.fnUntraced(function*(texts: ReadonlyArray<Tag.Spelling>, make: boolean) {
        const { id } = yield* CurrentAccount
        const there = new Map((yield* repo.findByText(id, texts.map(({ folded }) => folded))).map((tag) => [
          tag.folded,
          tag as Tag.Tag
        ]))
        const now = yield* DateTime.now
        const tags: Array<Tag.Tag> = []
        for (const text of texts) {
          const found = there.get(text.folded)
          if (found !== undefined) tags.push({ id: found.id, text: found.text })
          if (found !== undefined || !make) continue
          const tag = { ...text, id: TagId.make(yield* random.uuidV7()) }
          yield* repo.insert(id, tag, now)
          tags.push({ id: tag.id, text: tag.text })
        }
        return tags
      })

      /** Removing tags makes room; adding them does not. */
      const purpose = <A, E, R>(effect: Effect.Effect<A, E, R>, _: unknown, __: unknown, action: FileTags.TagAction) =>
        action === "remove" ? WritePurpose.freeing(effect) : effect

      const change = Effect.fn("Tags.change")(
        function*(fileIds: ReadonlyArray<FileId>, given: ReadonlyArray<Tag.TagText>, action: FileTags.TagAction) {
          const { id, limits } = yield* allowed("organize")
          const texts = given.map(Tag.spelling)
          const different = texts.filter(({ folded }, index) =>
            index === texts.findIndex((text) => text.folded === folded)
          )
          const pace = Pace.make(taggedAtOnce)
          const some = (batch: (updated: ReadonlyArray<FileId>) => ReadonlyArray<FileId>, mine: typeof own) =>
            transaction.run(id, () =>
              pace.timed(
                Effect.gen(function*() {
                  const updated = yield* mine(fileIds)
                  const tags = yield* named(different, action === "add")
                  // A tag that is removed was visible before; one that is added is visible afterwards.
                  const seen = action === "add" ? null : yield* repo.seen(id, tags.map((tag) => tag.id), limits)
                  if (action === "add") yield* leavesRoom(updated, tags, "tags")
                  yield* apply(batch(updated), tags, action)
                  return { updated, tags: tags.filter((tag) => seen?.has(tag.id) ?? true) }
                }),
                ({ updated }) => Math.max(1, batch(updated).length * different.length)
              ))
          const size = () => Math.max(1, Math.floor(pace.size() / Math.max(1, different.length)))
          let done = size()
          const first = yield* some((updated) => updated.slice(0, done), own)
          while (done < first.updated.length) {
            const ids = new Set(first.updated.slice(done, done + size()))
            // One of them may have been deleted since.
            yield* some((updated) => updated.filter((fileId) => ids.has(fileId)), still)
            done += ids.size
          }
          return first
        },
        purpose
      )

      const changeOne = Effect.fn("Tags.changeOne")(
        function*(fileIds: ReadonlyArray<FileId>, tagId: TagId, action: FileTags.TagAction) {
          const { id } = yield* allowed("organize")
          yield* transaction.run(id, () =>
            Effect.gen(function*() {
              const tag = yield* get(tagId)
              const owned = yield* own(fileIds)
              if (action === "add") yield* leavesRoom(owned, [tag], "tagId")
              yield* apply(owned, [tag], action)
            }))
        },
        purpose
      )

      return Tags.of({ change, changeOne, rename, delete: remove })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(TagsRepo.layer))
}
