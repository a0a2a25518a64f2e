/**
 * What the drive answers besides the operations of its API: other protocols, and documents that are found at well-known places. A
 * package that brings one provides {@link Mounts}.
 */
import { Context, type Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ErrorAnswer } from "./ErrorAnswer.ts"

export interface Mount {
  /**
   * Below the drive's own mount, like `/a2a`; also with a slash at its end. One that ends in `/*`, like `/requests/*`, stands for every path
   * with one more segment that nothing else answers at.
   */
  readonly path: string
  /** What it takes. `GET` includes `HEAD`. */
  readonly methods: ReadonlyArray<"GET" | "POST">
  /** Whether pages of every origin may call: it reads no cookie, and tells nobody more than a program would learn. */
  readonly isForAllOrigins?: boolean
  /**
   * Whether callers show who they are otherwise than by a bearer token, as by a cookie or in a form. Then a call counts as one of nobody's
   * only once that is known: `run` tells {@link "./RateLimitsGuard.ts"} whose it is. Default false.
   */
  readonly isSignedOtherwise?: boolean
  /** The form of errors that come before `run` or from it, as 405 and 429. Default: that of the file service. */
  readonly errorAnswer?: ErrorAnswer
  /**
   * Answers a request, which was counted for its caller's address. Failures are answered like those of operations. It sees to sessions and
   * to the limits of accounts itself ({@link "./RateLimitsGuard.ts"}).
   */
  readonly run: (
    request: HttpServerRequest.HttpServerRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>
}

export const Mounts = Context.Reference<ReadonlyArray<Mount>>("@filedrive/core/http/Mounts", {
  defaultValue: () => []
})
