/**
 * For an operator's command, after a restore: how a database and its storage differ, and accepting the database.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { Database } from "./database/Database.ts"
import { MovedBytes } from "./files/MovedBytes.ts"
import { Acceptance } from "./objects/Acceptance.ts"
import type { ObjectStore } from "./ports/ObjectStore.ts"
import type { Unavailable } from "./shared/DriveError.ts"

export class StorageAcceptance extends Context.Service<StorageAcceptance, {
  /** Why a drive removes nothing, as a clause without a period; null if it removes. Changes nothing. */
  readonly disagreement: Effect.Effect<string | null, Unavailable>
  /**
   * Copies misplaced bytes of files to the places that the database names, then lets drives remove objects that the database does not know.
   * Returns how many files could not be copied: unless it is 0, nothing was accepted.
   */
  readonly accept: Effect.Effect<number, Unavailable>
}>()("@filedrive/core/StorageAcceptance") {
  static readonly layerNoDeps = Layer.effect(
    StorageAcceptance,
    Effect.gen(function*() {
      const { accept, disagreement } = yield* Acceptance
      const { restoreAll } = yield* MovedBytes
      return StorageAcceptance.of({
        disagreement,
        accept: Effect.tap(restoreAll, (left) => left === 0 ? accept : Effect.void)
      })
    })
  )

  /** On a database and storage alone, without a drive around it. */
  static readonly layer: Layer.Layer<
    StorageAcceptance,
    never,
    Database | ObjectStore | SecureRandom.SecureRandom
  > = StorageAcceptance.layerNoDeps.pipe(
    Layer.provide([MovedBytes.layer, Acceptance.layer])
  )
}
