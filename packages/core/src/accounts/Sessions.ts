/** Sessions: what a signed-in caller shows on every call. Contract: "Accounts, tokens, sessions". */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { Digest, type SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as Job from "../jobs/Job.ts"
import * as Limits from "../limits/Limits.ts"
import { type InvalidField, NotFound, type Refused, Unauthenticated, type Unavailable } from "../shared/DriveError.ts"
import * as Given from "../shared/Given.ts"
import type { AccountId, ApiTokenId, SessionId } from "../shared/Ids.ts"
import * as SecretToken from "../shared/SecretToken.ts"
import { SessionOpening } from "./AccountInput.ts"
import { AccountTransaction } from "./AccountTransaction.ts"
import { ActiveAccounts } from "./ActiveAccounts.ts"
import { type CurrentAccount, type Limits as AccountLimits, unlimited } from "./CurrentAccount.ts"
import {
  type AccessLimits,
  accessPrefix,
  type OpenedSession,
  pagePrefix,
  type ResolvedAccess,
  type SessionItem,
  type SessionMaxCount,
  SessionToken,
  type StoredSession
} from "./Session.ts"
import { SessionEnds } from "./SessionEnds.ts"
import { SessionsRepo } from "./SessionsRepo.ts"

const opened = (text: string, now: DateTime.Utc, expireTime: DateTime.Utc): OpenedSession => ({
  token: SessionToken.make(text),
  expireTime,
  lifetime: DateTime.distance(now, expireTime)
})

const opening = Given.checking(SessionOpening)

/**
 * What the stored hash of a token is of. A server of a release before access tokens knows nothing of their resources: beside this one, it
 * would take one as a session wherever it is shown, and so must not find it.
 */
const stored = (token: string): string => token.startsWith(accessPrefix) ? `access token ${token}` : token

/** An ended session is remembered this long, so that its callers learn it has ended and not that it never was. */
const remembered = Duration.days(7)

export const sessionSweepJob = Job.every("sessions.sweep", {
  description: "Forgets sessions that ended 7 days ago.",
  interval: Duration.hours(1)
})

export class Sessions extends Context.Service<Sessions, {
  /**
   * Opens a session for a user the host has signed in itself, for one day.
   *
   * Fails with `InvalidField`, with `NotFound` when the folder it is limited to is not the user's, with `Refused`
   * (`not_allowed`) when the user is suspended or unknown, `Unavailable` when the host's accounts can't be asked.
   */
  readonly open: (
    accountId: AccountId,
    limits?: AccountLimits
  ) => Effect.Effect<OpenedSession, InvalidField | NotFound | Refused | Unavailable>

  /**
   * The same for a page that the drive serves, without limits and for minutes. Its text tells it from other sessions: a host that keeps
   * sessions in cookies must not take one for a person, who would be signed in by it again and again, and never be signed out.
   */
  readonly openForPage: (
    accountId: AccountId
  ) => Effect.Effect<OpenedSession, InvalidField | NotFound | Refused | Unavailable>

  /**
   * Opens a session for an API token, with its limits. It ends after one day,
   * or with the token if that is sooner. None when the token does not exist (or no
   * longer), so an exchange that races a revocation never outlives it.
   */
  readonly openFor: (tokenId: ApiTokenId) => Effect.Effect<Option.Option<OpenedSession>>

  /**
   * The same for a grant of OAuth: an access token, good for an hour. Of 20 the oldest ends. `text` is what follows its prefix, if it
   * must be made again later; else it is random.
   */
  readonly openAccess: (
    grantId: ApiTokenId,
    limits: AccessLimits,
    text?: string
  ) => Effect.Effect<Option.Option<OpenedSession>>

  /**
   * Whose session `token` is. One query, and the host's word on the user where the last one is seconds old.
   *
   * Fails with `Unauthenticated`: `no_session` for a text that is not a session token,
   * `session_expired` once it has ended, as it has when its user is suspended or
   * gone; the sessions of a suspended user end for good. `Unavailable` when
   * the host's accounts can't be asked. Spec: "Authentication", step 5. An access token is one where it was issued for `resource`;
   * `invalid_token` otherwise, and once it has ended.
   */
  readonly resolve: (
    token: SessionToken,
    resource: string
  ) => Effect.Effect<CurrentAccount["Service"], Unauthenticated | Unavailable>

  /** Whose access token this is, wherever it is accepted. Fails like {@link resolve}, with `invalid_token`. */
  readonly resolveAccess: (text: string) => Effect.Effect<ResolvedAccess, Unauthenticated | Unavailable>

  /** Ends an access token of the client's. Repeating is safe. */
  readonly endAccess: (text: string, clientId: string) => Effect.Effect<void>

  /** The id under which {@link list} shows the session of `token`, computed without a query. */
  readonly idOf: (token: SessionToken) => Effect.Effect<SessionId>

  /** Which of these sessions, by their ids, would {@link resolve} now. One query; live feeds end by it. */
  readonly alive: (ids: ReadonlyArray<SessionId>) => Effect.Effect<ReadonlySet<SessionId>>

  /**
   * While the scope is open, `look` runs whenever this process has ended sessions, before the call that ended them is answered. It finds out by
   * {@link alive} which they are.
   */
  readonly onEnded: SessionEnds["Service"]["onEnded"]

  /** The account's sessions that have not ended, newest first. */
  readonly list: (accountId: AccountId) => Effect.Effect<ReadonlyArray<SessionItem>>

  /** Ends one session by its token, and with it those of the account's pages; repeating is safe. */
  readonly end: (token: SessionToken) => Effect.Effect<void>

  /** Ends one of the account's sessions by its id. False when there is none. */
  readonly endById: (accountId: AccountId, id: SessionId) => Effect.Effect<boolean>

  /**
   * Ends the sessions of the account's pages, whoever has them: a page asks for another, and gets it where its reader is still signed in. Else
   * such a session would outlive what its reader was signed in by.
   */
  readonly endOfPages: (accountId: AccountId) => Effect.Effect<void>

  /** Ends every session of the account. */
  readonly endAll: (accountId: AccountId) => Effect.Effect<void>

  /** Forgets sessions that ended long ago. Done hourly by a job. */
  readonly sweep: Effect.Effect<void>
}>()("@filedrive/core/accounts/Sessions") {
  static readonly layerNoDeps = Layer.effect(
    Sessions,
    Effect.gen(function*() {
      const repo = yield* SessionsRepo
      const ends = yield* SessionEnds
      const transaction = yield* AccountTransaction
      const active = yield* ActiveAccounts
      const crypto = yield* Effect.context<Digest.Digest | SecureRandom.SecureRandom>()
      const secret = (prefix: string) => Effect.provideContext(SecretToken.make(prefix), crypto)
      const make = secret("")
      const digest = Context.get(crypto, Digest.Digest)
      // Not the whole context, which would be copied on every call.
      const hash = (token: string) => Effect.provideService(SecretToken.hash(stored(token)), Digest.Digest, digest)
      const takesMore = yield* WritePurpose.TakesMore

      /**
       * Without a session nobody can delete anything, so signing in works as long as that does. While the database's disk is
       * full it takes a bounded amount of room.
       */
      const signingIn = <A, E, R>(insert: (maxCount: SessionMaxCount) => Effect.Effect<A, E, R>) =>
        Effect.flatMap(takesMore, (isOpen) => insert(isOpen ? null : Limits.sessionsOnFullDisk)).pipe(
          WritePurpose.freeing
        )

      const openWith = Effect.fnUntraced(function*(
        id: AccountId,
        wanted: AccountLimits,
        { lifetime, make }: { readonly lifetime: Duration.Duration; readonly make: ReturnType<typeof secret> }
      ) {
        const { accountId, limits } = yield* opening({ accountId: id, limits: wanted })
        yield* active.checkAnew(accountId)
        yield* WritePurpose.freeing(transaction.open(accountId))
        const token = yield* make
        const now = yield* DateTime.now
        const expireTime = DateTime.addDuration(now, lifetime)
        const session = { hash: token.hash, accountId, limits, insertTime: now, expireTime }
        const inserted = yield* signingIn((maxCount) => repo.insert({ ...session, maxCount }))
        // The hash is new, so the folder is the only possible reason.
        if (!inserted) return yield* new NotFound({ resource: "folder", id: String(limits.folderId) })
        return { token: SessionToken.make(token.text), expireTime, lifetime }
      })

      const open = Effect.fn("Sessions.open")((id: AccountId, wanted: AccountLimits = unlimited) =>
        openWith(id, wanted, { lifetime: Limits.sessionLifetime, make })
      )

      const openForPage = Effect.fn("Sessions.openForPage")((id: AccountId) =>
        openWith(id, unlimited, { lifetime: Limits.pageSessionLifetime, make: secret(pagePrefix) })
      )

      const openFor = Effect.fn("Sessions.openFor")(function*(tokenId: ApiTokenId) {
        const token = yield* make
        const now = yield* DateTime.now
        const expireTime = DateTime.addDuration(now, Limits.sessionLifetime)
        const session = { hash: token.hash, tokenId, insertTime: now, expireTime, access: null }
        const inserted = yield* signingIn((maxCount) => repo.insertFor({ ...session, maxCount }))
        return Option.map(inserted, (expireTime) => opened(token.text, now, expireTime))
      })

      const openAccess = Effect.fn("Sessions.openAccess")(
        function*(tokenId: ApiTokenId, access: AccessLimits, given?: string) {
          const text = given === undefined ? (yield* secret(accessPrefix)).text : accessPrefix + given
          const now = yield* DateTime.now
          const expireTime = DateTime.addDuration(now, Limits.oauth.accessTokenLifetime)
          const session = { hash: yield* hash(text), tokenId, insertTime: now, expireTime, access }
          const inserted = yield* repo.insertFor({ ...session, maxCount: Limits.oauth.accessTokensOfGrant })
          return Option.map(inserted, (expireTime) => opened(text, now, expireTime))
        },
        WritePurpose.freeing
      )

      const ending = <A>(removal: Effect.Effect<A>): Effect.Effect<A> => Effect.tap(removal, () => ends.ended)

      /** Fails with `ended` for one that has ended, or whose user is suspended or gone. */
      const stillOpen = Effect.fnUntraced(function*<S extends StoredSession>(
        found: S,
        ended: "session_expired" | "invalid_token"
      ) {
        const now = yield* DateTime.now
        if (found.expireMillis <= now.epochMilliseconds) return yield* new Unauthenticated({ code: ended })
        const standing = yield* active.standing(found.account.id)
        if (standing === "active") return found
        if (standing === "suspended") yield* repo.removeAll(found.account.id)
        return yield* new Unauthenticated({ code: ended })
      })

      // Untraced: it runs on every call, inside the request's own span.
      const resolve = Effect.fnUntraced(function*(token: SessionToken, resource: string) {
        if (token === "") return yield* new Unauthenticated({ code: "no_session" })
        const isAccess = token.startsWith(accessPrefix)
        const found = yield* repo.find(yield* hash(token))
        if (found === undefined) return yield* new Unauthenticated({ code: isAccess ? "invalid_token" : "no_session" })
        if (found.resources !== null && !found.resources.includes(resource)) {
          return yield* new Unauthenticated({ code: "invalid_token" })
        }
        return (yield* stillOpen(found, isAccess ? "invalid_token" : "session_expired")).account
      })

      const resolveAccess = Effect.fn("Sessions.resolveAccess")(function*(text: string) {
        const found = yield* repo.findAccess(yield* hash(text))
        if (found === undefined) return yield* new Unauthenticated({ code: "invalid_token" })
        const { account, tokenId, name, ...access } = yield* stillOpen(found, "invalid_token")
        const { clientId, expireMillis, insertMillis, resources } = access
        const credential = { id: tokenId, accountId: account.id, limits: account.limits, name }
        return { credential, clientId, expireMillis, insertMillis, resources } satisfies ResolvedAccess
      })

      const endAccess = Effect.fn("Sessions.endAccess")(function*(text: string, clientId: string) {
        const found = yield* repo.findAccess(yield* hash(text))
        if (found?.clientId === clientId) yield* ending(repo.remove(yield* hash(text)))
      }, WritePurpose.freeing)

      const idOf = (token: SessionToken) => Effect.map(hash(token), (hash) => Hex.encode(hash) as SessionId)

      // Untraced: it is asked every half second.
      const alive = Effect.fnUntraced(function*(ids: ReadonlyArray<SessionId>) {
        return new Set(yield* repo.alive(ids, yield* DateTime.now))
      })

      const list = Effect.fn("Sessions.list")(function*(accountId: AccountId) {
        return yield* repo.list(accountId, yield* DateTime.now)
      })

      const endOfPages = Effect.fn("Sessions.endOfPages")((accountId: AccountId) =>
        ending(repo.removeShortLived(accountId, Limits.pageSessionLifetime))
      )

      const end = Effect.fn("Sessions.end")(function*(token: SessionToken) {
        const accountId = yield* ending(repo.remove(yield* hash(token)))
        // Not in one statement: who ends all of the account's at the same time may hold them in another order.
        if (accountId !== undefined) yield* endOfPages(accountId)
      })

      const sweep = Effect.gen(function*() {
        const now = yield* DateTime.now
        yield* repo.sweep(DateTime.subtractDuration(now, remembered))
      }).pipe(Effect.withSpan("Sessions.sweep"))
      yield* sessionSweepJob.handle(sweep)

      return Sessions.of({
        open,
        openForPage,
        openFor,
        openAccess,
        resolve,
        resolveAccess,
        endAccess,
        idOf,
        alive,
        onEnded: ends.onEnded,
        list,
        end,
        endOfPages,
        endById: (accountId, id) =>
          Effect.tap(
            ending(repo.removeById(accountId, id)),
            (isEnded) => isEnded ? endOfPages(accountId) : Effect.void
          ),
        // SessionMaxCount often the user is suspended just now.
        endAll: (accountId) => Effect.andThen(ending(repo.removeAll(accountId)), active.forget(accountId)),
        sweep
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([SessionsRepo.layer, SessionEnds.layer]),
    Layer.provideMerge(ActiveAccounts.layer)
  )
}
