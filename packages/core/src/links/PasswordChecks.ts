/**
 * Whose password is hashed next. A hash takes a tenth of a second and a processor, so a process makes few at once and others wait.
 *
 * Checks take turns by link, so what waits at one link keeps nobody at another. Because somebody may have many links, those from one
 * address are bounded before: only a few of them wait among those of all links at a time. Where too many wait, the one with most
 * waiting is refused, not the newcomer. Owners who set passwords have a place of their own, and take turns by account.
 */
import { Duration, Effect } from "effect"
import type { Unavailable } from "../shared/DriveError.ts"
import * as FairPlaces from "../shared/FairPlaces.ts"
import type { Rules } from "../shared/FairQueue.ts"
import type { AccountId } from "../shared/Ids.ts"

export interface PasswordChecks {
  /**
   * Runs the check of a password. `network` is whom it comes from (see `LinkCall`). Fails with `Unavailable`, which says when to retry,
   * where too many wait.
   */
  readonly check: <A, E>(
    linkId: string,
    network: string | null,
    work: Effect.Effect<A, E>
  ) => Effect.Effect<A, E | Unavailable>
  /** Runs the hashing of a password that an owner sets. Fails in the same way. */
  readonly set: <A, E>(accountId: AccountId, work: Effect.Effect<A, E>) => Effect.Effect<A, E | Unavailable>
}

const rules = { asideMax: 0, preempts: false } as const

/** As many at once as the hasher takes. One link may have both places: the next waits for one check at most. */
const byLink: Rules = { ...rules, places: 2, ofGroup: 2, waitingOfGroup: 20, waitingMax: 100 }

/** Checks from one address that are at work or wait among those of all links; the rest of them waits here. */
const byAddress: Rules = { ...rules, places: 1_000, ofGroup: 4, waitingOfGroup: 30, waitingMax: 1_000 }

const bySetter: Rules = { ...rules, places: 1, ofGroup: 1, waitingOfGroup: 5, waitingMax: 100 }

/** `turn` is for work that takes longer than its turn, which no hash does. */
const times = { turn: Duration.infinity, waitMax: Duration.seconds(20) }

/** Names no link: its id is a secret. */
const causes = (cause: string): FairPlaces.Causes => ({ tooMany: () => cause, preempted: () => cause })

export const make: Effect.Effect<PasswordChecks> = Effect.gen(function*() {
  const links = yield* FairPlaces.make(byLink, times, causes("Too many passwords of public links wait to be checked"))
  const addresses = yield* FairPlaces.make(byAddress, times, causes("Too many passwords from an address wait"))
  const setters = yield* FairPlaces.make(bySetter, times, causes("Too many passwords wait to be set"))
  return {
    check: (linkId, network, work) => {
      // A hash can't be stopped, so its place is taken until it is done.
      const ofLink = links.run(linkId, Effect.uninterruptible(work))
      return network === null ? ofLink : addresses.run(network, ofLink)
    },
    set: (accountId, work) => setters.run(accountId, Effect.uninterruptible(work))
  }
})
