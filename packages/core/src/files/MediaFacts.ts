/** Records what was found inside files, and lets them be found by it. Contract: "Files", FileRecord's `media`. */
import { Context, Effect, Layer } from "effect"
import { Catalog } from "../catalog/Catalog.ts"
import * as MediaFact from "../facts/MediaFact.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { PartialFileFacts } from "./FileFacts.ts"
import { MediaFactsRepo } from "./MediaFactsRepo.ts"

export class MediaFacts extends Context.Service<MediaFacts, {
  /**
   * Records what was found inside files of the account, in place of what was before; the search follows. What no database
   * holds in texts is left out. Ids of other accounts' files are left alone.
   *
   * Only inside `AccountTransaction.run`. A number out of range is a defect.
   */
  readonly record: (accountId: AccountId, facts: ReadonlyArray<PartialFileFacts>) => Effect.Effect<void>
}>()("@filedrive/core/files/MediaFacts") {
  static readonly layer = Layer.effect(
    MediaFacts,
    Effect.gen(function*() {
      const repo = yield* MediaFactsRepo
      const catalog = yield* Catalog

      const record = Effect.fn("MediaFacts.record")(
        function*(accountId: AccountId, facts: ReadonlyArray<PartialFileFacts>) {
          yield* repo.replace(accountId, facts.map((found) => ({ ...MediaFact.unknown, ...found })))
          yield* catalog.onEdited(accountId, facts.map(({ fileId }) => fileId))
        }
      )

      return MediaFacts.of({ record })
    })
  )
}
