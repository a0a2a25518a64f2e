/**
 * The token that an account's owner gives the agent tasks by, without a program: tasks and conversations belong to a token. It has no text, so
 * nobody signs in with it, is made when it is first needed, and is listed and revoked like others. After that the next one is made.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { type AccountId, ApiTokenId } from "../shared/Ids.ts"
import { AccountTransaction } from "./AccountTransaction.ts"
import { ApiTokensRepo } from "./ApiTokensRepo.ts"
import type { Credential } from "./Credential.ts"
import { unlimited } from "./CurrentAccount.ts"
import { TokenLifetimes } from "./TokenLifetimes.ts"

/** Its `clientId`: no app can have it, since theirs are UUIDs or https addresses. */
export const ownerClientId = "filedrive:owner"

/** What tasks call it. */
const ownerName = "Owner"

export class OwnerTokens extends Context.Service<OwnerTokens, {
  readonly of: (accountId: AccountId) => Effect.Effect<Credential>
}>()("@filedrive/core/accounts/OwnerTokens") {
  static readonly layer = Layer.effect(
    OwnerTokens,
    Effect.gen(function*() {
      const repo = yield* ApiTokensRepo
      const lifetimes = yield* TokenLifetimes
      const random = yield* SecureRandom.SecureRandom
      const transaction = yield* AccountTransaction

      const make = Effect.fnUntraced(function*(accountId: AccountId) {
        const found = yield* repo.findOfClient(accountId, ownerClientId)
        if (found !== null) return found
        const id = ApiTokenId.make(yield* random.uuidV7())
        const credential: Credential = { id, accountId, name: ownerName, limits: unlimited }
        const insertTime = yield* DateTime.now
        const token = { ...credential, insertTime, expireTime: null, lastUsedTime: null, clientId: ownerClientId }
        yield* lifetimes.begin(token, null)
        return credential
      })

      // Under the account's lock, so that there is one.
      return OwnerTokens.of({ of: (accountId) => transaction.share(accountId, () => make(accountId)) })
    })
  ).pipe(Layer.provide([ApiTokensRepo.layer, TokenLifetimes.layer]))
}
