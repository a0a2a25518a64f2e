/** Tags of files that are being recorded, many at a time. {@link "./Tags.ts"} has the callers' operations on tags. */
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { type AccountId, type FileId, TagId } from "../shared/Ids.ts"
import type { NumberedTag, Spelling } from "./Tag.ts"
import { TagBatchesRepo } from "./TagBatchesRepo.ts"

/** A file that is recorded, and the tags it comes with; each once. */
export interface TaggedFile {
  readonly id: FileId
  readonly tags: ReadonlyArray<NumberedTag>
}

export class TagBatches extends Context.Service<TagBatches, {
  /** The account's tags by the folded form of these texts; makes the missing ones. Only inside `AccountTransaction.run`. */
  readonly ensure: (
    accountId: AccountId,
    texts: ReadonlyArray<Spelling>
  ) => Effect.Effect<ReadonlyMap<string, NumberedTag>>

  /** Puts tags on files of the account's that are recorded in this transaction, and counts them. Only inside `AccountTransaction.run`. */
  readonly attach: (accountId: AccountId, files: ReadonlyArray<TaggedFile>) => Effect.Effect<void>
}>()("@filedrive/core/organize/TagBatches") {
  static readonly layerNoDeps = Layer.effect(
    TagBatches,
    Effect.gen(function*() {
      const repo = yield* TagBatchesRepo
      const random = yield* SecureRandom.SecureRandom

      const ensure = Effect.fn("TagBatches.ensure")(function*(accountId: AccountId, given: ReadonlyArray<Spelling>) {
        const texts = new Map<string, Spelling & { readonly id: TagId }>()
        for (const tag of given) {
          if (!texts.has(tag.folded)) texts.set(tag.folded, { ...tag, id: TagId.make(yield* random.uuidV7()) })
        }
        if (texts.size === 0) return new Map<string, NumberedTag>()
        return yield* repo.ensure(accountId, [...texts.values()], yield* DateTime.now)
      })

      const attach = Effect.fn("TagBatches.attach")(function*(accountId: AccountId, files: ReadonlyArray<TaggedFile>) {
        const pairs = files.flatMap(({ id, tags }) => tags.map((tag) => [id, tag.id] as const))
        if (pairs.length === 0) return
        yield* repo.attach(accountId, pairs.map(([fileId]) => fileId), pairs.map(([, tagId]) => tagId))
      })

      return TagBatches.of({ ensure, attach })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(TagBatchesRepo.layer))
}
