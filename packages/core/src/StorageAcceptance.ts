/**
 * For an operator's command, after a restore: how a database and its storage differ, and accepting the database.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { Database } from "./database/Database.ts"
import * as Features from "./Features.ts"
import { MovedBytes } from "./files/MovedBytes.ts"
import { Acceptance } from "./objects/Acceptance.ts"
import { LiveKeys } from "./objects/LiveKeys.ts"
import { type Ended, PublicOrphans } from "./objects/PublicOrphans.ts"
import type { ObjectStore } from "./ports/ObjectStore.ts"
import type { Unavailable } from "./shared/DriveError.ts"

/** The result of an attempt to accept the database. */
export type Accepted =
  | { readonly isAccepted: true; readonly links: Ended }
  /** So many files have their bytes elsewhere in storage, and these could not be copied. */
  | { readonly isAccepted: false; readonly misplaced: number }

export class StorageAcceptance extends Context.Service<StorageAcceptance, {
  /** Why a drive removes nothing, as a clause without a period; null if it removes. Changes nothing. */
  readonly disagreement: Effect.Effect<string | null, Unavailable>
  /** Copies misplaced bytes of files to the places that the database names. Returns of how many files they could not be copied. */
  readonly restore: Effect.Effect<number, Unavailable>
  /**
   * The same, then lets drives remove objects that the database does not know,
   * and ends the links of public ones at once.
   */
  readonly accept: Effect.Effect<Accepted, Unavailable>
}>()("@filedrive/core/StorageAcceptance") {
  static readonly layerNoDeps = Layer.effect(
    StorageAcceptance,
    Effect.gen(function*() {
      const { accept, disagreement } = yield* Acceptance
      const { restoreAll } = yield* MovedBytes
      const { endAll } = yield* PublicOrphans
      return StorageAcceptance.of({
        disagreement,
        restore: restoreAll,
        accept: Effect.gen(function*() {
          const misplaced = yield* restoreAll
          if (misplaced > 0) return { isAccepted: false, misplaced }
          yield* accept
          return { isAccepted: true, links: yield* endAll }
        })
      })
    })
  )

  /** On a database and storage alone, without a drive around it. */
  static readonly layer: Layer.Layer<
    StorageAcceptance,
    never,
    Database | ObjectStore | SecureRandom.SecureRandom
  > = StorageAcceptance.layerNoDeps.pipe(
    Layer.provide([MovedBytes.layer, Acceptance.layer, PublicOrphans.layerAloneNoDeps]),
    Layer.provide(Features.liveKeys),
    Layer.provide(LiveKeys.layer)
  )
}
