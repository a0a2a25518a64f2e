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
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Quota } from "../accounts/Quota.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as Limits from "../limits/Limits.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { StoredForm } from "./Form.ts"
import * as FormClearing from "./FormClearing.ts"
import { FormsRepo } from "./FormsRepo.ts"
import { IssuedForms } from "./IssuedForms.ts"

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

      const remove = Effect.fnUntraced(
        function*(forms: ReadonlyArray<StoredForm>) {
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
          return forms.filter((form) => !left.has(form.storeKey))
        },
        Effect.catch((error) => Effect.as(Effect.logWarning("Storage could not end a form yet", error), []))
      )

      const forget = ([first, ...others]: ReadonlyArray<StoredForm>) =>
        first === undefined
          ? Effect.void
          : transaction.share(
            first.accountId,
            () => repo.forget(first.accountId, [first, ...others].map(({ id }) => id))
          )

      const clear = Effect.fn("FormEnds.clear")(function*(forms: ReadonlyArray<StoredForm>) {
        if (forms.length === 0) return
        const gone = yield* remove(forms)
        yield* Effect.forEach(Map.groupBy(gone, (form) => form.accountId).values(), forget, { discard: true })
      }, WritePurpose.freeing)

      const clearing = yield* FormClearing.make(
        (forms) => WritePurpose.freeing(remove(forms)),
        (forms) => WritePurpose.freeing(forget(forms))
      )

      // What takes longer is left to the sweep of a later start.
      yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(clearing.done, closingTime)))

      return FormEnds.of({ close, clear, clearLater: clearing.later, cleared: clearing.done })
    })
  )
}

/** Where a form's file arrives. */
export const addressOf = ({ storeKey }: Pick<StoredForm, "storeKey">) => StoreKey.inPrivate(storeKey)
