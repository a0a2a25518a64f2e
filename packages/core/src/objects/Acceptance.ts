/** For an operator's command, on a database and storage alone: how they differ, and accepting the database. */
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Unavailable } from "../shared/DriveError.ts"
import { makeMarks } from "./MarkedStorage.ts"
import { PendingDeletionsRepo } from "./PendingDeletionsRepo.ts"
import * as StorageMark from "./StorageMark.ts"
import { StorageMarksRepo } from "./StorageMarksRepo.ts"

export class Acceptance extends Context.Service<Acceptance, {
  /** How they differ, as a clause without a period; null if they agree. */
  readonly disagreement: Effect.Effect<string | null, Unavailable>
  /** From now on objects that the database does not know may be removed. Running drives notice within a minute, others at their start. */
  readonly accept: Effect.Effect<void, Unavailable>
}>()("@filedrive/core/objects/Acceptance") {
  static readonly layerNoDeps = Layer.effect(
    Acceptance,
    Effect.gen(function*() {
      const repo = yield* StorageMarksRepo
      const marks = yield* makeMarks
      const random = yield* SecureRandom.SecureRandom

      return Acceptance.of({
        disagreement: Effect.map(
          marks.look,
          ({ disagreement }) => disagreement === null ? null : StorageMark.sentences[disagreement]
        ),

        accept: Effect.gen(function*() {
          const { storage } = yield* marks.look
          const now = yield* DateTime.now
          const time = storage === null ? now : DateTime.max(now, DateTime.add(storage.time, { milliseconds: 1 }))
          yield* repo.forgetGaps
          yield* marks.store(yield* repo.advance(yield* random.uuidV7(), time, true))
        })
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide(StorageMarksRepo.layerNoDeps),
    Layer.provide(PendingDeletionsRepo.layer)
  )
}
