/**
 * Grants of OAuth: codes, access tokens and refresh tokens for what a person allowed. All are opaque, and only their hashes are stored.
 *
 * A refresh token is `fdr_<family>.<secret>`: the family is the grant's as long as it lives, the secret is new each time. So a token that was
 * used before is recognised, however long ago that was, without keeping every one of them. Contract: "MCP and OAuth".
 */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { type Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { ActiveAccounts } from "../accounts/ActiveAccounts.ts"
import { ApiTokenText } from "../accounts/ApiToken.ts"
import { ApiTokens } from "../accounts/ApiTokens.ts"
import type { Permission } from "../accounts/CurrentAccount.ts"
import { GrantTokens } from "../accounts/GrantTokens.ts"
import { Sessions } from "../accounts/Sessions.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as Job from "../jobs/Job.ts"
import { done, retry } from "../jobs/Jobs.ts"
import * as Limits from "../limits/Limits.ts"
import { NotFound, type Refused, type Unavailable } from "../shared/DriveError.ts"
import { AccountId, ApiTokenId } from "../shared/Ids.ts"
import * as SecretToken from "../shared/SecretToken.ts"
import {
  type ActiveToken,
  type CodeRequest,
  type Consent,
  ConsentRefused,
  GrantRefused,
  type IssuedTokens,
  prefixes,
  type RefreshRequest
} from "./Grant.ts"
import { invalidCode, invalidRefresh, narrowed } from "./GrantRefusals.ts"
import { GrantsRepo } from "./GrantsRepo.ts"
import * as ReplacedToken from "./ReplacedToken.ts"
import type { StoredGrant } from "./StoredGrant.ts"

/** A used code is remembered for so long after it expired, so that its second use ends the grant. */
const remembered = Duration.days(1)

export const oauthSweepJob = Job.every("oauth.sweep", {
  description: "Forgets codes that apps got for tokens a day ago.",
  interval: Duration.hours(1)
})

export const oauthForgetJob = Job.define("oauth.repeats.forget", {
  description: "Deletes the salt that repeats the answer of a refresh.",
  when: "30 seconds after the refresh",
  key: Job.key({ accountId: AccountId, id: ApiTokenId })
})

export class Grants extends Context.Service<Grants, {
  /**
   * Records what a person allowed. Returns the code, good once, for 60 seconds.
   *
   * Fails with `ConsentRefused` when this page was answered before (`answered`) or the account has 200 grants (`too_many`), `NotFound` when
   * the folder is not the account's, `Refused` (`not_allowed`) when the user is suspended or unknown, `Unavailable` when the host's accounts
   * can't be asked.
   */
  readonly issueCode: (
    accountId: AccountId,
    consent: Consent
  ) => Effect.Effect<string, ConsentRefused | NotFound | Refused | Unavailable>

  /** Records that a person denied what a page asked for: a later answer to it gives no code. Repeating is safe. */
  readonly deny: (accountId: AccountId, consent: Omit<Consent, "folderId">) => Effect.Effect<void>

  /**
   * The first tokens of a grant, for a code. A code that is used a second time ends the grant that was made of it.
   *
   * Fails with `GrantRefused`: `invalid_grant` for a code that is unknown, used or expired, of another client or redirect, or without its
   * verifier; `invalid_target` for resources that were not consented to. `Unavailable` like {@link issueCode}.
   */
  readonly exchangeCode: (request: CodeRequest) => Effect.Effect<IssuedTokens, GrantRefused | Unavailable>

  /**
   * Further tokens, for the newest refresh token. The one that it has just replaced gives the same tokens again, for 30 seconds and until the
   * newest is used: its answer may have been lost. Any other was stolen: the grant ends with all its tokens.
   *
   * Fails with `GrantRefused` like {@link exchangeCode}, and `invalid_scope` for permissions that the grant doesn't have.
   */
  readonly refresh: (request: RefreshRequest) => Effect.Effect<IssuedTokens, GrantRefused | Unavailable>

  /** Ends an access token of the client's, or by a refresh token the grant. Unknown ones are ended already. RFC 7009. */
  readonly revoke: (token: string, clientId: string) => Effect.Effect<void>

  /** What an API token, access token or refresh token is; null when it is not valid. RFC 7662. */
  readonly introspect: (token: string) => Effect.Effect<ActiveToken | null, Unavailable>
}>()("@filedrive/core/oauth/Grants") {
  static readonly layerNoDeps = Layer.effect(
    Grants,
    Effect.gen(function*() {
      const repo = yield* GrantsRepo
      const tokens = yield* GrantTokens
      const apiTokens = yield* ApiTokens
      const sessions = yield* Sessions
      const active = yield* ActiveAccounts
      const transaction = yield* AccountTransaction
      const crypto = yield* Effect.context<Digest.Digest | SecureRandom.SecureRandom>()
      const forgetting = yield* oauthForgetJob.queue
      const hash = (text: string) => Effect.provideContext(SecretToken.hash(text), crypto)
      const secret = (prefix: string) => Effect.provideContext(SecretToken.make(prefix), crypto)

      const issueCode = Effect.fn("Grants.issueCode")(function*(accountId: AccountId, { page, ...consent }: Consent) {
        yield* active.checkAnew(accountId)
        const code = yield* secret(prefixes.code)
        const expireTime = DateTime.addDuration(yield* DateTime.now, Limits.oauth.codeLifetime)
        const stored = { codeHash: code.hash, pageHash: yield* hash(page), expireTime, consent }
        const wrong = yield* transaction.share(accountId, () =>
          Effect.gen(function*() {
            if ((yield* tokens.count(accountId)) >= Limits.oauth.grantsOfAccount) return "too_many" as const
            const wrong = yield* repo.insertCode(accountId, stored)
            if (wrong === null) yield* repo.keepCodes(accountId, Limits.oauth.codesOfAccount)
            return wrong
          }))
        if (wrong === "too_many") return yield* new ConsentRefused({ reason: "too_many" })
        if (wrong === "page") return yield* new ConsentRefused({ reason: "answered" })
        if (wrong !== null) return yield* new NotFound({ resource: "folder", id: String(consent.folderId) })
        return code.text
      })

      const deny = Effect.fn("Grants.deny")(
        function*(accountId: AccountId, { page, ...asked }: Omit<Consent, "folderId">) {
          // As a code that nobody has, and that has expired.
          const { hash: codeHash } = yield* secret(prefixes.code)
          const consent = { ...asked, folderId: null }
          const stored = { codeHash, pageHash: yield* hash(page), expireTime: yield* DateTime.now, consent }
          yield* transaction.share(accountId, () =>
            Effect.andThen(
              repo.insertCode(accountId, stored),
              repo.keepCodes(accountId, Limits.oauth.codesOfAccount)
            ))
        },
        WritePurpose.freeing
      )

      const refreshText = (family: string, own: string) => `${prefixes.refresh}${family}.${own}`

      const successors = (refreshToken: string, salt: Uint8Array) =>
        Effect.provideContext(ReplacedToken.successors(refreshToken, salt), crypto)

      /** An access token of a grant. Null when the grant has just ended. */
      const issued = Effect.fnUntraced(
        function*(
          id: ApiTokenId,
          refreshToken: string,
          permissions: ReadonlyArray<Permission>,
          resources: ReadonlyArray<string>,
          accessText?: string
        ) {
          const access = yield* sessions.openAccess(id, { permissions, resources }, accessText)
          return Option.getOrNull(Option.map(access, ({ lifetime, token }): IssuedTokens => ({
            accessToken: token,
            refreshToken,
            lifetime,
            permissions,
            resources
          })))
        }
      )

      const endOfGrant = Effect.map(DateTime.now, (now) => DateTime.addDuration(now, Limits.oauth.refreshTokenLifetime))

      const isActive = (accountId: AccountId) =>
        Effect.map(active.standing(accountId), (standing) => standing === "active")

      const exchangeCode = Effect.fn("Grants.exchangeCode")(function*(request: CodeRequest) {
        const codeHash = yield* hash(request.code)
        const code = yield* repo.findCode(codeHash)
        if (code === null) return yield* invalidCode
        const { accountId, clientId, clientName, folderId, permissions } = code
        if (code.grantId !== null) {
          yield* tokens.end(accountId, code.grantId)
          return yield* invalidCode
        }
        const now = yield* DateTime.now
        const challenge = Base64Url.encode(yield* hash(request.verifier))
        if (
          DateTime.isLessThanOrEqualTo(code.expireTime, now) || clientId !== request.clientId ||
          (request.redirectUri !== null && code.redirectUri !== request.redirectUri) || code.challenge !== challenge ||
          !(yield* isActive(accountId))
        ) return yield* invalidCode
        const resources = yield* narrowed(code.resources, request.resources)
        const expireTime = yield* endOfGrant
        const family = yield* secret("")
        const own = yield* secret("")
        const made = yield* transaction.share(accountId, () =>
          Effect.gen(function*() {
            if ((yield* tokens.count(accountId)) >= Limits.oauth.grantsOfAccount) return "full" as const
            const limits = { permissions, folderId }
            const id = yield* tokens.create({ accountId, name: clientName, clientId, limits, expireTime })
            if (id === null) return "gone" as const
            if (!(yield* repo.useCode(accountId, codeHash, id))) {
              yield* tokens.end(accountId, id)
              return "used" as const
            }
            const hashes = { familyHash: family.hash, refreshHash: own.hash }
            yield* repo.insert({ id, accountId, resources: code.resources, ...hashes })
            return (yield* issued(id, refreshText(family.text, own.text), permissions, resources)) ?? ("gone" as const)
          }))
        if (made === "used") {
          // Another exchange of the same code was faster: what it has got ends.
          const { grantId = null } = (yield* repo.findCode(codeHash)) ?? {}
          if (grantId !== null) yield* tokens.end(accountId, grantId)
        }
        return typeof made === "string" ? yield* invalidCode : made
        // Whoever connects may be about to delete something.
      }, WritePurpose.freeing)

      /** The grant of a refresh token, and what showing the token means. */
      const grantOf = Effect.fnUntraced(function*(token: string) {
        const [, family, own] = /^fdr_([\w-]+)\.([\w-]+)$/.exec(token) ?? []
        if (family === undefined || own === undefined) return null
        const grant = yield* repo.findByFamily(yield* hash(family))
        if (grant === null) return null
        const ownHash = yield* hash(own)
        return { grant, family, ownHash, use: ReplacedToken.useOf(grant, ownHash, yield* DateTime.now) }
      })

      const isOver = ({ expireTime }: StoredGrant) =>
        Effect.map(DateTime.now, (now) => DateTime.isLessThanOrEqualTo(expireTime, now))

      /** What a refresh asks for, within its grant. */
      const askedOf = Effect.fnUntraced(function*(grant: StoredGrant, request: RefreshRequest) {
        const permissions = request.permissions ?? grant.permissions
        if (permissions.length === 0 || permissions.some((one) => !grant.permissions.includes(one))) {
          return yield* new GrantRefused({ code: "invalid_scope", because: "The scope must be within the grant's." })
        }
        return { permissions, resources: yield* narrowed(grant.resources, request.resources) }
      })

      type Asked = Effect.Success<ReturnType<typeof askedOf>>
      type Shown = NonNullable<Effect.Success<ReturnType<typeof grantOf>>>

      const end = ({ accountId, id }: StoredGrant) => Effect.andThen(tokens.end(accountId, id), invalidRefresh)

      /** The answer that the replaced token had before. */
      const repeated = Effect.fnUntraced(
        function*({ family, grant }: Shown, request: RefreshRequest) {
          // What is beyond the grant is no repeat either.
          const { permissions, resources } = yield* Effect.catch(askedOf(grant, request), () => end(grant))
          const next = yield* successors(request.refreshToken, grant.replacedSalt!)
          const accessToken = prefixes.access + next.access
          const access = yield* Effect.catchTag(
            sessions.resolveAccess(accessToken),
            "Unauthenticated",
            () => Effect.succeed(null)
          )
          // It has ended meanwhile.
          if (access === null) return yield* invalidRefresh
          const had = { permissions: access.credential.limits.permissions, resources: access.resources }
          // Made by a release that knows no repeats, or no repeat of the request.
          const isAlike = ReplacedToken.isSame(yield* hash(next.refresh), grant.refreshHash) &&
            String(had.permissions) === String(permissions) && had.resources.join(" ") === resources.join(" ")
          if (!isAlike) return yield* end(grant)
          const lifetime = Duration.millis(access.expireMillis - access.insertMillis)
          return { accessToken, refreshToken: refreshText(family, next.refresh), lifetime, permissions, resources }
        }
      )

      /** Replaces the newest token. Null when it no longer is that. */
      const replaced = Effect.fnUntraced(
        function*({ family, grant, ownHash }: Shown, { refreshToken }: RefreshRequest, asked: Asked) {
          const { accountId, id } = grant
          const salt = yield* Effect.provideContext(
            Effect.flatMap(SecureRandom.SecureRandom, (random) => random.randomBytes(32)),
            crypto
          )
          const next = yield* successors(refreshToken, salt)
          const to = yield* hash(next.refresh)
          const expireTime = yield* endOfGrant
          return yield* transaction.share(accountId, () =>
            Effect.gen(function*() {
              const time = yield* DateTime.now
              // Its row among the tokens first, like whoever ends it.
              if (!(yield* tokens.extend(accountId, id, expireTime))) return null
              if (!(yield* repo.rotate(grant, { from: ownHash, to, salt, time }))) return null
              yield* forgetting.enqueue({ accountId, id }, ReplacedToken.repeatableUntil(time))
              const { permissions, resources } = asked
              return yield* issued(id, refreshText(family, next.refresh), permissions, resources, next.access)
            }))
        }
      )

      const refresh = Effect.fn("Grants.refresh")(function*(request: RefreshRequest) {
        const found = yield* grantOf(request.refreshToken)
        if (found === null) return yield* invalidRefresh
        const { grant, use } = found
        const isClients = grant.clientId === request.clientId
        if (use === "reuse" || (!isClients && use !== "newest")) return yield* end(grant)
        if (!isClients || (yield* isOver(grant)) || !(yield* isActive(grant.accountId))) return yield* invalidRefresh
        if (use === "repeat") return yield* repeated(found, request)
        const made = yield* replaced(found, request, yield* askedOf(grant, request))
        if (made !== null) return made
        // Another call used the token meanwhile, or the grant ended.
        const now = yield* grantOf(request.refreshToken)
        if (now === null || (yield* isOver(now.grant))) return yield* invalidRefresh
        return now.use === "repeat" ? yield* repeated(now, request) : yield* end(now.grant)
      }, WritePurpose.freeing)

      const revoke = Effect.fn("Grants.revoke")(function*(token: string, clientId: string) {
        if (token.startsWith(prefixes.access)) return yield* sessions.endAccess(token, clientId)
        const found = yield* grantOf(token)
        if (found?.grant.clientId === clientId) yield* tokens.end(found.grant.accountId, found.grant.id)
      }, WritePurpose.freeing)

      const ofAccess = (token: string) =>
        sessions.resolveAccess(token).pipe(
          Effect.map(({ credential, ...access }): ActiveToken => ({
            ...access,
            ...credential.limits,
            accountId: credential.accountId,
            tokenId: credential.id,
            kind: "access"
          })),
          Effect.catchTag("Unauthenticated", () => Effect.succeed(null))
        )

      const ofRefresh = Effect.fnUntraced(function*(token: string) {
        const found = yield* grantOf(token)
        if (found === null || found.use !== "newest" || (yield* isOver(found.grant))) return null
        const { accountId, clientId, expireTime, folderId, id, insertTime, permissions, resources } = found.grant
        const grant = { accountId, clientId, folderId, permissions, resources }
        if (!(yield* isActive(accountId))) return null
        const times = {
          insertMillis: DateTime.toEpochMillis(insertTime),
          expireMillis: DateTime.toEpochMillis(expireTime)
        }
        return { ...grant, ...times, tokenId: id, kind: "refresh" } satisfies ActiveToken
      })

      const ofApiToken = (text: string) =>
        Effect.map(apiTokens.lookUp(ApiTokenText.make(text)), (token): ActiveToken | null =>
          token === null ? null : {
            ...token.limits,
            accountId: token.accountId,
            tokenId: token.id,
            clientId: null,
            kind: "apiToken",
            resources: null,
            insertMillis: DateTime.toEpochMillis(token.insertTime),
            expireMillis: token.expireTime && DateTime.toEpochMillis(token.expireTime)
          })

      const introspect = (token: string) =>
        token.startsWith(prefixes.access)
          ? ofAccess(token)
          : token.startsWith(prefixes.refresh)
          ? ofRefresh(token)
          : ofApiToken(token)

      yield* oauthForgetJob.handle(({ accountId, id }) =>
        Effect.gen(function*() {
          const since = DateTime.subtractDuration(yield* DateTime.now, Limits.oauth.refreshRepeatTime)
          const later = yield* transaction.share(accountId, () => repo.forgetReplaced(accountId, id, since))
          return later === null ? done : retry(ReplacedToken.repeatableUntil(later))
        })
      )

      yield* oauthSweepJob.handle(
        Effect.flatMap(DateTime.now, (now) => repo.sweepCodes(DateTime.subtractDuration(now, remembered)))
      )

      return Grants.of({ issueCode, deny, exchangeCode, refresh, revoke, introspect })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([GrantsRepo.layer, GrantTokens.layer, Sessions.layer, ApiTokens.layer, ActiveAccounts.layer])
  )
}
