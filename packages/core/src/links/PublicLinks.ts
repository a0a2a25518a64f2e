/**
 * Who may use a public link. Every public operation asks here first, with the means to find its link.
 * Contract: "File requests and reviews: the public side".
 */
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"
import { ActiveAccounts } from "../accounts/ActiveAccounts.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as Job from "../jobs/Job.ts"
import * as Limits from "../limits/Limits.ts"
import { PasswordHasher } from "../ports/PasswordHasher.ts"
import { type NotFound, type RateLimited, Refused, type Unavailable } from "../shared/DriveError.ts"
import { AccountId } from "../shared/Ids.ts"
import * as SecretToken from "../shared/SecretToken.ts"
import { idOf, type Link, type LinkPassword, noSuchLink } from "./Link.ts"
import { LinkAccessesRepo } from "./LinkAccessesRepo.ts"
import { LinkCall } from "./LinkCall.ts"
import * as PasswordChecks from "./PasswordChecks.ts"

export const linkSweepJob = Job.every("links.sweep", {
  description: "Forgets access tokens of public links that have ended.",
  interval: Duration.hours(1)
})

/** Finds the link with this id, in one query; null when there is none. */
export type FindLink<Id extends string, L extends Link> = (id: Id) => Effect.Effect<L | null>

export interface OpenedLink<L extends Link> {
  readonly link: L
  /** For the header `X-Link-Access`, for one day; undefined unless a password was given and needed. */
  readonly accessToken: string | undefined
}

type Failure = NotFound | Refused | RateLimited | Unavailable

export class PublicLinks extends Context.Service<PublicLinks, {
  /**
   * Lets somebody open the link whose id was `sent`, by its password if it has one.
   *
   * Fails with `NotFound` alike, and after the same work, for a link that does not exist, whose owner is suspended or gone, for a text
   * that is no id and for a wrong password; with `Refused` (`password_needed`) when neither the password nor a good access token was sent;
   * with `RateLimited` when the link was called too often or too many wrong passwords were sent; with `Unavailable` when too many
   * passwords wait to be checked or the host's accounts can't be asked.
   */
  readonly open: <Id extends string, L extends Link>(
    sent: string,
    password: string | undefined,
    find: FindLink<Id, L>
  ) => Effect.Effect<OpenedLink<L>, Failure, LinkCall>

  /** The link for any later call: one with a password needs the access token of its opening. Fails like {@link open}. */
  readonly enter: <Id extends string, L extends Link>(
    sent: string,
    find: FindLink<Id, L>
  ) => Effect.Effect<L, Failure, LinkCall>

  /** What is stored of a new password of an account's link. Not inside a transaction: it takes a tenth of a second. */
  readonly hash: (accountId: AccountId, password: LinkPassword) => Effect.Effect<string, Unavailable>

  /**
   * Forgets the access tokens of a link that goes or gets another password. They are good for nothing from then on in any case; this
   * makes room.
   */
  readonly forget: (accountId: AccountId, linkId: string) => Effect.Effect<void>
}>()("@filedrive/core/links/PublicLinks") {
  static readonly layerNoDeps = Layer.effect(
    PublicLinks,
    Effect.gen(function*() {
      const repo = yield* LinkAccessesRepo
      const hasher = yield* PasswordHasher
      const active = yield* ActiveAccounts
      const checks = yield* PasswordChecks.make
      const crypto = yield* Effect.context<Digest.Digest | SecureRandom.SecureRandom>()

      /** One spelling for all keyboards: letters with accents have two. */
      const normal = (password: string) => password.normalize("NFKC")

      /**
       * What is stored of an access token. The link's password hash is a part of what is hashed, so a token ends with
       * the password that it was given for, whatever runs at the same time.
       */
      const storedHash = (link: Link, token: string) =>
        Effect.provideContext(SecretToken.hash(`${token} ${link.passwordHash ?? ""}`), crypto)

      const found = Effect.fnUntraced(
        function*<Id extends string, L extends Link>(sent: string, find: FindLink<Id, L>) {
          const { limits } = yield* LinkCall
          const id = idOf<Id>(sent)
          // Texts that are no ids share one count.
          yield* limits.count(id ?? "")
          const link = yield* find(id ?? nowhere as Id)
          // Asked where there is no link, too: the answer must take as long.
          const standing = yield* active.standing(link?.accountId ?? nobody)
          return standing === "active" ? link : null
        }
      )

      const hasAccess = Effect.fnUntraced(function*(link: Link) {
        if (link.passwordHash === null) return true
        const { accessToken } = yield* LinkCall
        if (accessToken === null) return false
        return yield* repo.isLive(link, yield* storedHash(link, accessToken), yield* DateTime.now)
      })

      const passing = <L extends Link>(link: L) =>
        Effect.flatMap(hasAccess(link), (passes) => passes ? Effect.succeed(link) : Effect.fail(passwordNeeded))

      const giveAccess = Effect.fnUntraced(function*(link: Link) {
        const { text } = yield* Effect.provideContext(SecretToken.make(""), crypto)
        const expireTime = DateTime.addDuration(yield* DateTime.now, Limits.linkAccessLifetime)
        const hash = yield* storedHash(link, text)
        yield* WritePurpose.serving(repo.insert({ link, hash, expireTime, maxCount: Limits.accessesPerLink }))
        return text
      })

      const open = Effect.fn("PublicLinks.open")(function*<Id extends string, L extends Link>(
        sent: string,
        password: string | undefined,
        find: FindLink<Id, L>
      ) {
        const link = yield* found(sent, find)
        if (password === undefined) {
          if (link === null) return yield* noSuchLink
          return { link: yield* passing(link), accessToken: undefined }
        }
        if (link !== null && link.passwordHash === null) return { link, accessToken: undefined }
        const { limits, network } = yield* LinkCall
        const id = idOf(sent) ?? ""
        const isRight = yield* limits.guess(
          id,
          checks.check(link, network, hasher.verify(normal(password), link?.passwordHash ?? null))
        )
        if (link === null || !isRight) return yield* noSuchLink
        return { link, accessToken: yield* giveAccess(link) }
      })

      const enter = Effect.fn("PublicLinks.enter")(function*<Id extends string, L extends Link>(
        sent: string,
        find: FindLink<Id, L>
      ) {
        const link = yield* found(sent, find)
        return link === null ? yield* noSuchLink : yield* passing(link)
      })

      yield* linkSweepJob.handle(Effect.flatMap(DateTime.now, repo.sweep))

      return PublicLinks.of({
        open,
        enter,
        hash: (accountId, password) => checks.set(accountId, hasher.hash(normal(password))),
        forget: repo.removeAll
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([LinkAccessesRepo.layer, ActiveAccounts.layer]))
}

/** The id of no link, and of no account. */
const nowhere = "00000000-0000-0000-0000-000000000000"
const nobody = AccountId.make(nowhere)

const passwordNeeded = new Refused({ code: "password_needed", because: "This link needs a password." })
