/** Forms and uploads in parts that are left open under a key which a file has got in another way: they could never become a file. */
import { Context, Effect, Layer } from "effect"
import { unlimited } from "../accounts/CurrentAccount.ts"
import type { PendingDeletion } from "../objects/PendingDeletion.ts"
import { PendingDeletions } from "../objects/PendingDeletions.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { StoredForm } from "./Form.ts"
import { FormEnds } from "./FormEnds.ts"
import { FormsRepo } from "./FormsRepo.ts"
import { makeEnds } from "./UploadEnds.ts"
import { UploadsRepo } from "./UploadsRepo.ts"

/** What has ended in the database, and storage still has. */
export interface Ended {
  readonly forms: ReadonlyArray<StoredForm>
  readonly objects: ReadonlyArray<PendingDeletion>
}

export class LeftUploads extends Context.Service<LeftUploads, {
  /** Ends those of these keys and releases their bytes. Only inside `AccountTransaction.run`. */
  readonly end: (accountId: AccountId, objectKeys: ReadonlyArray<string>) => Effect.Effect<Ended>
  /** Removes from storage what has ended; after the commit. What storage does not confirm is left to jobs. */
  readonly clear: (accountId: AccountId, ended: Ended) => Effect.Effect<void>
}>()("@filedrive/core/uploads/LeftUploads") {
  static readonly layerNoDeps = Layer.effect(
    LeftUploads,
    Effect.gen(function*() {
      const deletions = yield* PendingDeletions
      const formEnds = yield* FormEnds
      const forms = yield* FormsRepo
      const uploadEnds = yield* makeEnds
      const uploads = yield* UploadsRepo

      const end = Effect.fn("LeftUploads.end")(function*(accountId: AccountId, objectKeys: ReadonlyArray<string>) {
        const [open, current] = yield* Effect.all([
          forms.findOpen(accountId, objectKeys, unlimited),
          uploads.findCurrent(accountId, objectKeys, unlimited)
        ], { concurrency: "unbounded" })
        return {
          forms: open.length === 0 ? [] : yield* formEnds.close(accountId, open),
          objects: yield* uploadEnds.supersede(accountId, current)
        }
      })

      const clear = Effect.fnUntraced(function*(accountId: AccountId, { forms, objects }: Ended) {
        yield* formEnds.clearLater(forms)
        if (objects.length > 0) yield* deletions.removeNow(accountId, objects)
      })

      return LeftUploads.of({ end, clear })
    })
  )
}
