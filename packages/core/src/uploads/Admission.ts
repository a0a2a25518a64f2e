/** What every upload must pass before it may begin. Spec: `/generate-file-urls`, `/create-multipart-upload`. */
import { Context, Effect, Layer, Option } from "effect"
import { fits, Ledger } from "../accounts/Ledger.ts"
import * as Plan from "../accounts/Plan.ts"
import { Files } from "../files/Files.ts"
import { type Account, Accounts } from "../ports/Accounts.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { InvalidField, type Refused, type Unavailable } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"
import * as ObjectKey from "./ObjectKey.ts"

/** The account has no room for this file. Contract: `storage_limit_reached`. */
export const storageLimitReached = () =>
  new InvalidField({
    code: "storage_limit_reached",
    field: "fileSize",
    because: "the account's storage limit would be passed"
  })

/** The key belongs to a file already. */
export const objectKeyTaken = () =>
  new InvalidField({ code: "object_key_taken", field: "objectKey", because: "a file is recorded under this key" })

export class Admission extends Context.Service<Admission, {
  /** Whether the account may store a new file under `objectKey`: its plan, the key itself, and whether a file holds it. */
  readonly admit: (
    accountId: AccountId,
    objectKey: string
  ) => Effect.Effect<Account, InvalidField | Refused | Unavailable>

  /**
   * Whether there is room for `bytes` more, in storage and, as far as can be seen without the
   * account's lock. Whoever takes bytes for good asks again under the lock.
   */
  readonly room: (account: Account, bytes: number) => Effect.Effect<void, InvalidField | Unavailable>
}>()("@filedrive/core/uploads/Admission") {
  static readonly layerNoDeps = Layer.effect(
    Admission,
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const files = yield* Files
      const ledger = yield* Ledger
      const store = yield* ObjectStore

      const admit = Effect.fn("Admission.admit")(function*(accountId: AccountId, objectKey: string) {
        const account = yield* Plan.storing(accounts, accountId)
        yield* Effect.fromResult(ObjectKey.check(objectKey, accountId))
        return Option.isSome(yield* files.findByObjectKey(accountId, objectKey)) ? yield* objectKeyTaken() : account
      })

      const room = Effect.fn("Admission.room")(function*(account: Account, bytes: number) {
        if (!fits(yield* ledger.balance(account.id), account.quotaBytes, bytes)) return yield* storageLimitReached()
        yield* store.room(bytes)
      })

      return Admission.of({ admit, room })
    })
  )
}
