/** Uploads in one piece: a form that storage accepts exactly one file on. Spec: `/generate-file-urls`. */
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import { Ledger } from "../accounts/Ledger.ts"
import * as Limits from "../limits/Limits.ts"
import { ObjectStore, type SignedForm } from "../ports/ObjectStore.ts"
import { InvalidField, type Refused, type Unavailable } from "../shared/DriveError.ts"
import { Admission } from "./Admission.ts"
import type { FileInput } from "./FileInput.ts"
import { FormsRepo } from "./FormsRepo.ts"
import * as StoreKey from "./StoreKey.ts"

export class Forms extends Context.Service<Forms, {
  /**
   * A form that takes this file, and nothing else, for two days. Each call
   * gives a form of its own; all of them lead to the same `objectKey`.
   *
   * Fails with `InvalidField`: `fileSize` above what one form can carry or
   * past the quota (`storage_limit_reached`), `objectKey` malformed or of a
   * file (`object_key_taken`); with `Refused`: `no_plan`, `not_allowed`, `token_limit`.
   *
   * Spec: `/generate-file-urls`.
   */
  readonly create: (
    file: FileInput
  ) => Effect.Effect<SignedForm, InvalidField | Refused | Unavailable, CurrentAccount>
}>()("@filedrive/core/uploads/Forms") {
  static readonly layerNoDeps = Layer.effect(
    Forms,
    Effect.gen(function*() {
      const admission = yield* Admission
      const ledger = yield* Ledger
      const repo = yield* FormsRepo
      const store = yield* ObjectStore
      const random = yield* SecureRandom.SecureRandom

      const create = Effect.fn("Forms.create")(function*(file: FileInput) {
        const { id: accountId } = yield* allowed("add")
        const account = yield* admission.admit(accountId, file.objectKey)
        yield* admission.room(account, file.fileSize)
        if (file.fileSize > store.singleUploadMaxBytes) {
          return yield* new InvalidField({
            code: "invalid_field",
            field: "fileSize",
            because: `one form carries at most ${store.singleUploadMaxBytes} bytes; send this file in parts`
          })
        }
        const id = yield* random.uuidV7()
        const insertTime = yield* DateTime.now
        const at = StoreKey.incoming(accountId, id)
        // A host may call for a user that has never signed in.
        yield* ledger.open(accountId)
        yield* repo.insert({
          id,
          accountId,
          objectKey: file.objectKey,
          storeKey: at.key,
          sizeBytes: file.fileSize,
          insertTime,
          expireTime: DateTime.addDuration(insertTime, Limits.formLifetime)
        })
        return yield* store.signForm({
          at,
          headers: StoreKey.headers(file),
          sizeBytes: file.fileSize,
          lifetime: Limits.formLifetime
        })
      })

      return Forms.of({ create })
    })
  )
}
