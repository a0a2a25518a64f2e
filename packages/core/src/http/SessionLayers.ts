/** The checks behind {@link "./Session.ts"}. */
import { Effect, Layer, Option, Redacted } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { CurrentAccount } from "../accounts/CurrentAccount.ts"
import { ApiTokenSecurity, SentToken } from "../accounts/ExchangeApi.ts"
import type { SessionToken } from "../accounts/Session.ts"
import { Sessions } from "../accounts/Sessions.ts"
import { LinkCall } from "../links/LinkCall.ts"
import type { Unauthenticated, Unavailable } from "../shared/DriveError.ts"
import { Forbidden, fromDriveError, ServiceUnavailable } from "./ApiError.ts"
import * as Challenge from "./Challenge.ts"
import { apiResource, HttpConfig } from "./HttpConfig.ts"
import * as Operation from "./Operation.ts"
import { accessHeader, isPublic, PublicLink } from "./PublicLink.ts"
import { RateLimitsGuard } from "./RateLimitsGuard.ts"
import { AppHeader, BodyErrors, Faults, OptionalAccount, OptionalSession, Session } from "./Session.ts"

/** A session that does not exist, or can't be checked because the host's accounts are away. */
const unresolved = (error: Unauthenticated | Unavailable) =>
  error._tag === "Unavailable"
    ? new ServiceUnavailable({ error: error.message, code: "unavailable", retryable: true })
    : fromDriveError(error)

// No `SessionToken.make`: it checks nothing, and this runs on every call.
const tokenOf = (credential: Redacted.Redacted<string>) => Redacted.value(credential) as SessionToken

/** Runs a call of an endpoint for the account whose session `token` is; a refusal for its limits says which scope would help. */
const forSession = Effect.gen(function*() {
  const sessions = yield* Sessions
  const limits = yield* RateLimitsGuard
  const resource = apiResource(yield* HttpConfig)
  return <E, R>(
    token: SessionToken,
    endpoint: HttpApiEndpoint.Top,
    call: (account: CurrentAccount["Service"]) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ) =>
    sessions.resolve(token, resource).pipe(
      Effect.mapError(unresolved),
      Effect.flatMap((account) => {
        const { permissions } = Operation.of(endpoint)
        return limits.ofAccount(
          account.id,
          Challenge.stepUp(resource, permissions, account.limits.permissions, call(account))
        )
      })
    )
})

const SessionLayer = Layer.effect(
  Session,
  Effect.map(forSession, (run) =>
    Session.of({
      bearer: (app, { credential, endpoint }) =>
        run(tokenOf(credential), endpoint, (account) => Effect.provideService(app, CurrentAccount, account))
    }))
)

const OptionalSessionLayer = Layer.effect(
  OptionalSession,
  Effect.map(forSession, (run) =>
    OptionalSession.of({
      bearer: (app, { credential, endpoint }) => {
        const token = tokenOf(credential)
        return token === ""
          ? Effect.provideService(app, OptionalAccount, Option.none())
          : run(token, endpoint, (account) => Effect.provideService(app, OptionalAccount, Option.some(account)))
      }
    }))
)

const AppHeaderLayer = Layer.effect(
  AppHeader,
  Effect.map(HttpConfig, ({ appId, checkAppHeader }) => {
    const wrongApp = () =>
      new Forbidden({
        error: "Send the header X-Service-App with the id of this drive's app.",
        code: "wrong_app",
        retryable: false
      })
    return AppHeader.of((app, { endpoint }) =>
      checkAppHeader && !isPublic(endpoint)
        ? HttpServerRequest.HttpServerRequest.pipe(
          Effect.filterOrFail(({ headers }) => headers["x-service-app"] === appId, wrongApp),
          Effect.andThen(app)
        )
        : app
    )
  })
)

/** What was sent is only passed on: the operation's service checks it with the link. */
const PublicLinkLayer = Layer.effect(
  PublicLink,
  Effect.map(
    RateLimitsGuard,
    (limits) =>
      PublicLink.of((app) =>
        Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
          Effect.provideService(app, LinkCall, {
            ...limits.linkCaller(request),
            accessToken: request.headers[accessHeader] ?? null
          }))
      )
  )
)

/** The token is only passed on: the exchange checks it. */
const ApiTokenLayer = Layer.succeed(
  ApiTokenSecurity,
  ApiTokenSecurity.of({
    apiToken: (app, { credential }) => Effect.provideService(app, SentToken, credential)
  })
)

/** Asks for the sessions and the guard of rate limits. */
export const layerNoDeps = Layer.mergeAll(
  SessionLayer,
  OptionalSessionLayer,
  AppHeaderLayer,
  ApiTokenLayer,
  PublicLinkLayer,
  // Declared only for their errors; the dispatcher does the work.
  Layer.succeed(BodyErrors, BodyErrors.of((app) => app)),
  Layer.succeed(Faults, Faults.of((app) => app))
)
