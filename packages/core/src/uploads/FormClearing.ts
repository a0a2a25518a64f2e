/**
 * Clears forms after their calls were answered: many of an account together, and each account by itself, so that an account that another
 * process has locked delays no other.
 */
import { Duration, Effect, Latch, Scope, Semaphore, Stream, SubscriptionRef } from "effect"
import type { AccountId } from "../shared/Ids.ts"
import type { StoredForm } from "./Form.ts"

/** The most forms that are cleared together, and the most of an account that wait for it: more are left to the sweep. */
const clearedTogether = 100
const waitingMost = 1_000

/** How long the first one waits for others, with which it is cleared, while nobody waits for it. */
const gatheringTime = Duration.seconds(1)

/** The most accounts whose uploads storage removes at the same time. */
const removedAtOnce = 8

export interface FormClearing {
  /** Never waits for storage or a lock. What is left of a form when the process ends is left to the sweep. */
  readonly later: (forms: ReadonlyArray<StoredForm>) => Effect.Effect<void>
  /** Waits until all forms are cleared that {@link later} was called with, and which it has not left to the sweep. */
  readonly done: Effect.Effect<void>
}

export const make = Effect.fnUntraced(function*(
  /** Removes from storage what was uploaded with the forms, and returns those of which nothing is left. */
  remove: (forms: ReadonlyArray<StoredForm>) => Effect.Effect<ReadonlyArray<StoredForm>>,
  /** Deletes the rows of forms of one account. */
  forget: (forms: ReadonlyArray<StoredForm>) => Effect.Effect<void>
): Effect.fn.Return<FormClearing, never, Scope.Scope> {
  // Of its own, closed after whatever its user does at its end: until then forms are cleared.
  const scope = yield* Effect.acquireRelease(Scope.make(), Scope.close)
  const removing = yield* Semaphore.make(removedAtOnce)
  const accounts = new Map<AccountId, Array<StoredForm>>()
  const count = yield* SubscriptionRef.make(0)
  /** Open while somebody waits. */
  const hurry = yield* Latch.make(false)

  const clear = (forms: ReadonlyArray<StoredForm>) =>
    Effect.ignoreCause(Effect.flatMap(removing.withPermit(remove(forms)), forget), { log: "Warn" })

  const serve = Effect.fnUntraced(function*(accountId: AccountId, waiting: Array<StoredForm>) {
    while (waiting.length > 0) {
      if (waiting.length < clearedTogether) yield* Effect.raceFirst(Effect.sleep(gatheringTime), hurry.await)
      const forms = waiting.splice(0, clearedTogether)
      yield* clear(forms)
      yield* SubscriptionRef.update(count, (before) => before - forms.length)
    }
    accounts.delete(accountId)
  })

  const laterOf = Effect.fnUntraced(function*(accountId: AccountId, forms: ReadonlyArray<StoredForm>) {
    const waiting = accounts.get(accountId)
    if (waiting !== undefined && waiting.length >= waitingMost) return
    yield* SubscriptionRef.update(count, (before) => before + forms.length)
    if (waiting !== undefined) return void waiting.push(...forms)
    const own = [...forms]
    accounts.set(accountId, own)
    yield* Effect.forkIn(serve(accountId, own), scope, { uninterruptible: false })
  }, Effect.uninterruptible)

  return {
    later: (forms) =>
      Effect.forEach(Map.groupBy(forms, (form) => form.accountId), ([id, theirs]) => laterOf(id, theirs), {
        discard: true
      }),
    done: SubscriptionRef.changes(count).pipe(
      Stream.filter((count) => count === 0),
      Stream.runHead,
      (wait) => Effect.andThen(hurry.open, wait),
      Effect.ensuring(hurry.close),
      Effect.asVoid
    )
  }
})
