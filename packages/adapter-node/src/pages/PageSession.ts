/** Sessions for the pages of people who are signed in at the host. The promises are PAGE-90 to PAGE-93 in docs/rules/pages.md. */
import {
  DriveError,
  fromDriveError,
  type Ids,
  type Mount,
  RateLimitsGuard,
  Sessions,
  statusOfError
} from "@filedrive/core"
import { DateTime, Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { SignIn } from "../oauth/HostSignIn.ts"

type Request = HttpServerRequest.HttpServerRequest

const answer = (status: number, body: object) =>
  HttpServerResponse.jsonUnsafe(body, {
    status,
    headers: {
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      vary: "cookie, origin, sec-fetch-site"
    }
  })

const refusal = (status: number, code: string, error: string) => answer(status, { error, code, retryable: false })

const notSignedIn = refusal(401, "not_signed_in", "Nobody is signed in here.")

const otherSite = refusal(403, "wrong_origin", "Only pages of the drive's own origin get a session here.")

/** Whether a call comes from a page of the drive's own: browsers send `Origin` with every POST, and nothing else may be taken for one. */
const isOwn = ({ headers }: Request, origin: string): boolean =>
  headers["origin"] === origin && ["same-origin", undefined].includes(headers["sec-fetch-site"])

/**
 * Answers `POST {auth}/page-session`: a session without limits for whoever is signed in, which is good for minutes. Attempts that fail count like
 * wrong API tokens.
 */
export const make = Effect.fnUntraced(function*(
  signIn: SignIn,
  siteUrl: string
): Effect.fn.Return<Mount["run"], never, RateLimitsGuard | Sessions> {
  const limits = yield* RateLimitsGuard
  const sessions = yield* Sessions
  const { origin } = new URL(siteUrl)

  const open = (user: Ids.AccountId) =>
    Effect.gen(function*() {
      const name = yield* signIn.personOf(user)
      const { expireTime, token } = yield* Effect.mapError(sessions.openForPage(user), fromDriveError)
      return answer(200, { sessionToken: token, expiresAt: DateTime.formatIso(expireTime), userId: user, name })
    })

  /** Counts at the address. Who is signed in does not wait for places there: others behind the same address could use them up. */
  const refuse = (request: Request) =>
    Effect.catchIf(
      limits.ofExchange(request, Effect.fail(fromDriveError(new DriveError.Unauthenticated({ code: "no_session" })))),
      (error) => statusOfError(error) === 401,
      () => Effect.succeed(notSignedIn)
    )

  return (request) =>
    isOwn(request, origin)
      ? Effect.flatMap(
        signIn.user(request),
        (user) => user === null ? refuse(request) : limits.ofAccount(user, open(user))
      )
      : Effect.succeed(otherSite)
})
