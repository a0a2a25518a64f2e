/**
 * A call that somebody makes through a public link, without an account: what it shows, and how often such calls are taken.
 * The counterpart of `CurrentAccount`; provided by the middleware of public routes and by `drive.public`.
 */
import { Context, type Effect } from "effect"
import type { RateLimited } from "../shared/DriveError.ts"

export interface LinkLimits {
  /** Counts one call of the link. Fails with `RateLimited` when the link was called too often. */
  readonly count: (linkId: string) => Effect.Effect<void, RateLimited>

  /**
   * Runs the check of a password at the link, which returns whether it is right. Each takes its place before the check and returns it
   * unless the password was wrong. Fails with `RateLimited` when too many were wrong, at this link or from the caller's address.
   */
  readonly guess: <E, R>(
    linkId: string,
    check: Effect.Effect<boolean, E, R>
  ) => Effect.Effect<boolean, E | RateLimited, R>
}

/** @effect-leakable-service */
export class LinkCall extends Context.Service<LinkCall, {
  /** The access token that was sent (`X-Link-Access`), not checked yet; null without one. */
  readonly accessToken: string | null
  /** Whom the call comes from as far as it is known: an IPv4 address, or the /64 of an IPv6 address. Null where nobody knows. */
  readonly network: string | null
  readonly limits: LinkLimits
}>()("@filedrive/core/links/LinkCall") {}

/** The IPv6 site (/48) of a network, which has 65,536 of them; null of an IPv4 address. */
export const siteOf = (network: string): string | null => network.includes(":") ? network.split(":", 3).join(":") : null
