/**
 * The end of a form: its bytes are released at once, then storage refuses it and removes what was uploaded with it.
 *
 * ```text
 *   issued ──▶ open ──inserted │ superseded │ cancelled │ expired an hour ago──▶ closed ──storage has nothing──▶ (no row)
 *                                                                               └── not confirmed: closed, tried again
 * ```
 *
 * Contract: "Files", the quota.
 */
import { Context, DateTime, Duration, Effect, Latch, Layer, Queue, Stream, SubscriptionRef } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Quota } from "../accounts/Quota.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as Limits from "../limits/Limits.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { StoredForm } from "./Form.ts"
import { FormsRepo } from "./FormsRepo.ts"
import { IssuedForms } from "./IssuedForms.ts"

/** The most forms that are cleared together, and the most that wait for it: with more, their callers wait too. */
const clearedTogether = 100
const waitingMost = 1_000

/** How long the first one waits for others, with which it is cleared; as long as nobody waits for it. */
const gatheringTime = Duration.millis(100)

/** How long a closing drive waits for forms that are being cleared. */
const closingTime = Duration.seconds(5)

export class FormEnds extends Context.Service<FormEnds, {
  /**
   * Closes those of an account's forms that are open and releases their bytes. Returns them, to be cleared after the
   * commit. Only inside `AccountTransaction.run`.
   */
  readonly close: (
    accountId: AccountId,
    forms: ReadonlyArray<StoredForm>
  ) => Effect.Effect<ReadonlyArray<StoredForm>>

  /**
   * Makes storage refuse closed forms, removes what was uploaded with them, and deletes their rows. What storage does not confirm is left
   * to the sweep.
   */
  readonly clear: (forms: ReadonlyArray<StoredForm>) => Effect.Effect<void>

  /**
   * Like {@link clear}, after the caller is answered and for many forms together. For forms whose bytes are a file already, so that
   * nothing waits for it. When this process ends before it is done, the sweep does it.
   */
  readonly clearLater: (forms: ReadonlyArray<StoredForm>) => Effect.Effect<void>

  /** Waits until all forms that {@link clearLater} was called with are cleared. */
  readonly cleared: Effect.Effect<void>
}>()("@filedrive/core/uploads/FormEnds") {
  static readonly layerNoDeps = Layer.effect(
    FormEnds,
    Effect.gen(function*() {
      const issuedForms = yield* IssuedForms
      const transaction = yield* AccountTransaction
      const quota = yield* Quota
      const repo = yield* FormsRepo
      const store = yield* ObjectStore

      const close = Effect.fn("FormEnds.close")(function*(accountId: AccountId, forms: ReadonlyArray<StoredForm>) {
        issuedForms.forget(forms)
        const closed = yield* repo.close(accountId, forms.map((form) => form.id))
        yield* quota.add(accountId, { heldBytes: -closed.reduce((sum, form) => sum + form.sizeBytes, 0) })
        return closed
      })

      const clear = Effect.fn("FormEnds.clear")(
        function*(forms: ReadonlyArray<StoredForm>) {
          if (forms.length === 0) return
          // Refused first: nothing can be stored with the form after that, and what was stored before is removed.
          const objects = forms.map(addressOf)
          const revoke = store.revokeForms(objects, DateTime.addDuration(yield* DateTime.now, Limits.formLifetime))
          // A full disk may have no room to record a refusal. Removing what was uploaded makes some; it is removed in any case.
          yield* Effect.catchIf(
            revoke,
            ({ code }) => code === "no_space",
            () => Effect.andThen(store.remove(objects), revoke)
          )
          const left = new Set((yield* store.remove(objects)).map(({ key }) => key))
          const gone = forms.filter((form) => !left.has(form.storeKey))
          for (const [accountId, theirs] of Map.groupBy(gone, (form) => form.accountId)) {
            yield* transaction.share(accountId, () => repo.forget(accountId, theirs.map((form) => form.id)))
          }
        },
        WritePurpose.freeing,
        Effect.catch((error) => Effect.logWarning("Storage could not end a form yet", error))
      )

      const later = yield* Queue.bounded<StoredForm>(waitingMost)
      /** Forms that wait to be cleared. */
      const uncleared = yield* SubscriptionRef.make(0)
      /** Open while somebody waits. */
      const hurry = yield* Latch.make(false)
      const gather = Effect.gen(function*() {
        const first = yield* Queue.take(later)
        if (Queue.sizeUnsafe(later) < clearedTogether - 1) {
          yield* Effect.raceFirst(Effect.sleep(gatheringTime), hurry.await)
        }
        const waiting = Math.min(Queue.sizeUnsafe(later), clearedTogether - 1)
        return waiting === 0 ? [first] : [first, ...yield* Queue.takeBetween(later, 1, waiting)]
      })
      yield* gather.pipe(
        Effect.flatMap((forms) =>
          Effect.andThen(
            Effect.ignoreCause(clear(forms), { log: "Warn" }),
            SubscriptionRef.update(uncleared, (count) => count - forms.length)
          )
        ),
        Effect.forever,
        Effect.forkScoped
      )

      const clearLater = Effect.fnUntraced(function*(forms: ReadonlyArray<StoredForm>) {
        if (forms.length === 0) return
        yield* SubscriptionRef.update(uncleared, (count) => count + forms.length)
        yield* Queue.offerAll(later, forms)
      })

      const cleared = SubscriptionRef.changes(uncleared).pipe(
        Stream.filter((count) => count === 0),
        Stream.runHead,
        (wait) => Effect.andThen(hurry.open, wait),
        Effect.ensuring(hurry.close),
        Effect.asVoid
      )

      // What takes longer is left to the sweep of a later start.
      yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(cleared, closingTime)))

      return FormEnds.of({ close, clear, clearLater, cleared })
    })
  )
}

/** Where a form's file arrives. */
export const addressOf = ({ storeKey }: Pick<StoredForm, "storeKey">) => StoreKey.inPrivate(storeKey)
