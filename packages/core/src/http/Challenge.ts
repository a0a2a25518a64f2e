/**
 * `WWW-Authenticate`: what a client is told that shows no valid token, or one that may not do this. RFC 6750, section 3; RFC 9728,
 * section 5.1.
 */
import { Effect } from "effect"
import { Headers, type HttpServerResponse } from "effect/http"
import { type Permission, permissions as allPermissions } from "../accounts/CurrentAccount.ts"
import { ofError, uncached } from "./Answers.ts"
import { Forbidden, Unauthorized } from "./ApiError.ts"

/** Where the metadata of a resource is: its path comes behind the well-known one. */
export const metadataUrl = (resource: string): string => {
  if (!URL.canParse(resource)) return `/.well-known/oauth-protected-resource${resource}`
  const { origin, pathname } = new URL(resource)
  return `${origin}/.well-known/oauth-protected-resource${pathname}`
}

/** The header's value. `error`: a code of RFC 6750, for a token that was shown. */
export const value = (
  resource: string,
  permissions: ReadonlyArray<Permission>,
  error: "invalid_token" | "insufficient_scope" | null
): string =>
  `Bearer realm="filedrive", ${error === null ? "" : `error="${error}", `}scope="${permissions.join(" ")}", ` +
  `resource_metadata="${metadataUrl(resource)}"`

/**
 * The scope that an app asks its person for, to make a call that needs one of `needed`: with what it has already, since clients ask for
 * just what they are told, and would lose it. Empty when no scope would allow the call: then asking again is no use.
 */
export const scopeToAsk = (
  needed: ReadonlyArray<Permission>,
  granted: ReadonlyArray<Permission> | null
): ReadonlyArray<Permission> =>
  needed.length === 0 || granted === null || needed.some((one) => granted.includes(one))
    ? []
    : allPermissions.filter((one) => granted.includes(one) || needed.includes(one))

type Answer<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

const headerOf = (...parameters: Parameters<typeof value>) =>
  Headers.set(uncached, "www-authenticate", value(...parameters))

/** Answers what `app` refuses for want of a valid token, with the header. */
export const make = (resource: string) => <E, R>(permissions: ReadonlyArray<Permission>, app: Answer<E, R>) =>
  Effect.catch(app, (error) => {
    if (!(error instanceof Unauthorized)) return Effect.fail(error)
    const scope = permissions.length === 0 ? allPermissions : permissions
    const reason = error.code === "no_session" ? null : "invalid_token"
    return Effect.succeed(ofError(error, headerOf(resource, scope, reason))!)
  })

/** Answers what `app` refuses for the limits of its token, with the header where more scope would help. */
export const stepUp = <E, R>(
  resource: string,
  needed: ReadonlyArray<Permission>,
  granted: ReadonlyArray<Permission> | null,
  app: Answer<E, R>
): Answer<E, R> =>
  Effect.catch(app, (error) => {
    const scope = error instanceof Forbidden && error.code === "token_limit" ? scopeToAsk(needed, granted) : []
    return scope.length === 0
      ? Effect.fail(error)
      : Effect.succeed(ofError(error, headerOf(resource, scope, "insufficient_scope"))!)
  })
