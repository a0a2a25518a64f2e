/**
 * Making an object for a row, so that neither a crash nor a failure nor a lost race leaves bytes behind:
 *
 * ```text
 *   list for deletion ─▶ create ─▶ adopt, in the account's transaction ─▶ the row's
 *                           │         └── failed, or another was faster ─▶ discard: remove
 *                           └── failed: what storage may still make is removed after its hour
 * ```
 */
import { Context, DateTime, Effect, Layer, Result } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import type { ObjectAddress } from "../ports/ObjectStore.ts"
import { Unavailable } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"
import * as PendingDeletion from "./PendingDeletion.ts"
import { adoptionLifetime, PendingDeletions } from "./PendingDeletions.ts"

/** The most objects that one statement lists. */
const announcedTogether = 64

/** The steps from storage into a row. */
export interface Steps<Made, Outcome, E1, E2, R> {
  /** Makes storage create the object. When it fails, what storage may still make stays listed for its hour. */
  readonly create: Effect.Effect<Made, E1, R>
  /** Adopts the object for the row, in the account's transaction; {@link NewObjects.adopt} takes it off the list. */
  readonly adopt: (made: Made) => Effect.Effect<Outcome, E2, R>
  /** False when nothing has adopted the object: the row has changed, or has another. */
  readonly isAdopted: (outcome: Outcome) => boolean
}

/** Runs the steps with the caller's own `announce` and `discard`; for fresh keys use {@link NewObjects.make}. */
export const make = Effect.fnUntraced(function*<Made, Outcome, E, E1, E2, R>(
  { adopt, announce, create, giveUp, isAdopted }: Steps<Made, Outcome, E1, E2, R> & {
    /** Lists for deletion what is about to be made. */
    readonly announce: Effect.Effect<void, E, R>
    /** Removes an object that was not adopted. */
    readonly giveUp: Effect.Effect<void, never, R>
  }
) {
  yield* announce
  const made = yield* create
  const outcome = yield* Effect.tapError(adopt(made), () => WritePurpose.freeing(giveUp))
  if (!isAdopted(outcome)) yield* WritePurpose.freeing(giveUp)
  return outcome
})

export class NewObjects extends Context.Service<NewObjects, {
  /** Makes the object at a fresh key. An object that is not adopted is removed before this returns or fails. */
  readonly make: <Made, Outcome, E1, E2, R>(
    accountId: AccountId,
    at: ObjectAddress,
    steps: Steps<Made, Outcome, E1, E2, R>
  ) => Effect.Effect<Outcome, E1 | E2, R>

  /**
   * Takes a new object off the list: a row has adopted it. Fails when it took so long that its removal has begun, and
   * then nothing must be recorded.
   *
   * Only inside `AccountTransaction.run`.
   */
  readonly adopt: (accountId: AccountId, at: ObjectAddress) => Effect.Effect<void, Unavailable>
}>()("@filedrive/core/objects/NewObjects") {
  static readonly layerNoDeps = Layer.effect(
    NewObjects,
    Effect.gen(function*() {
      const deletions = yield* PendingDeletions
      const transaction = yield* AccountTransaction

      const adopt = Effect.fnUntraced(function*(accountId: AccountId, at: ObjectAddress) {
        if (yield* deletions.cancel(accountId, PendingDeletion.ofObject(at))) return
        return yield* new Unavailable({
          code: "storage_unavailable",
          cause: new Error(`making the object ${at.key} took so long that it is being removed`)
        })
      })

      /** Objects that are requested at the same time are listed by one statement. */
      const announce = transaction.batch<ObjectAddress, void, never, never>({
        most: announcedTogether,
        keyOf: ({ bucket, key }) => `${bucket}/${key}`,
        isAlike: () => true,
        run: Effect.fnUntraced(function*(accountId, objects) {
          const dueTime = DateTime.addDuration(yield* DateTime.now, adoptionLifetime)
          yield* deletions.schedule(accountId, objects.map(PendingDeletion.ofObject), dueTime)
          return objects.map(() => Result.succeed(undefined))
        })
      })

      const makeAt: NewObjects["Service"]["make"] = (accountId, at, steps) => {
        const target = [PendingDeletion.ofObject(at)]
        return make({
          ...steps,
          announce: announce(accountId, at),
          giveUp: Effect.gen(function*() {
            const now = yield* DateTime.now
            yield* transaction.share(accountId, () => deletions.schedule(accountId, target, now))
            yield* deletions.removeNow(accountId, target)
          })
        })
      }

      return NewObjects.of({ make: makeAt, adopt })
    })
  )
}
