/** Stores what was found inside files, and lets them be found by it. Contract: "Files", FileRecord's `media`. */
import { Context, Effect, Layer } from "effect"
import { Catalog } from "../catalog/Catalog.ts"
import * as MediaFact from "../facts/MediaFact.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { MediaFactsRepo } from "./MediaFactsRepo.ts"

/** What was found inside a file; what is left out was not found. */
export interface FileFacts extends Partial<MediaFact.FactValues> {
  readonly fileId: FileId
}

export class MediaFacts extends Context.Service<MediaFacts, {
  /**
   * Stores what was found inside files of the account, in place of what was before; the search follows. What no database
   * holds in texts is left out. Ids of other accounts' files are left alone.
   *
   * Only inside `AccountTransaction.run`. A number out of range is a defect.
   */
  readonly replace: (accountId: AccountId, facts: ReadonlyArray<FileFacts>) => Effect.Effect<void>
}>()("@filedrive/core/files/MediaFacts") {
  static readonly layerNoDeps = Layer.effect(
    MediaFacts,
    Effect.gen(function*() {
      const repo = yield* MediaFactsRepo
      const catalog = yield* Catalog

      const replace = Effect.fn("MediaFacts.replace")(
        function*(accountId: AccountId, facts: ReadonlyArray<FileFacts>) {
          yield* repo.replace(accountId, facts.map((found) => ({ ...MediaFact.unknown, ...found })))
          yield* catalog.onEdited(accountId, facts.map(({ fileId }) => fileId))
        }
      )

      return MediaFacts.of({ replace })
    })
  )
}
