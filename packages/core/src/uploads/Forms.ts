/** Uploads in one piece: by a form with which storage accepts exactly one file. Spec: `/generate-file-urls`. */
import { Context, DateTime, Effect, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { fits, plus } from "../accounts/Balance.ts"
import { allowed, type CurrentAccount, isSameLimits } from "../accounts/CurrentAccount.ts"
import { credentialEnded } from "../accounts/LiveCredential.ts"
import { Quota } from "../accounts/Quota.ts"
import * as Pipeline from "../database/Pipeline.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as ObjectKey from "../files/ObjectKey.ts"
import * as Limits from "../limits/Limits.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { ObjectStore, type SignedForm } from "../ports/ObjectStore.ts"
import { InvalidField, Refused, type Unavailable } from "../shared/DriveError.ts"
import { type AccountId, type ApiTokenId, FormId } from "../shared/Ids.ts"
import { Admission, objectKeyTaken, storageLimitReached } from "./Admission.ts"
import * as Delivery from "./Delivery.ts"
import type { FileInput } from "./FileInput.ts"
import type { Form, OpenForm, StoredForm } from "./Form.ts"
import { FormEnds } from "./FormEnds.ts"
import { FormsRepo } from "./FormsRepo.ts"
import { IssuedForms } from "./IssuedForms.ts"

/** The most forms that one transaction issues together. */
const issuedTogether = 32

/** A form to be issued to an account with this quota. */
interface Issue extends Form {
  readonly objectKey: ObjectKey.ObjectKey
  readonly quotaBytes: number | null
  readonly delivery: Delivery.Delivery | undefined
}

interface Issued {
  readonly form: Issue
  /** The form that its key had before. */
  readonly former: OpenForm | undefined
}

export class Forms extends Context.Service<Forms, {
  /**
   * A form that accepts this file, and nothing else, for two days. It reserves its bytes of the quota until it is inserted,
   * superseded, cancelled, or swept an hour after it expires. The form that its `objectKey` had before is superseded.
   *
   * Fails with `InvalidField`: `fileSize` above what one form can carry or
   * past the quota (`storage_limit_reached`), `objectKey` malformed, of a
   * file, or with an upload that the call's limits leave out (`object_key_taken`); with `Refused`: `no_plan`, `not_allowed`,
   * `token_limit`, `too_many_forms`. That of a sender is also subject to the rules of its request.
   *
   * Spec: `/generate-file-urls`.
   */
  readonly create: (
    file: FileInput,
    delivery?: Delivery.Delivery
  ) => Effect.Effect<SignedForm, InvalidField | Refused | Unavailable, CurrentAccount>

  /**
   * Releases at once the bytes of the open form of this key; what is still sent with it is refused or removed. Returns whether there was
   * one. Fails like {@link create}. Contract: `/cancel-file-urls`.
   */
  readonly cancel: (objectKey: ObjectKey.ObjectKey) => Effect.Effect<boolean, InvalidField | Refused, CurrentAccount>
}>()("@filedrive/core/uploads/Forms") {
  static readonly layerNoDeps = Layer.effect(
    Forms,
    Effect.gen(function*() {
      const admission = yield* Admission
      const ends = yield* FormEnds
      const issuedForms = yield* IssuedForms
      const transaction = yield* AccountTransaction
      const quota = yield* Quota
      const repo = yield* FormsRepo
      const store = yield* ObjectStore
      const random = yield* SecureRandom.SecureRandom

      /** The account's own forms have a bound of their own, which senders can't use up. */
      const ownRoom = Effect.fnUntraced(function*(accountId: AccountId, tokenId: ApiTokenId | null) {
        const { count, isLive } = yield* repo.countOpen(accountId, tokenId, yield* DateTime.now)
        let open = count
        const take: Delivery.Room["take"] = (_, { opens }) => {
          if (!isLive) return Result.fail(credentialEnded())
          if (opens !== null && open >= Limits.openFormsMaxCount) return Result.fail(tooManyForms)
          if (opens !== null) open++
          return Result.void
        }
        return { take }
      })

      /**
       * Issues signed forms, one after the other: each claims its key, must fit in the account after those before it, and replaces
       * an earlier form of its key. Returns the replaced ones, to be cleared after the commit.
       */
      const issue = transaction.batch<Issue, ReadonlyArray<StoredForm>, InvalidField | Refused, never>({
        most: issuedTogether,
        keyOf: ({ objectKey }) => objectKey,
        isAlike: (one, other) =>
          isSameLimits(one, other) && one.tokenId === other.tokenId && one.quotaBytes === other.quotaBytes &&
          Delivery.isAlike(one.delivery, other.delivery),
        run: Effect.fnUntraced(function*(accountId, asked, balance) {
          const [first] = asked as readonly [Issue]
          const [claims, room] = yield* Effect.all([
            admission.claimAll(accountId, asked.map(({ objectKey }) => objectKey), first),
            first.delivery === undefined
              ? ownRoom(accountId, first.tokenId)
              : first.delivery.rules.room(
                accountId,
                asked.flatMap(({ deliveredTo }) => deliveredTo ?? []),
                first.quotaBytes
              )
          ], { concurrency: "unbounded" })
          let held = balance
          const decided = asked.map((form, at) =>
            Result.flatMap(claims[at]!, ({ form: former }): Result.Result<Issued, InvalidField | Refused> => {
              const more = form.sizeBytes - (former?.sizeBytes ?? 0)
              if (more > 0 && !fits(held, form.quotaBytes, more)) return Result.fail(storageLimitReached())
              const opens = former === undefined ? "form" as const : null
              return Result.map(room.take(form.deliveredTo, { opens, moreBytes: more }), () => {
                held = plus(held, { usedBytes: 0, heldBytes: more })
                return { form, former }
              })
            })
          )
          const issued = decided.flatMap((result) => Result.isSuccess(result) ? [result.success] : [])
          const former = issued.flatMap((one) => one.former ?? [])
          const closed = former.length === 0 ? [] : yield* ends.close(accountId, former)
          if (issued.length > 0) yield* Pipeline.unawaited(repo.insert(accountId, issued.map(({ form }) => form)))
          yield* quota.add(accountId, { heldBytes: issued.reduce((sum, { form }) => sum + form.sizeBytes, 0) })
          return decided.map(Result.map((one) => closed.filter(({ id }) => id === one.former?.id)))
        })
      })

      const create = Effect.fn("Forms.create")(function*(file: FileInput, delivery?: Delivery.Delivery) {
        const { id: accountId, limits, tokenId } = yield* allowed("add")
        const { fileSize: sizeBytes, objectKey } = file
        const { quotaBytes } = yield* admission.admit(accountId, objectKey)
        if (sizeBytes > store.singleUploadMaxBytes) {
          return yield* new InvalidField({
            code: "invalid_field",
            field: "fileSize",
            because: `one form carries at most ${store.singleUploadMaxBytes} bytes; send this file in parts`
          })
        }
        // A file that can never fit is refused whatever room the disk has.
        if (quotaBytes !== null && sizeBytes > quotaBytes) return yield* storageLimitReached()
        yield* store.room(sizeBytes)
        const id = FormId.make(yield* random.uuidV7())
        const insertTime = yield* DateTime.now
        const at = StoreKey.inPrivate(StoreKey.make("forms", accountId, id))
        const expireTime = DateTime.addDuration(insertTime, Limits.formLifetime)
        const form: Form & { readonly objectKey: ObjectKey.ObjectKey } = {
          id,
          accountId,
          objectKey,
          storeKey: at.key,
          sizeBytes,
          insertTime,
          expireTime,
          deliveredTo: delivery?.ids ?? null,
          tokenId,
          ...limits
        }
        // Before its row is inserted: a form that could not be signed reserves nothing, and supersedes none.
        const signed = yield* store.signForm({
          at,
          headers: ObjectHeaders.of(file, "private"),
          sizeBytes,
          lifetime: Limits.formLifetime
        })
        // No caller gets a form without a row, so storage need not keep it open.
        const superseded = yield* Effect.onError(
          issue(accountId, { ...form, quotaBytes, delivery }),
          () =>
            Effect.catch(
              WritePurpose.freeing(store.revokeForms([at], expireTime)),
              (error) => Effect.logWarning("Storage could not end a form whose row was not inserted", error)
            )
        )
        issuedForms.remember(form)
        yield* ends.clear(superseded)
        return signed
      })

      const cancel = Effect.fn("Forms.cancel")(function*(objectKey: ObjectKey.ObjectKey) {
        const { id: accountId, limits } = yield* allowed("add")
        yield* Effect.fromResult(ObjectKey.owned(objectKey, accountId))
        const closed = yield* transaction.share(accountId, () =>
          Effect.gen(function*() {
            const [form] = yield* repo.findOpen(accountId, [objectKey], limits)
            if (form === undefined) return []
            return form.isWithin ? yield* ends.close(accountId, [form]) : yield* objectKeyTaken()
          }))
        yield* ends.clear(closed)
        return closed.length > 0
      }, WritePurpose.freeing)

      return Forms.of({ create, cancel })
    })
  )
}

const tooManyForms = new Refused({
  code: "too_many_forms",
  because: `${Limits.openFormsMaxCount} forms of this account are open; use or cancel some of them first.`
})
