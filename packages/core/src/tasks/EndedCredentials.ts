/** Cancels the tasks of a credential that ends, in the same transaction, and removes their webhooks, which receive nothing more. */
import { DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { CredentialEnds } from "../accounts/CredentialEnds.ts"
import { Database } from "../database/Database.ts"
import { Events } from "../events/Events.ts"
import type { AccountId, ApiTokenId } from "../shared/Ids.ts"
import { Waits } from "../waits/Waits.ts"
import type { StoredMessage } from "./StoredTask.ts"
import { makeChanges } from "./TaskChanges.ts"
import { TasksRepo } from "./TasksRepo.ts"
import { Webhooks } from "./Webhooks.ts"

export const layerNoDeps = Layer.effectDiscard(Effect.gen(function*() {
  const { sql } = yield* Database
  const ends = yield* CredentialEnds
  const repo = yield* TasksRepo
  const webhooks = yield* Webhooks
  const waits = yield* Waits
  const events = yield* Events
  const changes = yield* makeChanges
  const random = yield* SecureRandom.SecureRandom

  const cancelAll = Effect.fn("EndedCredentials.cancelAll")(function*(accountId: AccountId, id: ApiTokenId | null) {
    yield* webhooks.removeAll(accountId, id)
    const { active, waiting } = yield* waits.counts
    if (active === 0 && waiting === 0) return
    // Queued tasks, perhaps thousands, are cancelled first, so that none of them begins in the place of another.
    const message: StoredMessage = {
      messageId: yield* random.uuidV7(),
      role: "agent",
      parts: [{ text: "Canceled. Nothing had been changed." }],
      metadata: null,
      time: DateTime.formatIso(yield* DateTime.now)
    }
    const queued = yield* repo.cancelQueued(accountId, id, message, DateTime.toDateUtc(yield* DateTime.now))
    if (queued.length > 0) yield* waits.countActive(-queued.length)
    yield* sql.afterCommit(Effect.forEach(queued, events.announce, { discard: true }))
    yield* Effect.forEach(yield* repo.begun(accountId, id), changes.cancel, { discard: true })
  })

  yield* ends.onEnded(cancelAll)
}))
