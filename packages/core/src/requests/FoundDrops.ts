/** Drops as the calls of their senders find them, by their tokens. */
import { Context, DateTime, Duration, Effect, Layer, Result } from "effect"
import type { Digest } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { ActiveAccounts } from "../accounts/ActiveAccounts.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { LinkCall } from "../links/LinkCall.ts"
import { NotFound, type RateLimited, type Unavailable } from "../shared/DriveError.ts"
import { LruCache } from "../shared/LruCache.ts"
import * as SecretToken from "../shared/SecretToken.ts"
import type { ClientKey, Drop, DropToken, SentFile } from "./Drop.ts"
import { DropsRepo } from "./DropsRepo.ts"
import * as DropState from "./DropState.ts"

/** Drops that a process remembers, of all accounts. */
const rememberedMost = 5_000

/** What is known of a drop: with its request, and the file that it has by a key that was asked for. */
export interface FoundDrop {
  readonly drop: Drop
  readonly request: DropState.RequestOfDrop
  readonly sent: SentFile | null
}

/** The answer for a token that does not exist or has expired, and for one of an owner who is suspended or gone. */
const noSuchToken = new NotFound({ resource: "drop token", id: "" })

/** A call is noted as a sign of life once in this time at most. */
const activeInterval = Duration.minutes(10)

export class FoundDrops extends Context.Service<FoundDrops, {
  /**
   * The drop of a token with its request, and the file that it has by this key. Counts the call, and notes that the sender is there. A
   * call with a key gets what is remembered of a drop that took files, without the file. Fails with `NotFound` for a token that does not
   * exist or has expired, and when the owner is suspended or gone.
   */
  readonly find: (
    token: DropToken,
    clientKey?: ClientKey
  ) => Effect.Effect<FoundDrop, NotFound | RateLimited | Unavailable, LinkCall>

  /** The same as it is now, without counting it: after a step has failed. */
  readonly look: (token: DropToken, clientKey?: ClientKey) => Effect.Effect<FoundDrop, NotFound>
}>()("@filedrive/core/requests/FoundDrops") {
  static readonly layerNoDeps = Layer.effect(
    FoundDrops,
    Effect.gen(function*() {
      const active = yield* ActiveAccounts
      const crypto = yield* Effect.context<Digest.Digest>()
      const repo = yield* DropsRepo
      const transaction = yield* AccountTransaction

      const read = Effect.fnUntraced(function*(token: DropToken, clientKey: ClientKey | undefined) {
        return yield* repo.findByToken(
          yield* Effect.provideContext(SecretToken.hash(token), crypto),
          clientKey ?? null,
          yield* DateTime.now
        )
      })

      /** Drops that took files when they were last looked at: whoever sends many need not look up each. */
      const recent = new LruCache<DropToken, FoundDrop>(rememberedMost)

      /** What is remembered of a drop, if it still took files by that. The transaction that reserves or records decides. */
      const remembered = Effect.fnUntraced(function*(token: DropToken) {
        const found = recent.get(token)
        if (found === undefined) return undefined
        const now = yield* DateTime.now
        return DateTime.isGreaterThan(found.drop.expireTime, now) &&
            Result.isSuccess(DropState.takesFiles(found.drop, found.request, now))
          ? found
          : undefined
      })

      const remember = Effect.fnUntraced(function*(token: DropToken, { drop, request }: FoundDrop) {
        const takes = DropState.takesFiles(drop, request, yield* DateTime.now)
        if (Result.isFailure(takes)) return recent.delete(token)
        // What it has room for changes with every file.
        recent.set(token, { drop, request: { ...request!, maxBytes: null, receivedBytes: 0 }, sent: null }, 1)
      })

      const find = Effect.fnUntraced(function*(token: DropToken, clientKey?: ClientKey) {
        const { limits } = yield* LinkCall
        const known = clientKey === undefined ? undefined : yield* remembered(token)
        const found = known ?? (yield* read(token, clientKey))
        // Texts that are no tokens share one count.
        yield* limits.count(found?.drop.requestId ?? "")
        if (found === undefined) return yield* noSuchToken
        const { drop } = found
        if ((yield* active.standing(drop.accountId)) !== "active") return yield* noSuchToken
        const now = yield* DateTime.now
        const isDue = Duration.isGreaterThan(DateTime.distance(drop.activeTime, now), activeInterval)
        if (isDue && !DropState.isFinished(drop)) {
          yield* WritePurpose.serving(
            transaction.share(drop.accountId, () => repo.setActive(drop.accountId, drop.id, now))
          )
          yield* remember(token, { ...found, drop: { ...drop, activeTime: now } })
        } else if (known === undefined) yield* remember(token, found)
        return found
      })

      const look: FoundDrops["Service"]["look"] = Effect.fnUntraced(function*(token, clientKey) {
        recent.delete(token)
        return (yield* read(token, clientKey)) ?? (yield* noSuchToken)
      })

      return FoundDrops.of({ find, look })
    })
  )
}
