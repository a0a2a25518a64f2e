/**
 * How many calls are accepted from one account and one address. Each limit is a
 * bucket that holds `calls` and fills again evenly over `perSeconds`: a burst
 * is accepted whole, a steady stream at its rate. Those on wrong passwords are exact. Contract: "Errors", `rate_limited`.
 */
import { Duration } from "effect"

export interface RateLimit {
  /** Calls that are taken at once, and in each `perSeconds`. At least 1. */
  readonly calls: number
  readonly perSeconds: number
}

export interface RateLimits {
  /** All calls of one account, from wherever. */
  readonly account: RateLimit
  /** All calls from one address, whoever makes them. Checked before anything else. */
  readonly address: RateLimit
  /** Calls without a session from one address; they count as `address` too. */
  readonly anonymous: RateLimit
  /** Attempts with wrong API tokens from one address. When none is left, every exchange from there waits. */
  readonly failedExchange: RateLimit
  /** Apps that register themselves from one address. */
  readonly registration: RateLimit
  /** All calls of one public link (a file request, a review), from wherever. Those of other links are counted apart. */
  readonly link: RateLimit
  /**
   * Wrong passwords at one public link, from wherever. When none is left, its password is not checked for a while. Not a bucket: at most
   * `calls` in any `perSeconds`, whenever they begin.
   */
  readonly wrongPassword: RateLimit
  /** Wrong passwords from one address, at whichever links. Counted like `wrongPassword`. */
  readonly wrongPasswordFrom: RateLimit
  /**
   * Right passwords at one public link, from wherever: each gives an access token for a day, so nobody needs many. A fifth is kept for
   * addresses that took no more than three of it.
   */
  readonly rightPassword: RateLimit
  /** Right passwords from one address, at whichever links. */
  readonly rightPasswordFrom: RateLimit
}

/**
 * Chosen so that no app that serves people reaches them: an account at 200
 * calls a second for as long as it likes, and a whole company or the host's own server
 * behind one address at 1,000. What nobody signed for gets a fiftieth, and guessing tokens next to nothing.
 */
export const defaults: RateLimits = {
  account: { calls: 12_000, perSeconds: 60 },
  address: { calls: 60_000, perSeconds: 60 },
  anonymous: { calls: 1_200, perSeconds: 60 },
  failedExchange: { calls: 30, perSeconds: 60 },
  registration: { calls: 10, perSeconds: 3_600 },
  link: { calls: 6_000, perSeconds: 60 },
  wrongPassword: { calls: 10, perSeconds: 60 },
  wrongPasswordFrom: { calls: 30, perSeconds: 60 },
  rightPassword: { calls: 300, perSeconds: 60 },
  rightPasswordFrom: { calls: 60, perSeconds: 60 }
}

/** `Retry-After`: whole seconds, never 0 and never too few. */
export const retryAfterSeconds = (wait: Duration.Duration): number =>
  Math.max(1, Math.ceil(Duration.toMillis(wait) / 1_000))
