/** How tracks sound, kept so that the same recording is found again. */
import { Context, Effect, Layer } from "effect"
import type { AccountId, FileId } from "../shared/Ids.ts"
import * as Soundprint from "./Soundprint.ts"
import { SoundprintsRepo } from "./SoundprintsRepo.ts"

export class Soundprints extends Context.Service<Soundprints, {
  /**
   * Keeps a track's soundprint ({@link "../ports/MediaTools.ts"}, `Sound`), in place of the one it had. Null says that
   * it was listened to and there is nothing to compare it by, as with silence. Files of other accounts and files that are
   * no more are left alone.
   *
   * Only inside `Ledger.locked`. Repeating is safe.
   */
  readonly record: (
    accountId: AccountId,
    fileId: FileId,
    print: ReadonlyArray<number> | null
  ) => Effect.Effect<void>
}>()("@filedrive/core/media/Soundprints") {
  static readonly layerNoDeps = Layer.effect(
    Soundprints,
    Effect.gen(function*() {
      const repo = yield* SoundprintsRepo

      const record = Effect.fn("Soundprints.record")(
        function*(accountId: AccountId, fileId: FileId, print: ReadonlyArray<number> | null) {
          const words = print === null ? null : Soundprint.make(print)
          yield* repo.write(
            accountId,
            fileId,
            words && Soundprint.encode(words),
            words === null ? [] : Soundprint.keys(accountId, words)
          )
        }
      )

      return Soundprints.of({ record })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(SoundprintsRepo.layer))
}
