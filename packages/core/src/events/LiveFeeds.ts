/**
 * The feeds that callers of this process follow: how many an account and a session may have, and that each ends with its
 * session. Contract: "Live feeds".
 */
import { Clock, Duration, Effect, Latch, Scope } from "effect"
import type { SessionToken } from "../accounts/Session.ts"
import { Sessions } from "../accounts/Sessions.ts"
import * as Limits from "../limits/Limits.ts"
import type { AccountId, SessionId } from "../shared/Ids.ts"
import * as SharedReads from "./SharedReads.ts"

/** One feed that somebody follows. */
export interface LiveFeed {
  /** Open once it is to end: its session did, or another of the session's took its place. */
  readonly ended: Latch.Latch
  /**
   * Whether an event may be delivered now: asks the database, for all feeds at once that ask at the same time. A feed that may not has ended.
   *
   * After a revocation was answered by this process the answer is false. A revocation by another process may come to the database after it was
   * asked, and before the event is delivered: that takes as long as the database's answer, and at most `Limits.liveFeeds.checkValidity`.
   */
  readonly mayHandOut: Effect.Effect<boolean>
}

interface Open extends LiveFeed {
  readonly sessionId: SessionId
  readonly accountId: AccountId
}

/** The decision on one more feed of an account. */
export type Admission<F> =
  | { readonly _tag: "Open" }
  /** The session has all it may: its oldest makes room. */
  | { readonly _tag: "Instead"; readonly of: F }
  | { readonly _tag: "Full" }

/** Decides on one more feed of a session; `feeds` are its account's, oldest first. */
export const admit = <F extends { readonly sessionId: string }>(
  feeds: ReadonlyArray<F>,
  sessionId: string
): Admission<F> => {
  const own = feeds.filter((feed) => feed.sessionId === sessionId)
  const [oldest] = own
  if (oldest !== undefined && own.length >= Limits.liveFeeds.perSession) return { _tag: "Instead", of: oldest }
  return feeds.length >= Limits.liveFeeds.perAccount ? { _tag: "Full" } : { _tag: "Open" }
}

export interface LiveFeeds {
  /** A feed of the session that `token` is of, open until its scope closes; null when the account has as many as it may. */
  readonly open: (accountId: AccountId, token: SessionToken) => Effect.Effect<LiveFeed | null, never, Scope.Scope>
}

/** All sessions that follow a feed are asked for together, so often, while any does. */
const look = Limits.liveFeeds.sessionCheck

/** An answer of the database that took longer is asked for again. */
const checkMillis = Duration.toMillis(Limits.liveFeeds.checkValidity)

export const make: Effect.Effect<LiveFeeds, never, Sessions | Scope.Scope> = Effect.gen(function*() {
  const sessions = yield* Sessions
  const scope = yield* Scope.Scope
  const looks = yield* SharedReads.make<void>()
  const byAccount = new Map<AccountId, Set<Open>>()
  const bySession = new Map<SessionId, Set<Open>>()
  let looking = false

  const add = <K>(map: Map<K, Set<Open>>, key: K, feed: Open) => map.set(key, (map.get(key) ?? new Set()).add(feed))
  const remove = <K>(map: Map<K, Set<Open>>, key: K, feed: Open) => {
    const feeds = map.get(key)
    if (feeds?.delete(feed) === true && feeds.size === 0) map.delete(key)
  }
  const leave = (feed: Open) => {
    remove(byAccount, feed.accountId, feed)
    remove(bySession, feed.sessionId, feed)
  }
  const end = (feed: Open) => {
    leave(feed)
    feed.ended.openUnsafe()
  }

  const endThose = Effect.gen(function*() {
    const asked = [...bySession.keys()]
    const alive = yield* sessions.alive(asked)
    for (const id of asked) {
      if (!alive.has(id)) { for (const feed of bySession.get(id) ?? []) end(feed) }
    }
  })

  // A database that is away hands over no events either; when it is back it is asked again.
  const logged = Effect.catchCause((cause) =>
    Effect.logWarning("The sessions of live feeds could not be checked.", cause)
  )
  const endThoseOfEndedSessions = logged(endThose)

  // Begun after the sessions have ended, and awaited by whoever ended them: checks that were begun before have their answers first.
  yield* sessions.onEnded(
    Effect.suspend(() => bySession.size === 0 ? Effect.void : logged(looks.share("", "", endThose)))
  )

  /** A slow answer doesn't postpone the next look: a look begins so often, whatever the last one took. */
  const watching = Effect.gen(function*() {
    let due = yield* Clock.currentTimeMillis
    while (bySession.size > 0) {
      due += Duration.toMillis(look)
      yield* Effect.sleep(Duration.millis(Math.max(0, due - (yield* Clock.currentTimeMillis))))
      due = Math.max(due, (yield* Clock.currentTimeMillis) - Duration.toMillis(look))
      yield* endThoseOfEndedSessions
    }
    looking = false
  })

  const open = Effect.fnUntraced(function*(accountId: AccountId, token: SessionToken) {
    const sessionId = yield* sessions.idOf(token)
    const ended = yield* Latch.make()
    const mayHandOut = Effect.gen(function*() {
      let asked: number
      do {
        asked = yield* Clock.currentTimeMillis
        yield* looks.share("", "", endThose)
        if (ended.isOpen()) return false
      } while ((yield* Clock.currentTimeMillis) - asked > checkMillis)
      return true
    })
    const feed: Open = { accountId, sessionId, ended, mayHandOut }
    const admission = admit([...byAccount.get(accountId) ?? []], sessionId)
    if (admission._tag === "Full") return null
    if (admission._tag === "Instead") end(admission.of)
    add(byAccount, accountId, feed)
    add(bySession, sessionId, feed)
    yield* Effect.addFinalizer(() => Effect.sync(() => leave(feed)))
    if (!looking) {
      looking = true
      yield* Effect.forkIn(watching, scope)
    }
    return feed
  })

  return { open: (accountId, token) => Effect.uninterruptible(open(accountId, token)) }
})
