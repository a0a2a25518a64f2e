/** Renames and deletes tags on all files that have them. {@link "./Tags.ts"} is the service. */
import { DateTime, Duration, Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, CurrentAccount } from "../accounts/CurrentAccount.ts"
import { Catalog } from "../catalog/Catalog.ts"
import * as Pace from "../database/Pace.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as Job from "../jobs/Job.ts"
import { done } from "../jobs/Jobs.ts"
import { InvalidField, Refused } from "../shared/DriveError.ts"
import { AccountId, type FileId, FolderId, TagId } from "../shared/Ids.ts"
import * as FileTags from "./FileTags.ts"
import * as Tag from "./Tag.ts"
import { TagsRepo } from "./TagsRepo.ts"

/** Files from which one transaction removes a tag, or whose search data it updates. */
const filesAtOnce: Pace.Range = { least: 100, most: 1_000 }

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

/** Also handles the jobs. */
export const make = Effect.gen(function*() {
  const repo = yield* TagsRepo
  const catalog = yield* Catalog
  const renames = yield* tagRenameJob.queue
  const merges = yield* tagMergeJob.queue
  const transaction = yield* AccountTransaction
  const random = yield* SecureRandom.SecureRandom
  const { apply, find } = yield* FileTags.make

  /**
   * The tag, when the call sees it and may change it wherever it is: a call that is limited to a folder sees no tag without files there,
   * unless the call has removed it from them itself. Only inside `AccountTransaction.run`.
   */
  const whole = Effect.fnUntraced(function*(tagId: TagId, hasBegun = false) {
    const { limits } = yield* CurrentAccount
    const tag = yield* find(tagId)
    const { hasOthers, isSeen } = yield* repo.sees(tag.id, limits)
    if (!isSeen && !hasBegun) return yield* FileTags.notFound(tagId)
    if (!hasOthers) return tag
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
            const into = yield* find(intoId)
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

  return { rename, delete: remove }
})
