/** The checks that every upload must pass before it may begin. Spec: `/generate-file-urls`, `/create-multipart-upload`. */
import { Context, Effect, Layer, Result } from "effect"
import { fits } from "../accounts/Balance.ts"
import type { Limits } from "../accounts/CurrentAccount.ts"
import * as Plan from "../accounts/Plan.ts"
import { Quota } from "../accounts/Quota.ts"
import { Files } from "../files/Files.ts"
import * as ObjectKey from "../files/ObjectKey.ts"
import { type Account, Accounts } from "../ports/Accounts.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { InvalidField, type Refused, type Unavailable } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { OpenForm } from "./Form.ts"
import { FormsRepo } from "./FormsRepo.ts"
import type { Upload } from "./Upload.ts"
import { UploadsRepo } from "./UploadsRepo.ts"

/** The account has no room for this file. Contract: `storage_limit_reached`. */
export const storageLimitReached = () =>
  new InvalidField({
    code: "storage_limit_reached",
    field: "fileSize",
    because: "the account's storage limit would be passed"
  })

/** The key belongs to a file, or to an upload that the call's limits leave out: a limited call is not told which. */
export const objectKeyTaken = () =>
  new InvalidField({ code: "object_key_taken", field: "objectKey", because: "is taken by another file or upload" })

/** The uploads of one key. */
export interface Claim {
  readonly form: OpenForm | undefined
  readonly upload: Upload | undefined
}

export class Admission extends Context.Service<Admission, {
  /** Whether the account may store a new file under `objectKey`: its plan, and whose key it is. */
  readonly admit: (
    accountId: AccountId,
    objectKey: ObjectKey.ObjectKey
  ) => Effect.Effect<Account, Refused | Unavailable>

  /**
   * The open uploads of a key, if the call may continue all of them; `object_key_taken` otherwise, and when a file
   * holds the key. True for as long as the account is locked.
   */
  readonly claim: (
    accountId: AccountId,
    objectKey: ObjectKey.ObjectKey,
    limits: Limits
  ) => Effect.Effect<Claim, InvalidField>

  /** The same for several keys, in the same order. */
  readonly claimAll: (
    accountId: AccountId,
    objectKeys: ReadonlyArray<ObjectKey.ObjectKey>,
    limits: Limits
  ) => Effect.Effect<ReadonlyArray<Result.Result<Claim, InvalidField>>>

  /**
   * Whether there is room for `bytes` more, in storage and, as far as can be seen without the
   * account's lock. Code that reserves bytes checks again under the lock.
   */
  readonly room: (account: Account, bytes: number) => Effect.Effect<void, InvalidField | Unavailable>
}>()("@filedrive/core/uploads/Admission") {
  static readonly layerNoDeps = Layer.effect(
    Admission,
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const files = yield* Files
      const forms = yield* FormsRepo
      const quota = yield* Quota
      const store = yield* ObjectStore
      const uploads = yield* UploadsRepo

      const admit = Effect.fn("Admission.admit")(function*(accountId: AccountId, objectKey: ObjectKey.ObjectKey) {
        const account = yield* Plan.storing(accounts, accountId)
        yield* Effect.fromResult(ObjectKey.owned(objectKey, accountId))
        return account
      })

      const claimAll = Effect.fn("Admission.claimAll")(
        function*(accountId: AccountId, objectKeys: ReadonlyArray<ObjectKey.ObjectKey>, limits: Limits) {
          const [holders, open, current] = yield* Effect.all([
            files.findHolders(accountId, limits, objectKeys),
            forms.findOpen(accountId, objectKeys, limits),
            uploads.findCurrent(accountId, objectKeys, limits)
          ], { concurrency: "unbounded" })
          return objectKeys.map((objectKey) => {
            const isOfKey = (found: { readonly objectKey: string }) => found.objectKey === objectKey
            const [form, upload] = [open.find(isOfKey), current.find(isOfKey)]
            return holders.some(isOfKey) || form?.isWithin === false || upload?.isWithin === false
              ? Result.fail(objectKeyTaken())
              : Result.succeed({ form, upload })
          })
        }
      )

      const claim: Admission["Service"]["claim"] = (accountId, objectKey, limits) =>
        Effect.flatMap(claimAll(accountId, [objectKey], limits), ([claimed]) => Effect.fromResult(claimed!))

      const room = Effect.fn("Admission.room")(function*(account: Account, bytes: number) {
        if (!fits(yield* quota.balance(account.id), account.quotaBytes, bytes)) return yield* storageLimitReached()
        yield* store.room(bytes)
      })

      return Admission.of({ admit, claim, claimAll, room })
    })
  )
}
