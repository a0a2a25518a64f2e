/** Pages of people who are signed in at the host: others are led to where they sign in, and back. */
import { type Mount, RateLimitsGuard } from "@filedrive/core"
import { Cause, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { SignIn } from "../oauth/HostSignIn.ts"

type Run = Mount["run"]

const redirect = (location: string) =>
  HttpServerResponse.empty({
    status: 303,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer", vary: "cookie" }
  })

const queryOf = (url: string): string => url.includes("?") ? url.slice(url.indexOf("?")) : ""

/**
 * Guards the page at `path` below the drive's site. While the host can't say who is signed in, the page is shown: it has nothing of anybody's in
 * it, asks for a session itself, and tells its reader why there is none.
 */
export const make = Effect.fnUntraced(function*(
  signIn: SignIn,
  siteUrl: string
): Effect.fn.Return<(path: string, page: Run) => Run, never, RateLimitsGuard> {
  const limits = yield* RateLimitsGuard
  return (path, page) => (request) =>
    Effect.gen(function*() {
      const user = yield* signIn.user(request)
      return user ?? redirect(yield* signIn.loginUrl(siteUrl + path + queryOf(request.url)))
    }).pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause as Cause.Cause<never>)
          : Effect.as(Effect.logWarning("The host does not say who is signed in", cause), null)
      ),
      Effect.flatMap((found) =>
        found === null
          ? page(request)
          : typeof found === "string"
          ? limits.ofAccount(found, page(request))
          : Effect.succeed(found)
      )
    )
})
