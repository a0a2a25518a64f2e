/** API tokens: making, listing and revoking them, and exchanging one for a session. */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { type Digest, SecureRandom } from "effect/crypto"
import { Jobs } from "../jobs/Jobs.ts"
import { Accounts } from "../ports/Accounts.ts"
import { InvalidField, NotFound, Refused, Unauthenticated, type Unavailable } from "../shared/DriveError.ts"
import { type AccountId, ApiTokenId } from "../shared/Ids.ts"
import * as SecretToken from "../shared/SecretToken.ts"
import { type ApiToken, isLive, mayManage, prefix } from "./ApiToken.ts"
import { ApiTokensRepo } from "./ApiTokensRepo.ts"
import { CurrentAccount, type Limits } from "./CurrentAccount.ts"
import { Ledger } from "./Ledger.ts"
import { type OpenedSession, Sessions } from "./Sessions.ts"

export interface NewApiToken {
  readonly name: string
  readonly limits: Limits
  readonly expireTime: DateTime.Utc | null
}

/** An expired token stays in the owner's list this long. */
const remembered = Duration.days(30)

export class ApiTokens extends Context.Service<ApiTokens, {
  /**
   * Makes a token of the caller's. Its text is shown this once: only a hash is kept.
   *
   * Fails with `NotFound` when the folder is not the caller's, `InvalidField`
   * when it would have expired already, `Refused` (`token_limit`) when the
   * caller's own token is limited. Contract: `/create-api-token`.
   */
  readonly create: (
    token: NewApiToken
  ) => Effect.Effect<
    { readonly token: ApiToken; readonly text: string },
    NotFound | InvalidField | Refused,
    CurrentAccount
  >

  /** The caller's tokens, newest first, expired ones too. Fails with `Refused` like {@link create}. */
  readonly list: Effect.Effect<ReadonlyArray<ApiToken>, Refused, CurrentAccount>

  /**
   * Revokes a token of the caller's and ends every session it was exchanged for.
   *
   * Fails with `NotFound` when no token of the caller's has that id (any
   * more), `Refused` like {@link create}.
   */
  readonly revoke: (id: ApiTokenId) => Effect.Effect<void, NotFound | Refused, CurrentAccount>

  /**
   * Makes a token with a text of the host's choosing, for accounts that are
   * configured rather than signed up. Repeating is safe: a text that is
   * known already is left as it is.
   */
  readonly register: (accountId: AccountId, text: string, token: NewApiToken) => Effect.Effect<void>

  /**
   * A session for a token.
   *
   * Fails with `Unauthenticated` (`invalid_token`) when the token is unknown,
   * expired or revoked or its user is no more, `Refused` (`not_allowed`) when
   * the user is suspended. Spec: "Authentication", step 1.
   */
  readonly exchange: (
    text: string
  ) => Effect.Effect<
    OpenedSession & { readonly accountId: AccountId },
    Unauthenticated | Refused | Unavailable
  >
}>()("@filedrive/core/accounts/ApiTokens") {
  static readonly layerNoDeps = Layer.effect(
    ApiTokens,
    Effect.gen(function*() {
      const repo = yield* ApiTokensRepo
      const sessions = yield* Sessions
      const accounts = yield* Accounts
      const ledger = yield* Ledger
      const jobs = yield* Jobs
      const random = yield* SecureRandom.SecureRandom
      const crypto = yield* Effect.context<Digest.Digest | SecureRandom.SecureRandom>()

      const manager = Effect.filterOrFail(
        CurrentAccount,
        ({ limits }) => mayManage(limits),
        () => new Refused({ code: "token_limit", because: "A limited token may not manage tokens." })
      )

      const described = Effect.fnUntraced(function*(accountId: AccountId, token: NewApiToken) {
        const id = ApiTokenId.make(yield* random.uuidV7())
        return { ...token, id, accountId, insertTime: yield* DateTime.now, lastUsedTime: null }
      })

      const create = Effect.fn("ApiTokens.create")(function*(input: NewApiToken) {
        const { id: accountId } = yield* manager
        const token = yield* described(accountId, input)
        if (!isLive(token, token.insertTime)) {
          return yield* new InvalidField({
            code: "invalid_field",
            field: "expireTime",
            because: "must be in the future."
          })
        }
        const secret = yield* Effect.provideContext(SecretToken.make(prefix), crypto)
        const inserted = yield* ledger.locked(accountId, () => repo.insert(token, secret.hash))
        // The hash is new, so only the folder can stand in the way.
        if (!inserted) return yield* new NotFound({ resource: "folder", id: String(input.limits.folderId) })
        return { token, text: secret.text }
      })

      const list = Effect.flatMap(manager, ({ id }) => repo.list(id)).pipe(Effect.withSpan("ApiTokens.list"))

      const revoke = Effect.fn("ApiTokens.revoke")(function*(id: ApiTokenId) {
        const account = yield* manager
        if (!(yield* repo.remove(account.id, id))) return yield* new NotFound({ resource: "token", id })
      })

      const register = Effect.fn("ApiTokens.register")(
        function*(accountId: AccountId, text: string, input: NewApiToken) {
          yield* ledger.open(accountId)
          yield* repo.insert(
            yield* described(accountId, input),
            yield* Effect.provideContext(SecretToken.hash(text), crypto)
          )
        }
      )

      const exchange = Effect.fn("ApiTokens.exchange")(function*(text: string) {
        const hash = yield* Effect.provideContext(SecretToken.hash(text), crypto)
        const found = yield* repo.findByHash(hash)
        if (Option.isNone(found)) return yield* new Unauthenticated({ code: "invalid_token" })
        const { accountId, id } = found.value
        const opened = yield* sessions.openFor(id)
        if (Option.isNone(opened)) return yield* new Unauthenticated({ code: "invalid_token" })
        // Asked only now: a suspension that comes later finds this session and ends it.
        const account = yield* Effect.tapError(accounts.find(accountId), () => sessions.end(opened.value.token))
        if (Option.isSome(account) && !account.value.suspended) return { ...opened.value, accountId }
        yield* sessions.end(opened.value.token)
        return yield* Option.isNone(account)
          ? new Unauthenticated({ code: "invalid_token" })
          : new Refused({ code: "not_allowed", because: "This account is suspended." })
      })

      yield* jobs.every(
        "apiTokens.sweep",
        Duration.days(1),
        Effect.flatMap(DateTime.now, (now) => repo.sweep(DateTime.subtractDuration(now, remembered)))
      )

      return ApiTokens.of({ create, list, revoke, register, exchange })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(ApiTokensRepo.layer))
}
