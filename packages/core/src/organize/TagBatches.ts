/** Tags of files that are just being recorded, many at a time. What people do with tags is in {@link "./Tags.ts"}. */
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { type AccountId, type FileId, TagId } from "../shared/Ids.ts"
import type { TagText } from "./Tag.ts"
import { TagBatchesRepo } from "./TagBatchesRepo.ts"

/** A file that is recorded, and the tags it comes with; each once. */
export interface TaggedFile {
  readonly id: FileId
  readonly tagTexts: ReadonlyArray<TagText>
}

export class TagBatches extends Context.Service<TagBatches, {
  /**
   * Puts tags on files of the account's that are recorded in this transaction, before the catalog is told of them; makes
   * the tags there are none of. Only inside `Ledger.locked`.
   */
  readonly attach: (accountId: AccountId, files: ReadonlyArray<TaggedFile>) => Effect.Effect<void>
}>()("@filedrive/core/organize/TagBatches") {
  static readonly layerNoDeps = Layer.effect(
    TagBatches,
    Effect.gen(function*() {
      const repo = yield* TagBatchesRepo
      const random = yield* SecureRandom.SecureRandom

      const attach = Effect.fn("TagBatches.attach")(function*(accountId: AccountId, files: ReadonlyArray<TaggedFile>) {
        const texts = new Map<string, TagText & { readonly id: TagId }>()
        for (const { tagTexts } of files) {
          for (const tag of tagTexts) {
            if (!texts.has(tag.folded)) texts.set(tag.folded, { ...tag, id: TagId.make(yield* random.uuidV7()) })
          }
        }
        if (texts.size === 0) return
        const ids = yield* repo.ensure(accountId, [...texts.values()], yield* DateTime.now)
        const pairs = files.flatMap(({ id, tagTexts }) => tagTexts.map(({ folded }) => [id, ids.get(folded)!] as const))
        yield* repo.attach(accountId, pairs.map(([fileId]) => fileId), pairs.map(([, tagId]) => tagId))
      })

      return TagBatches.of({ attach })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(TagBatchesRepo.layer))
}
