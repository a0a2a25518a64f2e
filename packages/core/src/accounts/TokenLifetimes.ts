/**
 * How API tokens and grants begin and end. Only this service inserts and removes them, and it ends what they have ({@link CredentialEnds}) when
 * they are removed or expire.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as Job from "../jobs/Job.ts"
import { done, type JobOutcome, retry } from "../jobs/Jobs.ts"
import { AccountId, ApiTokenId, type FolderId } from "../shared/Ids.ts"
import { AccountTransaction } from "./AccountTransaction.ts"
import type { ApiToken } from "./ApiToken.ts"
import { ApiTokensRepo } from "./ApiTokensRepo.ts"
import { CredentialEnds } from "./CredentialEnds.ts"
import { SessionEnds } from "./SessionEnds.ts"

export const apiTokenExpiryJob = Job.define("apiTokens.expire", {
  description: "Ends the tasks, uploads and the like of an API token or grant that has expired.",
  when: "when one expires",
  key: Job.key({ accountId: AccountId, id: ApiTokenId })
})

type Expiring = typeof apiTokenExpiryJob.key.Type

export class TokenLifetimes extends Context.Service<TokenLifetimes, {
  /** Inserts a token; `hash`: null for a grant. False when its folder is not the account's or a token with this hash is there. */
  readonly begin: (token: ApiToken, hash: Uint8Array | null) => Effect.Effect<boolean>
  /** Has the grant expire at `expireTime`. False when it has ended. */
  readonly extend: (accountId: AccountId, id: ApiTokenId, expireTime: DateTime.Utc) => Effect.Effect<boolean>
  /** Removes a token with its sessions and ends what else it has. False when it is not the account's, or no longer. */
  readonly end: (accountId: AccountId, id: ApiTokenId) => Effect.Effect<boolean>
  /** The same for those that are limited to one of these folders. Only inside `AccountTransaction.run`. */
  readonly endOfFolders: (accountId: AccountId, folderIds: ReadonlyArray<FolderId>) => Effect.Effect<void>
  /** Ends what a token has that has expired; the token itself stays in its owner's list for a while. */
  readonly expire: (token: Expiring) => Effect.Effect<JobOutcome>
}>()("@filedrive/core/accounts/TokenLifetimes") {
  static readonly layer = Layer.effect(
    TokenLifetimes,
    Effect.gen(function*() {
      const repo = yield* ApiTokensRepo
      const ends = yield* CredentialEnds
      const sessionEnds = yield* SessionEnds
      const expiries = yield* apiTokenExpiryJob.queue
      const transaction = yield* AccountTransaction

      const begin: TokenLifetimes["Service"]["begin"] = (token, hash) =>
        transaction.share(token.accountId, () =>
          Effect.gen(function*() {
            if (!(yield* repo.insert(token, hash))) return false
            const { accountId, expireTime, id } = token
            if (expireTime !== null) yield* expiries.enqueue({ accountId, id }, expireTime)
            return true
          }))

      // The job is left as it is: it looks when the token expires.
      const extend: TokenLifetimes["Service"]["extend"] = (accountId, id, expireTime) =>
        transaction.share(
          accountId,
          () => Effect.flatMap(DateTime.now, (now) => repo.extend(accountId, id, expireTime, now))
        )

      const end: TokenLifetimes["Service"]["end"] = (accountId, id) =>
        transaction.share(accountId, () =>
          Effect.gen(function*() {
            if (!(yield* repo.remove(accountId, id))) return false
            yield* sessionEnds.ended
            yield* expiries.cancel({ accountId, id })
            yield* ends.ended(accountId, id)
            return true
          }))

      const endOfFolders: TokenLifetimes["Service"]["endOfFolders"] = (accountId, folderIds) =>
        Effect.flatMap(
          repo.lockOfFolders(accountId, folderIds),
          (ids) => Effect.forEach(ids, (id) => end(accountId, id), { discard: true })
        )

      const expire = Effect.fn("TokenLifetimes.expire")(
        ({ accountId, id }: Expiring) =>
          transaction.share(accountId, () =>
            Effect.gen(function*() {
              // Null if no process ran jobs until the sweep forgot the token. What it has is still there.
              const expireTime = yield* repo.expireTime(accountId, id)
              const now = yield* DateTime.now
              if (expireTime !== null && DateTime.isGreaterThan(expireTime, now)) return retry(expireTime)
              yield* ends.ended(accountId, id)
              return done
            })),
        WritePurpose.freeing
      )

      return TokenLifetimes.of({ begin, extend, end, endOfFolders, expire })
    })
  ).pipe(Layer.provide([ApiTokensRepo.layer, CredentialEnds.layer, SessionEnds.layer]))
}
