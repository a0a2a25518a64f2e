/** Ends the forms and uploads of a credential that ends, in the same transaction, and releases their bytes. */
import { Effect, Layer } from "effect"
import { CredentialEnds } from "../accounts/CredentialEnds.ts"
import { Database } from "../database/Database.ts"
import type { AccountId, ApiTokenId } from "../shared/Ids.ts"
import { FormEnds } from "./FormEnds.ts"
import { FormsRepo } from "./FormsRepo.ts"
import { makeEnds } from "./UploadEnds.ts"
import { UploadsRepo } from "./UploadsRepo.ts"

export const layerNoDeps = Layer.effectDiscard(Effect.gen(function*() {
  const { sql } = yield* Database
  const ends = yield* CredentialEnds
  const formEnds = yield* FormEnds
  const forms = yield* FormsRepo
  const uploadEnds = yield* makeEnds
  const uploads = yield* UploadsRepo

  const endAll = Effect.fn("EndedCredentials.endAll")(function*(accountId: AccountId, id: ApiTokenId | null) {
    const [open, current] = yield* Effect.all([
      forms.openOfToken(accountId, id),
      uploads.currentOfToken(accountId, id)
    ], { concurrency: "unbounded" })
    // The job that is enqueued with this removes the bytes of uploads from storage.
    yield* uploadEnds.supersede(accountId, current)
    if (open.length > 0) yield* sql.afterCommit(formEnds.clearLater(yield* formEnds.close(accountId, open)))
  })

  yield* ends.onEnded(endAll)
}))
