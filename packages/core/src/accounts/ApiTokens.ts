/** API tokens: making, listing and revoking them, and exchanging one for a session. */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { type Digest, SecureRandom } from "effect/crypto"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as Job from "../jobs/Job.ts"
import * as Limits from "../limits/Limits.ts"
import { Accounts } from "../ports/Accounts.ts"
import { InvalidField, NotFound, Refused, Unauthenticated, type Unavailable } from "../shared/DriveError.ts"
import * as Given from "../shared/Given.ts"
import { type AccountId, ApiTokenId } from "../shared/Ids.ts"
import * as SecretToken from "../shared/SecretToken.ts"
import { ConfiguredServiceTokens, RegisteredServiceToken, ServiceToken, type TokenName } from "./AccountInput.ts"
import { AccountTransaction } from "./AccountTransaction.ts"
import { ActiveAccounts, refused } from "./ActiveAccounts.ts"
import { type ApiToken, ApiTokenText, isLive, mayManage, prefix } from "./ApiToken.ts"
import { ApiTokensRepo } from "./ApiTokensRepo.ts"
import type { Credential } from "./Credential.ts"
import { CurrentAccount, type Limits as AccountLimits } from "./CurrentAccount.ts"
import type { OpenedSession } from "./Session.ts"
import { Sessions } from "./Sessions.ts"
import { apiTokenExpiryJob, TokenLifetimes } from "./TokenLifetimes.ts"

export interface NewApiToken {
  readonly name: TokenName
  readonly limits: AccountLimits
  readonly expireTime: DateTime.Utc | null
}

/** A token whose text stands in the host's configuration. */
export interface ConfiguredToken {
  readonly accountId: AccountId
  readonly text: ApiTokenText
  readonly token: NewApiToken
}

const reading = {
  token: Given.checking(ServiceToken),
  registered: Given.checking(RegisteredServiceToken),
  configured: Given.checking(ConfiguredServiceTokens)
}

/** An expired token stays in the owner's list this long. */
const remembered = Duration.days(30)

export const apiTokenSweepJob = Job.every("apiTokens.sweep", {
  description: "Forgets API tokens that ended 30 days ago.",
  interval: Duration.days(1)
})

const tooMany = new Refused({
  code: "not_allowed",
  because: `An account has at most ${Limits.tokensOfAccount} API tokens; revoke some of them first.`
})

export class ApiTokens extends Context.Service<ApiTokens, {
  /**
   * Makes a token of the caller's. Its text is shown this once: only a hash is kept.
   *
   * Fails with `NotFound` when the folder is not the caller's, `InvalidField`
   * when it would have expired already, `Refused` (`token_limit`) when the
   * caller's own token is limited, (`not_allowed`) when the user is suspended or
   * unknown, `Unavailable` when the host's accounts can't be asked. Contract: `/create-api-token`.
   */
  readonly create: (
    token: NewApiToken
  ) => Effect.Effect<
    { readonly token: ApiToken; readonly text: ApiTokenText },
    NotFound | InvalidField | Refused | Unavailable,
    CurrentAccount
  >

  /** The caller's tokens, newest first, expired ones too. Fails with `Refused` like {@link create}. */
  readonly list: Effect.Effect<ReadonlyArray<ApiToken>, Refused, CurrentAccount>

  /**
   * Revokes a token of the caller's and ends every session it was exchanged for, and what else it has ({@link TokenLifetimes}).
   *
   * Fails with `NotFound` when no token of the caller's has that id (or no
   * longer), `Refused` like {@link create}.
   */
  readonly revoke: (id: ApiTokenId) => Effect.Effect<void, InvalidField | NotFound | Refused, CurrentAccount>

  /**
   * Makes a token with a text of the host's choosing, for accounts that are
   * configured rather than signed up. Repeating is safe: a text that is
   * known already is left as it is. Fails with `InvalidField` when the text has fewer than 32 characters or is another
   * account's token, `NotFound` when the folder is not the account's.
   */
  readonly register: (
    accountId: AccountId,
    text: ApiTokenText,
    token: NewApiToken
  ) => Effect.Effect<void, InvalidField | NotFound>

  /**
   * Makes these the tokens of the host's configuration, each like {@link register}: one that was
   * configured before and is no longer among them is revoked, of whatever account it is. One whose limits or end have changed is made
   * anew: what it had ends.
   *
   * Fails with `InvalidField` when a token is not valid (then nothing changes), its text is
   * another account's token or its folder is not the account's. Repeating is safe.
   */
  readonly configure: (tokens: ReadonlyArray<ConfiguredToken>) => Effect.Effect<void, InvalidField>

  /**
   * A session for a token.
   *
   * Fails with `Unauthenticated` (`invalid_token`) when the token is unknown,
   * expired or revoked or its user no longer exists, `Refused` (`not_allowed`) when
   * the user is suspended. Spec: "Authentication", step 1.
   */
  readonly exchange: (
    text: ApiTokenText
  ) => Effect.Effect<
    OpenedSession & { readonly accountId: AccountId },
    Unauthenticated | Refused | Unavailable
  >

  /**
   * Whose token this is and what it may do, for callers that show the token with each request instead of a session. It is marked as
   * used, at most once a minute.
   *
   * Fails like {@link exchange}.
   */
  readonly resolve: (text: ApiTokenText) => Effect.Effect<Credential, Unauthenticated | Refused | Unavailable>

  /** What the token is, for a host's own code; null when it is unknown, expired or revoked, or its user is suspended or gone. */
  readonly lookUp: (text: ApiTokenText) => Effect.Effect<ApiToken | null, Unavailable>

  /** {@link resolve} for a token's id, for work that goes on without its bearer; null when it is unknown, expired or revoked. */
  readonly find: (accountId: AccountId, id: ApiTokenId) => Effect.Effect<Credential | null>
}>()("@filedrive/core/accounts/ApiTokens") {
  static readonly layerNoDeps = Layer.effect(
    ApiTokens,
    Effect.gen(function*() {
      const repo = yield* ApiTokensRepo
      const sessions = yield* Sessions
      const accounts = yield* Accounts
      const active = yield* ActiveAccounts
      const lifetimes = yield* TokenLifetimes
      const transaction = yield* AccountTransaction
      const random = yield* SecureRandom.SecureRandom
      const crypto = yield* Effect.context<Digest.Digest | SecureRandom.SecureRandom>()

      const manager = Effect.filterOrFail(
        CurrentAccount,
        ({ limits }) => mayManage(limits),
        () => new Refused({ code: "token_limit", because: "A limited token may not manage tokens." })
      )

      const described = Effect.fnUntraced(function*(accountId: AccountId, token: NewApiToken) {
        const id = ApiTokenId.make(yield* random.uuidV7())
        return { ...token, id, accountId, insertTime: yield* DateTime.now, lastUsedTime: null, clientId: null }
      })

      const create = Effect.fn("ApiTokens.create")(function*(given: NewApiToken) {
        const { id: accountId } = yield* manager
        const input = yield* reading.token(given)
        const token = yield* described(accountId, input)
        if (!isLive(token, token.insertTime)) {
          return yield* new InvalidField({
            code: "invalid_field",
            field: "expireTime",
            because: "must be in the future"
          })
        }
        yield* active.checkAnew(accountId)
        const secret = yield* Effect.provideContext(SecretToken.make(prefix), crypto)
        const inserted = yield* transaction.share(accountId, () =>
          Effect.flatMap(
            repo.hasAtLeast(accountId, Limits.tokensOfAccount),
            (hasAll) => hasAll ? Effect.fail(tooMany) : lifetimes.begin(token, secret.hash)
          ))
        // The hash is new, so the folder is the only possible reason.
        if (!inserted) return yield* new NotFound({ resource: "folder", id: String(input.limits.folderId) })
        return { token, text: ApiTokenText.make(secret.text) }
      })

      const list = Effect.flatMap(manager, ({ id }) => repo.list(id)).pipe(Effect.withSpan("ApiTokens.list"))

      const revoke = Effect.fn("ApiTokens.revoke")(function*(id: ApiTokenId) {
        const account = yield* manager
        if (!(yield* lifetimes.end(account.id, id))) return yield* new NotFound({ resource: "token", id })
        yield* sessions.endOfPages(account.id)
      }, WritePurpose.freeing)

      const othersText = (field: string) =>
        new InvalidField({ code: "invalid_field", field, because: "must not be a token of another account" })

      const hashOf = (text: ApiTokenText) => Effect.provideContext(SecretToken.hash(text), crypto)

      /** Makes the token unless the account has one of this text. Returns why it was not made, or null. */
      const put = Effect.fnUntraced(function*(accountId: AccountId, hash: Uint8Array, input: NewApiToken) {
        const known = yield* repo.findByHash(hash)
        if (Option.isNone(known) && (yield* lifetimes.begin(yield* described(accountId, input), hash))) return null
        // Made meanwhile, unless the folder is wrong.
        const there = Option.getOrUndefined(Option.isSome(known) ? known : yield* repo.findByHash(hash))
        return there === undefined ? "folder" : there.accountId === accountId ? null : "text"
      })

      const register = Effect.fn("ApiTokens.register")(
        function*(owner: AccountId, givenText: ApiTokenText, given: NewApiToken) {
          const { accountId, text, ...input } = yield* reading.registered({
            ...given,
            accountId: owner,
            text: givenText
          })
          const wrong = yield* put(accountId, yield* hashOf(text), input)
          if (wrong === "text") return yield* othersText("text")
          if (wrong !== null) return yield* new NotFound({ resource: "folder", id: String(input.limits.folderId) })
        },
        WritePurpose.serving
      )

      const configure = Effect.fn("ApiTokens.configure")(function*(given: ReadonlyArray<ConfiguredToken>) {
        const { tokens } = yield* reading.configured({
          tokens: Array.isArray(given) ? given.map(({ token, ...of }) => ({ ...token, ...of })) : given
        })
        const hashes = yield* Effect.forEach(tokens, ({ text }) => hashOf(text))
        for (const [at, { accountId, expireTime, limits, name }] of tokens.entries()) {
          const hash = hashes[at]!
          const token = { name, limits, expireTime }
          const unlike = yield* repo.findUnlike(accountId, hash, token)
          if (unlike !== null) yield* lifetimes.end(unlike.accountId, unlike.id)
          const wrong = yield* put(accountId, hash, token)
          if (wrong === "text") return yield* othersText(`tokens[${at}].text`)
          if (wrong !== null) {
            return yield* new InvalidField({
              code: "invalid_field",
              field: `tokens[${at}].folderId`,
              because: "must be the id of a folder of the user's"
            })
          }
          yield* repo.markConfigured(accountId, hash)
        }
        const left = yield* repo.configuredBeside(hashes)
        yield* Effect.forEach(left, (token) => lifetimes.end(token.accountId, token.id), { discard: true })
        // Part of a start, without which nobody could delete anything.
      }, WritePurpose.freeing)

      const exchange = Effect.fn("ApiTokens.exchange")(function*(text: ApiTokenText) {
        const hash = yield* hashOf(text)
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
          : refused("suspended")
      })

      const resolve = Effect.fn("ApiTokens.resolve")(function*(text: ApiTokenText) {
        const found = yield* repo.use(yield* hashOf(text), yield* DateTime.now)
        if (found === null) return yield* new Unauthenticated({ code: "invalid_token" })
        const standing = yield* active.standing(found.accountId)
        if (standing === "gone") return yield* new Unauthenticated({ code: "invalid_token" })
        return standing === "suspended" ? yield* refused("suspended") : found
      }, WritePurpose.serving)

      const lookUp = Effect.fn("ApiTokens.lookUp")(function*(text: ApiTokenText) {
        const token = Option.getOrNull(yield* repo.findByHash(yield* hashOf(text)))
        if (token === null || !isLive(token, yield* DateTime.now)) return null
        return (yield* active.standing(token.accountId)) === "active" ? token : null
      })

      const find: ApiTokens["Service"]["find"] = (accountId, id) =>
        Effect.flatMap(DateTime.now, (now) => repo.find(accountId, id, now))

      yield* apiTokenSweepJob.handle(
        Effect.flatMap(DateTime.now, (now) => repo.sweep(DateTime.subtractDuration(now, remembered)))
      )

      yield* apiTokenExpiryJob.handle(lifetimes.expire)

      return ApiTokens.of({ create, list, revoke, register, configure, exchange, resolve, lookUp, find })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([ApiTokensRepo.layer, Sessions.layer, TokenLifetimes.layer])
  )
}
