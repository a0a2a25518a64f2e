/**
 * The tokens that grants of OAuth are: listed, limited and revoked like API tokens, without a text of their own.
 * {@link "../oauth/Grants.ts"} makes them of what a person allowed.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { type AccountId, ApiTokenId } from "../shared/Ids.ts"
import type { ApiToken } from "./ApiToken.ts"
import { ApiTokensRepo } from "./ApiTokensRepo.ts"
import { TokenLifetimes } from "./TokenLifetimes.ts"

export interface NewGrantToken extends Pick<ApiToken, "accountId" | "name" | "limits"> {
  readonly clientId: string
  readonly expireTime: DateTime.Utc
}

export class GrantTokens extends Context.Service<GrantTokens, {
  /** Null when the folder that it is limited to is not there. */
  readonly create: (token: NewGrantToken) => Effect.Effect<ApiTokenId | null>
  /** Those of the account that have not expired. */
  readonly count: (accountId: AccountId) => Effect.Effect<number>
  /** Has it end at `expireTime`. False when it has ended. */
  readonly extend: (accountId: AccountId, id: ApiTokenId, expireTime: DateTime.Utc) => Effect.Effect<boolean>
  /** Ends it with its sessions and what else it has ({@link TokenLifetimes}). Repeating is safe. */
  readonly end: (accountId: AccountId, id: ApiTokenId) => Effect.Effect<void>
}>()("@filedrive/core/accounts/GrantTokens") {
  static readonly layer = Layer.effect(
    GrantTokens,
    Effect.gen(function*() {
      const repo = yield* ApiTokensRepo
      const lifetimes = yield* TokenLifetimes
      const random = yield* SecureRandom.SecureRandom

      const create = Effect.fn("GrantTokens.create")(function*(token: NewGrantToken) {
        const id = ApiTokenId.make(yield* random.uuidV7())
        const whole = { ...token, id, insertTime: yield* DateTime.now, lastUsedTime: null }
        return (yield* lifetimes.begin(whole, null)) ? id : null
      })

      return GrantTokens.of({
        create,
        count: (accountId) => Effect.flatMap(DateTime.now, (now) => repo.countGrants(accountId, now)),
        extend: lifetimes.extend,
        end: (accountId, id) => Effect.asVoid(lifetimes.end(accountId, id))
      })
    })
  ).pipe(Layer.provide([ApiTokensRepo.layer, TokenLifetimes.layer]))
}
