/** Where pages of results begin. An offset stands for a position in the results, so that files which arrive meanwhile move nothing. */
import { DateTime, Duration } from "effect"
import type { Position } from "../docindex/Ranking.ts"

/** By which the next page of a query is found again. */
export interface PageKey {
  readonly accountNo: number
  /** The same for the same query of the same account under the same limits. */
  readonly question: string
}

/** A page as it is requested. Positions written before `since` have expired. */
export interface RequestedPage {
  readonly question: string
  readonly offset: number
  readonly since: DateTime.Utc
}

/** When a position is written; one that was written after `lately` is not written again, one from before `since` has expired. */
export interface Times {
  readonly now: DateTime.Utc
  readonly lately: DateTime.Utc
  readonly since: DateTime.Utc
}

/** How long a position is known, at least six hours. After that its offset is counted from the start. */
const lifetime = Duration.hours(7)

/** How long a position that is requested again is not written again. */
const freshness = Duration.hours(1)

export const timesAt = (now: DateTime.Utc): Times => ({
  now,
  lately: DateTime.subtractDuration(now, freshness),
  since: DateTime.subtractDuration(now, lifetime)
})

/** Offsets from here on stand for other positions than their number says; those below it count files. */
const alternatives = 10_000_000_000

/** How many files come before a page, as its offset says; exact only when no file arrived or left since. */
export const count = (offset: number): number => offset % alternatives

/** The offset for a position whose own number already stands for another one. */
export const alternative = (offset: number, position: Position): number =>
  count(offset) + alternatives * (1 + hash(position) % 900_000)

/** A number of a position; two positions rarely have the same. */
const hash = ({ id, key }: Position): number => {
  let sum = 0
  for (const character of key + id) sum = (Math.imul(sum, 31) + character.codePointAt(0)!) >>> 0
  return sum
}
