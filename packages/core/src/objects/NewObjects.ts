/**
 * Making an object for a row, so that neither a crash nor a failure nor a lost race leaves bytes behind:
 *
 * ```text
 *   list for deletion ─▶ create ─▶ adopt, in the account's transaction ─▶ the row's
 *                           │         └── failed, or another was faster ─▶ discard: remove
 *                           └── failed: what storage may still make is removed after its hour
 * ```
 */
import { Context, DateTime, Duration, Effect, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import type { ObjectAddress } from "../ports/ObjectStore.ts"
import { Unavailable } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"
import * as PendingDeletion from "./PendingDeletion.ts"
import { adoptionLifetime, PendingDeletions } from "./PendingDeletions.ts"
import { SpareKeys } from "./SpareKeys.ts"
import { StorageMarks } from "./StorageMarks.ts"
import * as StoreKey from "./StoreKey.ts"

/** The most objects that one statement lists. */
const announcedTogether = 64

/** How long a key that was listed ahead may be taken; then its object still has its hour. */
const spareLifetime = Duration.hours(1)

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
   * {@link make} in the private bucket for a new file, at a key that is chosen for it: one that is listed already, where the
   * account makes many objects one after the other.
   */
  readonly makeForFile: <Made, Outcome, E1, E2, R>(
    accountId: AccountId,
    steps: (at: ObjectAddress) => Steps<Made, Outcome, E1, E2, R>
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

      const marks = yield* StorageMarks
      const random = yield* SecureRandom.SecureRandom
      const spares = new SpareKeys()

      const list = (accountId: AccountId, objects: ReadonlyArray<ObjectAddress>, dueTime: DateTime.Utc) =>
        deletions.schedule(accountId, objects.map(PendingDeletion.ofObject), dueTime)

      const freshAddress = Effect.fnUntraced(function*(accountId: AccountId) {
        return StoreKey.inPrivate(StoreKey.make("files", accountId, yield* random.uuidV7()))
      })

      /** Objects that are requested at the same time are listed by one statement. The first caller gets those that were listed ahead. */
      const announceAll = transaction.batch<ObjectAddress, ReadonlyArray<ObjectAddress>, never, never>({
        most: announcedTogether,
        keyOf: ({ bucket, key }) => `${bucket}/${key}`,
        isAlike: () => true,
        run: Effect.fnUntraced(function*(accountId, objects) {
          const now = yield* DateTime.now
          const dueTime = DateTime.addDuration(now, adoptionLifetime)
          yield* list(accountId, objects, dueTime)
          const count = spares.wanted(accountId, objects.length, now.epochMilliseconds)
          const ahead = yield* Effect.replicateEffect(freshAddress(accountId), count)
          yield* list(accountId, ahead, DateTime.addDuration(dueTime, spareLifetime))
          return objects.map((_, at) => Result.succeed(at === 0 ? ahead : []))
        })
      })

      const announce = Effect.fnUntraced(function*(accountId: AccountId, at: ObjectAddress) {
        yield* marks.noteActivity
        const until = DateTime.addDuration(yield* DateTime.now, spareLifetime)
        const ahead = yield* announceAll(accountId, at)
        if (ahead.length > 0) spares.add(accountId, ahead, until.epochMilliseconds)
      })

      const giveUp = Effect.fnUntraced(function*(accountId: AccountId, at: ObjectAddress) {
        const target = [PendingDeletion.ofObject(at)]
        const now = yield* DateTime.now
        yield* transaction.share(accountId, () => deletions.schedule(accountId, target, now))
        yield* deletions.removeNow(accountId, target)
      })

      const makeAt: NewObjects["Service"]["make"] = (accountId, at, steps) =>
        make({ ...steps, announce: announce(accountId, at), giveUp: giveUp(accountId, at) })

      const makeForFile: NewObjects["Service"]["makeForFile"] = (accountId, steps) =>
        Effect.flatMap(DateTime.now, (now) => {
          const at = spares.take(accountId, now.epochMilliseconds)
          if (at === undefined) return Effect.flatMap(freshAddress(accountId), (at) => makeAt(accountId, at, steps(at)))
          return make({ ...steps(at), announce: marks.noteActivity, giveUp: giveUp(accountId, at) }).pipe(
            // The key may no longer be on the list: then neither are those that were listed with it.
            Effect.tapError((error) =>
              error instanceof Unavailable ? Effect.sync(() => spares.drop(accountId)) : Effect.void
            )
          )
        })

      return NewObjects.of({ make: makeAt, makeForFile, adopt })
    })
  )
}
