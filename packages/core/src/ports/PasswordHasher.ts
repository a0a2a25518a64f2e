/**
 * Turns the passwords of public links into what may be stored of them: a hash that is slow to compute, with a salt of its own.
 * Adapters are proven by the suite `passwordHasherSuite` of `@filedrive/testing/suites`.
 */
import { Context, type Effect } from "effect"
import type { Unavailable } from "../shared/DriveError.ts"

export class PasswordHasher extends Context.Service<PasswordHasher, {
  /**
   * What is stored of a password, as one text of at most 500 characters. The same password gives another text each time.
   *
   * Fails with `Unavailable` (with `retryAfterSeconds`) when too many passwords wait to be hashed.
   */
  readonly hash: (password: string) => Effect.Effect<string, Unavailable>

  /**
   * Whether `stored` was made of this password. Compares in constant time. Null stands for a password that nobody has: it takes as long as
   * any other, and is false. Fails like {@link hash}; dies for a stored text that no {@link hash} has made.
   */
  readonly verify: (password: string, stored: string | null) => Effect.Effect<boolean, Unavailable>
}>()("@filedrive/core/ports/PasswordHasher") {}
