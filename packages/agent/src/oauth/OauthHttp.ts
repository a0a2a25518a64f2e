/** OAuth 2.1 as mounts of the drive. Without `signIn` there is only the metadata of resources, which names no server. Contract: "MCP and OAuth". */
import {
  Faults,
  fromDriveError,
  type Grants,
  type Mount,
  type OauthClients,
  RateLimitsGuard,
  RedirectScheme
} from "@filedrive/core"
import { Cause, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Addresses, issuerMetadata, paths, resourceMetadata } from "./Addresses.ts"
import { document, errorAnswer } from "./Answers.ts"
import * as Authorize from "./Authorize.ts"
import * as Introspection from "./Introspection.ts"
import { type Looks, plain } from "./Looks.ts"
import { register } from "./Registration.ts"
import * as TokenEndpoint from "./TokenEndpoint.ts"

type Answer = HttpServerResponse.HttpServerResponse

export interface OauthHttpOptions extends Omit<Addresses, "introspects"> {
  /** Null: apps get no tokens here. */
  readonly signIn: Authorize.SignIn | null
  /** Of the host's own services, which may ask what a token is; empty: there is no introspection. */
  readonly introspectionSecrets: ReadonlyArray<string>
  /** How the pages of consent look and what they say; asked for with the first of them. Default: plain, in English. */
  readonly looks?: Effect.Effect<Looks>
  /** Schemes without a dot that redirects to native apps may have. Default: {@link RedirectScheme.defaults}. */
  readonly redirectSchemes?: ReadonlyArray<string>
}

/** Errors as programs get them. */
const forPrograms = errorAnswer("invalid_request")

const told = { errorAnswer: forPrograms }

/** For apps that are pages: none of these reads a cookie. */
const forAll = { ...told, isForAllOrigins: true }

const documents = (addresses: Addresses, isOpen: boolean): ReadonlyArray<Mount> =>
  addresses.resources.map((path) => {
    const answer = document(resourceMetadata(addresses.siteUrl, path, isOpen))
    return { ...forAll, path: paths.resource + path, methods: ["GET"], run: () => Effect.succeed(answer) }
  })

type Answering<E, R> = (
  request: HttpServerRequest.HttpServerRequest
) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

const mounts = Effect.fnUntraced(function*(
  {
    introspectionSecrets,
    looks = Effect.succeed(plain),
    redirectSchemes = RedirectScheme.defaults,
    signIn,
    ...given
  }: OauthHttpOptions
) {
  const addresses = { ...given, introspects: signIn !== null && introspectionSecrets.length > 0 }
  const open = documents(addresses, signIn !== null)
  if (signIn === null) return open
  const limits = yield* RateLimitsGuard
  const services = yield* Effect.context<Grants | OauthClients>()
  const random = yield* SecureRandom.SecureRandom
  /**
   * A fault of ours has a code of RFC 6749, by which an app knows that it can try again: one that it can't read has it ask its person for
   * everything anew.
   */
  const forApps =
    <E>(path: string, answer: Answering<E, Grants | OauthClients>): Answering<never, never> => (request) =>
      Effect.provideContext(answer(request), services).pipe(
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.failCause(cause as Cause.Cause<never>)
            : Effect.map(Faults.of(cause, path, random), (fault) => forPrograms(fault))
        )
      )
  const authorize = yield* Authorize.make(addresses, signIn, looks, redirectSchemes)
  const introspect = yield* Introspection.make(introspectionSecrets, addresses.siteUrl)
  const issuer = document(issuerMetadata(addresses))
  /** Many people's apps may call from one address, and a host's services from one: only calls that show nothing valid count for it. */
  const valid = <E, R>(app: Effect.Effect<Answer, E, R>, isValid: (status: number) => boolean) =>
    Effect.tap(app, ({ status }) => isValid(status) ? limits.signedIn : Effect.void)
  const served: ReadonlyArray<Mount> = [
    { ...forAll, path: paths.issuer, methods: ["GET"], run: () => Effect.succeed(issuer) },
    { ...told, path: paths.authorize, methods: ["GET", "POST"], isSignedOtherwise: true, run: authorize },
    {
      ...forAll,
      path: paths.token,
      methods: ["POST"],
      isSignedOtherwise: true,
      run: (request) => valid(forApps(paths.token, TokenEndpoint.token)(request), (status) => status === 200)
    },
    {
      ...forAll,
      path: paths.revoke,
      methods: ["POST"],
      run: forApps(paths.revoke, TokenEndpoint.revoke)
    },
    {
      ...forAll,
      path: paths.register,
      methods: ["POST"],
      run: (request) => limits.ofRegistration(request, forApps(paths.register, register(redirectSchemes))(request))
    }
  ]
  return [
    ...open,
    ...served,
    ...addresses.introspects
      ? [
        {
          ...told,
          path: paths.introspect,
          methods: ["POST"],
          run: (request) =>
            valid(
              forApps(paths.introspect, (sent) => Effect.mapError(introspect(sent), fromDriveError))(request),
              (status) => status !== 401
            )
        } satisfies Mount
      ]
      : []
  ]
})

export const make: (options: OauthHttpOptions) => Effect.Effect<
  ReadonlyArray<Mount>,
  never,
  Authorize.Needs | RateLimitsGuard
> = mounts
