/**
 * What the drive answers besides the operations of its API: other protocols, and documents that are found at well-known places. A
 * package that brings one provides {@link Mounts}.
 */
import { Context, type Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"

export interface Mount {
  /**
   * Below the drive's own mount, like `/a2a`; also with a slash at its end. One that ends in `/*`, like `/requests/*`, stands for every path
   * with one more segment that nothing else answers at.
   */
  readonly path: string
  /** What it takes. `GET` includes `HEAD`. */
  readonly methods: ReadonlyArray<"GET" | "POST">
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
