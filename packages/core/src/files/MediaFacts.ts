/** Stores the media facts of files, and updates the search. Contract: "Files", FileRecord's `media`. */
import { Context, Effect, Layer } from "effect"
import { Catalog } from "../catalog/Catalog.ts"
import * as MediaFact from "../facts/MediaFact.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { PartialFileFacts } from "./FileFacts.ts"
import { MediaFactsRepo } from "./MediaFactsRepo.ts"

export class MediaFacts extends Context.Service<MediaFacts, {
  /**
   * Replaces the media facts of files of the account, and updates the search. Characters that no database
   * stores in texts are left out. Ids of other accounts' files are ignored.
   *
   * Only inside `AccountTransaction.run`. A number out of range is a defect.
   */
  readonly replace: (accountId: AccountId, facts: ReadonlyArray<PartialFileFacts>) => Effect.Effect<void>
}>()("@filedrive/core/files/MediaFacts") {
  static readonly layerNoDeps = Layer.effect(
    MediaFacts,
    Effect.gen(function*() {
      const repo = yield* MediaFactsRepo
      const catalog = yield* Catalog

      const replace = Effect.fn("MediaFacts.replace")(
        function*(accountId: AccountId, facts: ReadonlyArray<PartialFileFacts>) {
          yield* repo.replace(accountId, facts.map((found) => ({ ...MediaFact.unknown, ...found })))
          yield* catalog.onEdited(accountId, facts.map(({ fileId }) => fileId))
        }
      )

      return MediaFacts.of({ replace })
    })
  )
}
