/** Tags on files. Spec: "Metadata", `/update-file-tags`; "Organize", `/tag-files`. */
import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, CurrentAccount } from "../accounts/CurrentAccount.ts"
import { Catalog } from "../catalog/Catalog.ts"
import * as Pace from "../database/Pace.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { Files } from "../files/Files.ts"
import * as Job from "../jobs/Job.ts"
import { done } from "../jobs/Jobs.ts"
import * as Limits from "../limits/Limits.ts"
import { InvalidField, NotFound, Refused } from "../shared/DriveError.ts"
import { AccountId, type FileId, FolderId, TagId } from "../shared/Ids.ts"
import * as Tag from "./Tag.ts"
import { TagsRepo } from "./TagsRepo.ts"

/** Files from which one transaction removes a tag, or whose search data it updates. */
const filesAtOnce: Pace.Range = { least: 100, most: 1_000 }

/** Taggings that one transaction adds or removes: a call for few has one, so that all of it happens or nothing. */
const taggedAtOnce: Pace.Range = { least: 500, most: 10_000 }

/** One of each call: another that renames the tag at the same time has its own. */
export const tagRenameJob = Job.define("tags.renamed", {
  description: "Updates the search data of a renamed tag's files.",
  when: "five minutes after a rename that was interrupted",
  key: Job.key({ accountId: AccountId, tagId: TagId, callId: Schema.String.check(Schema.isUUID()) }),
  concurrency: 1
})

/** After a token that is limited to a folder renamed a tag to the text of one that it can't see. */
export const tagMergeJob = Job.define("tags.merged", {
  description: "Continues to give the files of one tag another tag.",
  when: "five minutes after a rename that was interrupted, to the text of a tag that its token can't see",
  key: Job.key({ accountId: AccountId, tagId: TagId, intoId: TagId, folderId: FolderId }),
  concurrency: 1
})

/** When these jobs run: a call that is still working does the same meanwhile. */
const jobDelay = Duration.minutes(5)

export type TagAction = "add" | "remove"

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
    action: TagAction
  ) => Effect.Effect<
    { readonly updated: ReadonlyArray<FileId>; readonly tags: ReadonlyArray<Tag.Tag> },
    InvalidField | NotFound | Refused,
    CurrentAccount
  >

  /**
   * The same with one existing tag. Fails with `NotFound` when the tag, or none of the files, is the caller's,
   * `InvalidField` (`tagId`) when a file would have more than 100 tags.
   */
  readonly changeOne: (
    fileIds: ReadonlyArray<FileId>,
    tagId: TagId,
    action: TagAction
  ) => Effect.Effect<void, InvalidField | NotFound | Refused, CurrentAccount>

  /**
   * Renames a tag, or changes its spelling, on all its files at once; the search data of many files is updated some at
   * a time, and complete when this ends.
   *
   * Fails with `NotFound`, `Refused` (`token_limit`) when the call does not see all files that carry it, `InvalidField`
   * (`text`) when another tag has it. A call that is limited to a folder sees no tag without files.
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
   * Fails with `NotFound`, `Refused` (`token_limit`) when the call does not see all files that carry it.
   */
  readonly delete: (id: TagId) => Effect.Effect<void, InvalidField | NotFound | Refused, CurrentAccount>
}>()("@filedrive/core/organize/Tags") {
  static readonly layerNoDeps = Layer.effect(
    Tags,
    Effect.gen(function*() {
      const repo = yield* TagsRepo
      const catalog = yield* Catalog
      const files = yield* Files
      const renames = yield* tagRenameJob.queue
      const merges = yield* tagMergeJob.queue
      const transaction = yield* AccountTransaction
      const random = yield* SecureRandom.SecureRandom

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

      const get = Effect.fnUntraced(function*(tagId: TagId) {
        const { id } = yield* CurrentAccount
        const found = yield* repo.find(id, tagId)
        return Option.isSome(found) ? found.value : yield* new NotFound({ resource: "tag", id: tagId })
      })

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

      /** Only inside `AccountTransaction.run`. */
      const apply = Effect.fnUntraced(
        function*(fileIds: ReadonlyArray<FileId>, tags: ReadonlyArray<Tag.Tag>, action: TagAction) {
          const { id } = yield* CurrentAccount
          const tagIds = tags.map((tag) => tag.id)
          const changed = yield* action === "add" ? repo.tag(id, fileIds, tagIds) : repo.untag(id, fileIds, tagIds)
          yield* catalog.onEdited(id, changed)
        }
      )

      /** Removing tags makes room; adding them does not. */
      const purpose = <A, E, R>(effect: Effect.Effect<A, E, R>, _: unknown, __: unknown, action: TagAction) =>
        action === "remove" ? WritePurpose.freeing(effect) : effect

      const change = Effect.fn("Tags.change")(
        function*(fileIds: ReadonlyArray<FileId>, given: ReadonlyArray<Tag.TagText>, action: TagAction) {
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
        function*(fileIds: ReadonlyArray<FileId>, tagId: TagId, action: TagAction) {
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

      /**
       * The tag, when the call may change it wherever it is: a call that is limited to a folder sees no tag without files,
       * unless the call has removed it from them itself. Only inside `AccountTransaction.run`.
       */
      const whole = Effect.fnUntraced(function*(tagId: TagId, hasBegun = false) {
        const { limits } = yield* CurrentAccount
        const tag = yield* get(tagId)
        const sees = yield* repo.sees(tag.id, limits)
        if (sees === "all" || (sees === "none" && hasBegun)) return tag
        return yield* new Refused({ code: "token_limit", because: "This token does not see all files of the tag." })
      })

      /** Updates the search data of the tag's files, some at a time; repeating it changes nothing. */
      const tellOf = Effect.fnUntraced(function*(accountId: AccountId, tagId: TagId) {
        const pace = Pace.make(filesAtOnce)
        for (let after: FileId | null = null;;) {
          const size = pace.size()
          const last: FileId | null = after
          const batch: ReadonlyArray<FileId> = yield* transaction.run(accountId, () =>
            pace.timed(
              Effect.tap(repo.filesOf(tagId, last, size), (batch) => catalog.onEdited(accountId, batch)),
              (batch) => batch.length
            ))
          if (batch.length < size) return
          after = batch.at(-1)!
        }
      })

      yield* tagRenameJob.handle(({ accountId, tagId }) => Effect.as(tellOf(accountId, tagId), done))

      /** Replaces a tag by another one on its files, some at a time, and deletes it. */
      const merge = Effect.fnUntraced(function*(tagId: TagId, intoId: TagId) {
        const { id } = yield* CurrentAccount
        const pace = Pace.make(filesAtOnce)
        const mergeSome = Effect.suspend(() => {
          const size = pace.size()
          return transaction.run(id, () =>
            pace.timed(
              Effect.gen(function*() {
                const tag = yield* whole(tagId, true)
                const into = yield* get(intoId)
                const batch = yield* repo.filesOf(tag.id, null, size)
                yield* apply(batch, [tag], "remove")
                yield* apply(batch, [into], "add")
                if (batch.length < size) yield* repo.remove(id, tag.id)
                return { merged: batch.length, isLast: batch.length < size }
              }),
              ({ merged }) => merged
            ))
        })
        yield* Effect.repeat(mergeSome, { until: ({ isLast }) => isLast })
      })

      yield* tagMergeJob.handle(({ accountId, folderId, intoId, tagId }) =>
        merge(tagId, intoId).pipe(
          // One of the tags was deleted, or the tag is on files that the call did not see: then nothing is left to do.
          Effect.ignore,
          Effect.provideService(CurrentAccount, {
            id: accountId,
            tokenId: null,
            limits: { permissions: null, folderId }
          }),
          Effect.as(done)
        )
      )

      const rename = Effect.fn("Tags.rename")(function*(tagId: TagId, given: Tag.TagText) {
        const { id, limits } = yield* allowed("organize")
        const text = Tag.spelling(given)
        const renameKey = { accountId: id, tagId, callId: yield* random.uuidV7() }
        const { into, isOther, renamed, stop } = yield* transaction.run(id, () =>
          Effect.gen(function*() {
            const tag: Tag.StoredTag = yield* whole(tagId)
            const [other] = yield* repo.findByText(id, [text.folded])
            const time = DateTime.addDuration(yield* DateTime.now, jobDelay)
            if (other !== undefined && other.id !== tag.id) {
              const { folderId } = limits
              if (folderId === null || (yield* repo.seen(id, [other.id], limits)).has(other.id)) {
                return yield* new InvalidField({
                  code: "invalid_field",
                  field: "text",
                  because: `must be unused: a tag named ${other.text} already exists`
                })
              }
              const mergeKey = { accountId: id, tagId: tag.id, intoId: other.id, folderId }
              yield* merges.enqueue(mergeKey, time)
              // The call sees none of the files with the other tag.
              const renamed = { id: other.id, text: other.text, fileCount: tag.fileCount }
              return { into: other.id, isOther: false, renamed, stop: merges.cancel(mergeKey) }
            }
            yield* repo.setText(id, tag.id, text)
            // Spellings of one text have the same words.
            const isOther = tag.folded !== text.folded
            if (isOther) yield* renames.enqueue(renameKey, time)
            const renamed = { id: tag.id, text: text.text, fileCount: tag.fileCount }
            return { into: null, isOther, renamed, stop: isOther ? renames.cancel(renameKey) : Effect.void }
          }))
        if (into !== null) yield* merge(tagId, into)
        if (isOther) yield* tellOf(id, tagId)
        yield* stop
        return renamed
      })

      const remove = Effect.fn("Tags.delete")(function*(tagId: TagId) {
        const { id } = yield* allowed("organize")
        const pace = Pace.make(filesAtOnce)
        let hasBegun = false
        const removeSome = Effect.suspend(() => {
          const size = pace.size()
          return transaction.run(id, () =>
            pace.timed(
              Effect.gen(function*() {
                const tag = yield* whole(tagId, hasBegun)
                const batch = yield* repo.filesOf(tag.id, null, size)
                yield* apply(batch, [tag], "remove")
                if (batch.length < size) yield* repo.remove(id, tag.id)
                return { removed: batch.length, isLast: batch.length < size }
              }),
              ({ removed }) => removed
            ))
        })
        const more = Effect.tap(removeSome, () => Effect.sync(() => hasBegun = true))
        yield* Effect.repeat(more, { until: ({ isLast }) => isLast })
      }, WritePurpose.freeing)

      return Tags.of({ change, changeOne, rename, delete: remove })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(TagsRepo.layer))
}
