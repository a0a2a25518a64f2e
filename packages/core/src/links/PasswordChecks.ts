/**
 * Whose password is hashed next. A hash takes a tenth of a second and a processor, so a process makes few at once and others wait.
 *
 * Checks take turns by account and then by link ({@link "./CheckTurns.ts"}): what waits at one link keeps nobody at another, and an
 * account with many links has no more turns than one with a single link. All ids that belong to no link take turns as one link. Because somebody may have many
 * accounts, those from one address are bounded before: only a few of them wait among those of all links at a time, and a few more of one
 * IPv6 site. Owners who set passwords have a place of their own, and take turns by account.
 */
import { Deferred, Duration, Effect } from "effect"
import { Unavailable } from "../shared/DriveError.ts"
import * as FairPlaces from "../shared/FairPlaces.ts"
import type { Rules } from "../shared/FairQueue.ts"
import type { AccountId } from "../shared/Ids.ts"
import * as CheckTurns from "./CheckTurns.ts"
import type { Link } from "./Link.ts"
import { siteOf } from "./LinkCall.ts"

export interface PasswordChecks {
  /**
   * Runs the check of a password at a link, or at an id of none (null). `network` is whom it comes from (see `LinkCall`). Fails with
   * `Unavailable`, which says when to retry, where too many wait.
   */
  readonly check: <A, E>(
    link: Pick<Link, "id" | "accountId"> | null,
    network: string | null,
    work: Effect.Effect<A, E>
  ) => Effect.Effect<A, E | Unavailable>
  /** Runs the hashing of a password that an owner sets. Fails in the same way. */
  readonly set: <A, E>(accountId: AccountId, work: Effect.Effect<A, E>) => Effect.Effect<A, E | Unavailable>
}

const rules = { asideMax: 0, preempts: false } as const

/** As many at once as the hasher takes. One link may have both places: the next waits for one check at most. */
const turns: CheckTurns.Rules = { places: 2, waitingOfLink: 20, waitingMax: 100 }

/**
 * The line of all ids of no link that has a password: unknown, deleted, or of an owner who is suspended. Anybody invents as many of them as
 * they like, so a line for each would keep links from their turns. While this line is long, an answer comes later than at a link, or is a
 * refusal. That is accepted: whoever has an id sees whether there is a link with a password by opening it without one, and an id
 * can't be guessed. In the same way somebody who keeps an account's line long may see that another of its links has the same owner.
 */
const nowhere = { accountId: "", id: "" }

/** Checks from one address that are at work or wait among those of all links; the rest of them waits here. */
const byAddress: Rules = { ...rules, places: 1_000, ofGroup: 4, waitingOfGroup: 30, waitingMax: 1_000 }

/** The same for an IPv6 site (/48), which has 65,536 networks (/64), each of them an address here. */
const bySite: Rules = { ...rules, places: 1_000, ofGroup: 12, waitingOfGroup: 60, waitingMax: 1_000 }

const bySetter: Rules = { ...rules, places: 1, ofGroup: 1, waitingOfGroup: 5, waitingMax: 100 }

/** `turn` is for work that takes longer than its turn, which no hash does. */
const times = { turn: Duration.infinity, waitMax: Duration.seconds(20) }
/** Before the turns. A call that waits at each of them ends within 40 s. */
const timesBefore = { ...times, waitMax: Duration.seconds(10) }

/** Names no link: its id is a secret. */
const causes = (cause: string): FairPlaces.Causes => ({ tooMany: () => cause, preempted: () => cause })

const retryAfterSeconds = 3

const busy = Effect.fail(
  new Unavailable({
    code: "unavailable",
    cause: new Error("Too many passwords of public links wait to be checked"),
    retryAfterSeconds
  })
)

const makeTurns = Effect.sync(() => {
  let state = CheckTurns.empty
  let lastTicket = 0
  /** By the ticket of a check: what it waits for, to begin or be refused. */
  const starts = new Map<number, Deferred.Deferred<void, Unavailable>>()

  const step = (event: CheckTurns.Event) =>
    Effect.sync(() => {
      const { refused, started, state: next } = CheckTurns.next(turns, state, event)
      state = next
      for (const ticket of started) Deferred.doneUnsafe(starts.get(ticket)!, Effect.void)
      if (refused !== null) Deferred.doneUnsafe(starts.get(refused)!, busy)
    })

  /** Runs a check when it is its turn. When interrupted while it waits, it leaves; a hash can't be stopped, so its place is taken until it is done. */
  return <A, E>(of: Omit<CheckTurns.Check, "ticket">, work: Effect.Effect<A, E>): Effect.Effect<A, E | Unavailable> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const ticket = ++lastTicket
        const start = Deferred.makeUnsafe<void, Unavailable>()
        starts.set(ticket, start)
        const wait = Effect.timeoutOrElse(Deferred.await(start), { duration: times.waitMax, orElse: () => busy })
        const leave = Effect.andThen(step({ _tag: "Left", ticket }), Effect.sync(() => starts.delete(ticket)))
        return Effect.andThen(
          step({ _tag: "Arrived", check: { ...of, ticket } }),
          Effect.ensuring(Effect.andThen(restore(wait), work), leave)
        )
      })
    )
})

export const make: Effect.Effect<PasswordChecks> = Effect.gen(function*() {
  const inTurn = yield* makeTurns
  const sites = yield* FairPlaces.make(bySite, timesBefore, causes("Too many passwords from a site wait"))
  const addresses = yield* FairPlaces.make(byAddress, timesBefore, causes("Too many passwords from an address wait"))
  const setters = yield* FairPlaces.make(bySetter, times, causes("Too many passwords wait to be set"))
  return {
    check: (link, network, work) => {
      const { accountId, id: linkId } = link ?? nowhere
      const ofLink = inTurn({ accountId, linkId, network }, work)
      if (network === null) return ofLink
      const site = siteOf(network)
      return addresses.run(network, site === null ? ofLink : sites.run(site, ofLink))
    },
    set: (accountId, work) => setters.run(accountId, Effect.uninterruptible(work))
  }
})
