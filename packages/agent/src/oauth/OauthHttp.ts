/** OAuth 2.1 as mounts of the drive. Without `signIn` there is only the metadata of resources, which names no server. Contract: "MCP and OAuth". */
import { type Grants, type Mount, type OauthClients, RateLimitsGuard } from "@filedrive/core"
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import { type Addresses, issuerMetadata, paths, resourceMetadata } from "./Addresses.ts"
import { document } from "./Answers.ts"
import * as Authorize from "./Authorize.ts"
import * as Introspection from "./Introspection.ts"
import { register } from "./Registration.ts"
import * as TokenEndpoint from "./TokenEndpoint.ts"

type Answer = HttpServerResponse.HttpServerResponse

export interface OauthHttpOptions extends Omit<Addresses, "introspects"> {
  /** Null: apps get no tokens here. */
  readonly signIn: Authorize.SignIn | null
  /** Of the host's own services, which may ask what a token is; none: nobody may. */
  readonly introspectionSecrets: ReadonlyArray<string>
}

const documents = (addresses: Addresses, isOpen: boolean): ReadonlyArray<Mount> =>
  addresses.resources.map((path) => {
    const answer = document(resourceMetadata(addresses.siteUrl, path, isOpen))
    return { path: paths.resource + path, methods: ["GET"], run: () => Effect.succeed(answer) }
  })

const mounts = Effect.fnUntraced(function*({ introspectionSecrets, signIn, ...given }: OauthHttpOptions) {
  const addresses = { ...given, introspects: signIn !== null && introspectionSecrets.length > 0 }
  const open = documents(addresses, signIn !== null)
  if (signIn === null) return open
  const limits = yield* RateLimitsGuard
  const services = yield* Effect.context<Grants | OauthClients>()
  const authorize = yield* Authorize.make(addresses, signIn)
  const introspect = yield* Introspection.make(introspectionSecrets, addresses.siteUrl)
  const issuer = document(issuerMetadata(addresses))
  /** Many people's apps may call from one address, and a host's services from one: only calls that show nothing valid count for it. */
  const valid = <E, R>(app: Effect.Effect<Answer, E, R>, isValid: (status: number) => boolean) =>
    Effect.tap(app, ({ status }) => isValid(status) ? limits.signedIn : Effect.void)
  const served: ReadonlyArray<Mount> = [
    { path: paths.issuer, methods: ["GET"], run: () => Effect.succeed(issuer) },
    { path: paths.authorize, methods: ["GET", "POST"], isSignedOtherwise: true, run: authorize },
    {
      path: paths.token,
      methods: ["POST"],
      isSignedOtherwise: true,
      run: (request) => valid(Effect.provideContext(TokenEndpoint.token(request), services), (status) => status === 200)
    },
    {
      path: paths.revoke,
      methods: ["POST"],
      run: (request) => Effect.provideContext(TokenEndpoint.revoke(request), services)
    },
    {
      path: paths.register,
      methods: ["POST"],
      run: (request) => limits.ofRegistration(request, Effect.provideContext(register(request), services))
    }
  ]
  return [
    ...open,
    ...served,
    ...addresses.introspects
      ? [
        {
          path: paths.introspect,
          methods: ["POST"],
          run: (request) => valid(Effect.provideContext(introspect(request), services), (status) => status !== 401)
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
