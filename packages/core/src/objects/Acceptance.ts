/** For an operator's command, on a database and storage alone: what is between them, and to accept that the database counts. */
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Unavailable } from "../shared/DriveError.ts"
import { makeMarks } from "./MarkedStorage.ts"
import { PendingDeletionsRepo } from "./PendingDeletionsRepo.ts"
import * as StorageMark from "./StorageMark.ts"
import { StorageMarksRepo } from "./StorageMarksRepo.ts"

export class Acceptance extends Context.Service<Acceptance, {
  /** What is wrong, as a sentence continues; null when nothing is. */
  readonly disagreement: Effect.Effect<string | null, Unavailable>
  /** From now on what the database does not know may be removed. Drives that run go on within a minute, others when they start. */
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
